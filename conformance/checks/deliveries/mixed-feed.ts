import { type EventType, eventTypes } from "../../../generated/events.ts";
import { emittedEvent } from "../../arrangements/emitted-event.ts";
import type { CheckContext } from "../../context/context.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { type Attempt, attemptOf, onceEach } from "../../steps/attempt.ts";
import type { Endpoint } from "../../steps/endpoint.ts";
import { type AttemptRecord, readFeed } from "../../steps/feed.ts";
import { type Filters, margin, queryOf } from "../../steps/filter-model.ts";
import { growingSteps } from "../../steps/growing-steps.ts";
import { makeEvent } from "../../steps/make-event.ts";
import { attemptsAt, settle } from "../../steps/settle.ts";
import type { Met, Vantage } from "../../steps/vantage.ts";

/** A feed with attempts of several kinds at two endpoints. */
export interface MixedFeed {
  readonly owner: Credential;
  readonly endpoints: readonly [Endpoint, Endpoint];
  /** Nothing is added to it but by the kit. */
  readonly atRest: boolean;
  /** What leaves out all that was there before, where others use the organization too. */
  readonly base: Filters;
  /** All else that it holds now, each attempt once. */
  read(): Promise<readonly Attempt[]>;
}

export interface MixedFeedWish {
  /** How often events of all types are made, some time apart; fewer where that takes waiting. */
  readonly rounds: number;
  /** Time passes until a delivery is dead, where the kit can let it. */
  readonly untilDead?: boolean;
}

/** Types that the kit's own calls cause no events of. */
export const quietTypes: readonly EventType[] = eventTypes.filter((type) => !type.startsWith("api_key."));

/** Seconds between two rounds where the kit moves the clock, and where it has to wait. */
const apart = { manual: 60, real: 4 } as const;

/** Every so many rounds the clock is moved by less than a second: records may tell no more of a time than that. */
const [closeRounds, closelyApart] = [4, 0.3] as const;

/** Rounds at most where the kit has to wait between them. */
const fewRounds = 2;

/** What the endpoint of several types meets: most sorts of answer, and none. */
const statuses: readonly Met[] = [404, null, 201, 503, 302, null, 429, 204, 500, 400, 200];

/** Makes events until the feed has attempts that differ in all that it can be filtered by, as far as the kit can. */
export async function mixedFeed(
  t: CheckContext,
  owner: Credential,
  { watch }: Vantage,
  { untilDead, ...wish }: MixedFeedWish,
): Promise<MixedFeed> {
  const { tenant } = owner;
  const rounds = tenant.manualClock ? wish.rounds : Math.min(wish.rounds, fewRounds);
  const [only, ...others] = quietTypes.slice(0, 3);
  if (only === undefined) throw new Error("The contract has no events that the kit does not cause.");
  const [mixed, failing] = [
    await watch(t, owner, { events: [only, ...others] }),
    await watch(t, owner, { events: [only] }),
  ];
  await mixed.meet(200, ...statuses);
  await failing.meet(500);
  const endpoints = [mixed.endpoint, failing.endpoint] as const;

  for (let round = 1; round <= rounds; round += 1) {
    const seconds = !tenant.manualClock ? apart.real : round % closeRounds === 0 ? closelyApart : apart.manual;
    if (round > 1) await tenant.advance(seconds, "attempts at several times");
    if (tenant.can(emittedEvent)) for (const type of [only, ...others]) await tenant.arrange(emittedEvent, { type });
    else for (const endpoint of endpoints) await makeEvent(t, endpoint);
    await settle(tenant);
  }
  const own: Attempt[] = [];
  for (const endpoint of endpoints) {
    const events = tenant.can(emittedEvent) ? endpoint.events.length * rounds : rounds;
    const { records } = await attemptsAt(t, endpoint, (all) => eventsOf(all) >= events);
    own.push(...records.map(attemptOf));
    if (records.length === 0) throw new Blocked("no attempt was in the feed in time", "see WHL-08 first", "server");
  }
  if (untilDead && tenant.manualClock) {
    const { id } = endpoints[1];
    for (const seconds of growingSteps) {
      const { records } = await readFeed(t, owner, { query: { endpoint_id: id } });
      if (records.some(({ outcome }) => outcome === "dead")) break;
      await tenant.advance(seconds, "retries");
    }
  }
  const base = tenant.fresh ? {} : { since: Math.min(...own.map(({ at }) => at)) - 2 * margin };
  const read = async (): Promise<readonly Attempt[]> => {
    const { records } = await readFeed(t, owner, { query: queryOf(base) });
    return onceEach(records.map(attemptOf));
  };
  return { owner, endpoints, atRest: tenant.manualClock, base, read };
}

const eventsOf = (records: readonly AttemptRecord[]): number => new Set(records.map(({ event_id }) => event_id)).size;
