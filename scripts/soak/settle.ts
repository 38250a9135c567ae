import { setTimeout as pause } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { advanceClock } from "../../generated/client/sandbox-organizations.ts";
import type { DeliveryAttempt } from "../../generated/models/deliveries.ts";
import type { Fleet } from "./fleet.ts";
import { brokenInvariants } from "./invariants.ts";
import { attemptFaults } from "./judge-attempts.ts";
import { changeFaults, changeStatements } from "./judge-changes.ts";
import { sendFaults, sendStatements } from "./judge-sends.ts";
import type { KeyedSends } from "./keyed-sends.ts";
import type { Ledger } from "./ledger.ts";
import { readFeed, UnreadableFeed } from "./read-feed.ts";
import type { SoakDatabase } from "./soak-database.ts";
import type { SoakReceiver } from "./soak-receiver.ts";
import type { SoakedOrganization } from "./soaked-organizations.ts";

export interface SettleParts {
  readonly database: SoakDatabase;
  readonly fleet: Fleet;
  readonly ledger: Ledger;
  readonly sends: KeyedSends;
  readonly receiver: SoakReceiver;
  readonly organizations: readonly SoakedOrganization[];
  readonly sandboxToken: string;
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
}

export interface Settled {
  readonly faults: readonly string[];
  /** Records, by their outcome. */
  readonly outcomes: Readonly<Record<string, number>>;
}

/** Real milliseconds without any progress after which what is still due counts as never made. */
const patience = 30_000;

/** Real milliseconds between two looks. */
const interval = 200;

/** Seconds by which manual clocks are moved at each look: more than between any two attempts. */
const advance = 600;

/** Waits, undisturbed, until nothing is on its way any more, and judges what has become of all events and messages. */
export async function settle(parts: SettleParts): Promise<Settled> {
  const { database, fleet, ledger, sends, receiver, organizations } = parts;
  const left = await drain(parts);
  const attempts: DeliveryAttempt[] = [];
  const faults: string[] = [...fleet.faults(), ...ledger.contradictions];
  if (left > 0) faults.push(`${left} deliveries and messages are due and nobody sends them`);
  for (const { endpoint, event, by, answeredAt } of ledger.outstanding)
    faults.push(
      `lost: ${event} never reached ${endpoint.path}; ${by} was answered with success at ${(answeredAt / 1000).toFixed(2)} s`,
    );
  faults.push(...(await brokenInvariants(database.read)));
  faults.push(...changeFaults(await database.read(changeStatements), ledger.audits));
  faults.push(...sendFaults(await database.read(sendStatements), sends, receiver.handedOver));
  for (const organization of organizations) {
    const feed = await readFeed(callerOf(organization.key, parts)).catch((problem: unknown) => {
      if (problem instanceof UnreadableFeed) return { attempts: [], faults: [problem.message] };
      throw problem;
    });
    attempts.push(...feed.attempts);
    faults.push(...feed.faults);
  }
  const endpoints = organizations.flatMap((organization) => organization.endpoints);
  faults.push(...attemptFaults(attempts, endpoints, receiver.received));
  return { faults, outcomes: countBy(attempts, ({ outcome }) => outcome) };
}

/** Gives how many deliveries are left when nothing happens any more. */
async function drain(parts: SettleParts): Promise<number> {
  const { database, organizations, sandboxToken, signal } = parts;
  const statements = ["select count(*) as count from jobs", "select count(*) as count from delivery_attempts"];
  let before = "";
  let quietSince = performance.now();
  while (!signal.aborted) {
    for (const { id, clock } of organizations)
      if (clock === "manual")
        await advanceClock(callerOf(sandboxToken, parts), { path: { id }, body: { seconds: advance } });
    const [waiting = 0, made = 0] = (await database.read(statements)).map(([row]) => Number(row?.count));
    if (waiting === 0) return 0;
    const now = `${waiting} ${made}`;
    if (now !== before) quietSince = performance.now();
    before = now;
    if (performance.now() - quietSince > patience) return waiting;
    await pause(interval);
  }
  throw signal.reason;
}

function callerOf(token: string, { fleet, dispatcher }: SettleParts) {
  const baseUrl = fleet.any();
  if (baseUrl === null) throw new Error("No server serves.");
  return { baseUrl, token, dispatcher };
}

const countBy = <Item>(items: readonly Item[], name: (item: Item) => string): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(items, name)].map(([key, all]) => [key, all.length]));
