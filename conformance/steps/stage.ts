import type { Need } from "../arrangements/all.ts";
import { forcedAnswers } from "../arrangements/forced-answers.ts";
import type { CheckContext, Evidence, Shown } from "../context/context.ts";
import { respond } from "../exchange/answer.ts";
import type { Credential } from "../provision/tenant.ts";
import { eventIdOf } from "./deliver-one.ts";
import { createEndpoint, type Endpoint } from "./endpoint.ts";
import type { AttemptRecord } from "./feed.ts";
import { attemptsAt } from "./settle.ts";

/** Attempts at an endpoint as they were seen. */
export interface SeenAttempts {
  /** Of what event each is, oldest first. */
  readonly eventIds: readonly string[];
  /** Of these, those whose first attempt was seen: where that is another one's, the event is no retry of it. */
  readonly begun: ReadonlySet<string>;
  /** What shows them. */
  readonly shown: readonly Shown[];
}

/** An endpoint whose attempts meet what the kit chose, and a way to see them. */
export interface Stage {
  readonly endpoint: Endpoint;
  attempts(): Promise<SeenAttempts>;
}

/** A way to have stages, and what it wants of a target. */
export interface Staging {
  readonly name: string;
  readonly sight: string;
  readonly need: Need;
  /** Attempts meet these statuses in turn, the last one for good. */
  open(t: CheckContext, as: Credential, statuses: readonly [number, ...number[]]): Promise<Stage>;
}

/** Attempts that the sandbox answers, as the feed records them. */
export const onRecord: Staging = {
  name: "on-record",
  sight: "the feed",
  need: "forced-answers",
  async open(t, as, statuses) {
    const endpoint = await createEndpoint(t, as);
    const answers = statuses.map((status) => ({ status }));
    await as.tenant.arrange(forcedAnswers, { endpoint_id: endpoint.id, answers, repeat_last: true });
    return {
      endpoint,
      async attempts() {
        const { records, pages } = await attemptsAt(t, endpoint, 0);
        const ids = (some: readonly AttemptRecord[]) => some.map(({ event_id }) => lowered(String(event_id)));
        const begun = new Set(ids(records.filter(({ attempt }) => attempt === 1)));
        return { eventIds: ids(records).toReversed(), begun, shown: pages };
      },
    };
  },
};

/** Attempts that reach the kit's receiver. */
export const received: Staging = {
  name: "received",
  sight: "the kit's receiver",
  need: "receiver",
  async open(t, as, [first, ...others]) {
    const inbox = t.inbox();
    const endpoint = await createEndpoint(t, as, { inbox });
    inbox.answer(respond(first), ...others.map((status) => respond(status)));
    return {
      endpoint,
      async attempts() {
        const deliveries = inbox.deliveries();
        return { eventIds: deliveries.map((one) => lowered(eventIdOf(one))), begun: new Set(), shown: deliveries };
      },
    };
  },
};

/** A UUID may be written in either case (RFC 9562, 4). */
export const lowered = (id: string): string => id.toLowerCase();

/** Exchanges and deliveries as evidence wants them. */
export const shownBy = (shown: readonly Shown[]): Pick<Evidence, "exchanges" | "deliveries"> => ({
  exchanges: shown.filter((one) => "outcome" in one),
  deliveries: shown.filter((one) => "receivedAt" in one),
});
