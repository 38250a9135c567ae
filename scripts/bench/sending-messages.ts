import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { referenceChoices } from "../../generated/choices.ts";
import { operations } from "../../generated/operations.ts";
import { scopes } from "../../generated/scopes.ts";
import { newKey, newKeySecret } from "../../reference-server/domain/keys/api-keys.ts";
import { largestCapacity } from "../../reference-server/domain/limits/draw.ts";
import { newCustomer, type Organization } from "../../reference-server/domain/organizations/organization.ts";
import { openingEntries } from "../../reference-server/domain/wallet/wallet.ts";
import { createServer, machine } from "../../reference-server/server.ts";
import type { Store } from "../../reference-server/store/store.ts";
import { type BenchEngine, type BenchStore, postgresEngine, sqliteEngine } from "./bench-store.ts";
import type { Extent } from "./extent.ts";
import { type Figure, ratioOf, type Section } from "./figure.ts";
import { inRounds, type Subject } from "./rounds.ts";
import { timed } from "./timed.ts";

const { draws, method, path } = operations.sendMessage;
const recipient = "+12025550147";

/** More than all samples draw and spend. */
const plenty = { capacity: largestCapacity, periodSeconds: 3_600 };
const micros = 1_000_000_000_000;

/** Milliseconds of a send, beside a bare insert of the rows that it leaves; and of its limits by themselves. */
export async function sendingMessages(extent: Extent, say: (progress: string) => void): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), "bylaw-bench-"));
  const ends: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true, force: true })];
  const notes: string[] = [];
  try {
    say("starting the servers");
    const engines = [await subjectsOn(sqliteEngine(folder))];
    try {
      engines.push(await subjectsOn(await postgresEngine()));
    } catch (problem) {
      notes.push(`PostgreSQL was left out: ${String(problem)}`);
    }
    const figures = await inRounds(engines.flat(), extent.deliveryRounds, (round) =>
      say(`sends: round ${round} of ${extent.deliveryRounds}`),
    );
    const figureOf = ({ name }: Subject): readonly Figure[] => figures.filter((figure) => figure.name === name);
    const ratios = engines.flatMap(([bare, ...others]) =>
      figureOf(bare).flatMap((anchor) => others.flatMap(figureOf).map((figure) => ratioOf(figure, anchor, null))),
    );
    return {
      title: `${method} ${path}, in milliseconds`,
      notes: [
        `One after the other, each over HTTP, for an hour from now; a sample is the median of ${extent.feedCalls}.`,
        "A bare insert writes a message, its work and its ledger entry in one transaction, by the database's own client.",
        "The limits by themselves: what was spent, by which the ladder is chosen, and one draw from both of its buckets.",
        ...notes,
      ],
      ...{ figures, ratios, aims: {} },
    };
  } finally {
    for (const end of ends) await end();
  }

  async function subjectsOn(engine: BenchEngine): Promise<readonly [Subject, ...Subject[]]> {
    ends.unshift(engine.remove);
    const bench = await engine.newStore();
    const { store } = bench;
    const server = createServer({ store, choices: referenceChoices, log: pino({ level: "silent" }), production: true });
    ends.unshift(async () => {
      await bench.closeAccess();
      await server.close();
    });
    const { url } = await server.listen({ host: "127.0.0.1", port: 0 });
    const { organization, authorization } = await newSender(store);
    const body = JSON.stringify({
      to: recipient,
      body: "Your table is ready.",
      scheduled_at: new Date(machine.now() + 3_600_000).toISOString(),
    });
    const headers = { authorization, "content-type": "application/json" };
    const send = async (): Promise<void> => {
      const answer = await fetch(url + path, { method, headers, body });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`A send was answered ${answer.status}: ${text.slice(0, 300)}`);
    };
    await send();
    const insert = await bareInsert(bench, organization.id);
    const joint = () => ({
      algorithm: referenceChoices.bucketAlgorithm,
      now: machine.now(),
      draws: draws.map(({ bucket }) => ({ bucket, size: plenty, units: 1 })),
    });
    const limits = async (): Promise<void> => {
      await store.wallet(organization.id);
      const { admitted } = await store.draw(organization.id, joint());
      if (!admitted) throw new Error("A limit was used up.");
    };
    return [
      timed(`a bare insert on ${engine.name}`, extent.feedCalls, insert),
      timed(`a send on ${engine.name}`, extent.feedCalls, send),
      timed(`its limits on ${engine.name}`, extent.feedCalls, limits),
    ];
  }
}

/** An organization with money and limits for all that is measured, a key with every scope, and a willing recipient. */
async function newSender(
  store: Store,
): Promise<{ readonly organization: Organization; readonly authorization: string }> {
  const limits = Object.fromEntries(draws.map(({ bucket }) => [bucket, plenty]));
  const organization = { ...newCustomer(machine), limits };
  await store.insertOrganization(organization);
  const secret = newKeySecret(machine, referenceChoices);
  const now = machine.now();
  const about = { organizationId: organization.id, label: "bench", scopes, createdAt: now };
  await store.atomically(organization.id, async (tx) => {
    await tx.keys.insert(newKey({ id: machine.newId(), ...about }, secret));
    for (const entry of openingEntries({ balance: micros, spend: 0 }, now, machine)) await tx.ledger.append(entry);
    const consent = { organizationId: organization.id, phoneNumber: recipient, source: "bench" } as const;
    await tx.consents.put({ ...consent, state: "opted-in", capturedAt: now });
  });
  return { organization, authorization: `Bearer ${secret.plaintext}` };
}

/** Writes what a send left in three tables once more, for an organization of its own. */
async function bareInsert({ store, execute }: BenchStore, senderId: string): Promise<() => Promise<void>> {
  const other = newCustomer(machine);
  await store.insertOrganization(other);
  const latest = async (table: string, condition: string) => {
    const [row] = await execute(`select * from ${table} where ${condition} limit 1`);
    if (row === undefined) throw new Error(`A send left nothing in ${table}.`);
    return row;
  };
  const message = await latest("messages", `organization_id = '${senderId}'`);
  const job = await latest("jobs", `message_id = '${String(message.id)}'`);
  const entry = await latest("ledger_entries", `organization_id = '${senderId}' and kind = 'charge'`);
  let position = 0;
  return async () => {
    const id = machine.newId();
    position++;
    await execute("begin");
    await execute(insertion("messages", { ...message, id, organization_id: other.id }));
    await execute(insertion("jobs", { ...job, id: machine.newId(), message_id: id }));
    await execute(insertion("ledger_entries", { ...entry, organization_id: other.id, position, reference: id }));
    await execute("commit");
  };
}

function insertion(table: string, row: Readonly<Record<string, unknown>>): string {
  const values = Object.values(row).map((value) =>
    value === null ? "null" : `'${String(value).replaceAll("'", "''")}'`,
  );
  return `insert into ${table} (${Object.keys(row).join(", ")}) values (${values.join(", ")})`;
}
