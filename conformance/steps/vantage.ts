import { constants } from "../../generated/constants.ts";
import { bounds } from "../../generated/limits.ts";
import type { ForcedAnswer } from "../../generated/models/sandbox-webhooks.ts";
import type { RuleId } from "../../generated/rules.ts";
import type { Need } from "../arrangements/all.ts";
import { forcedAnswers } from "../arrangements/forced-answers.ts";
import type { Check } from "../context/check.ts";
import type { CheckContext, Evidence, Shown } from "../context/context.ts";
import { type Answer, reset, respond } from "../exchange/answer.ts";
import { type Delivery, headerValues } from "../exchange/delivery.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Credential } from "../provision/tenant.ts";
import type { Inbox } from "../receiver/inbox.ts";
import { answeredEndpoint } from "./answered-endpoint.ts";
import { eventIdOf } from "./deliver-one.ts";
import { createEndpoint, type Endpoint, type EndpointWish } from "./endpoint.ts";
import { readFeed } from "./feed.ts";
import { eventually, isSameId, settle } from "./settle.ts";

/** What an attempt meets: a status, or null where nobody answers. */
export type Met = number | null;

/** An attempt to deliver an event, as far as it was seen. */
export interface SeenAttempt {
  /** In lower case: a UUID may be written in either (RFC 9562, 4). */
  readonly eventId: string;
  readonly eventType: string;
  /** As the feed counts the attempts of an event; null where the receiver saw it, since deliveries bear no number. */
  readonly number: number | null;
}

/** Attempts at an endpoint so far, oldest first, and what shows them. */
export interface SeenAttempts {
  readonly attempts: readonly SeenAttempt[];
  readonly shown: readonly Shown[];
}

/** An endpoint whose attempts can be seen. */
export interface WatchedEndpoint {
  readonly endpoint: Endpoint;
  /** Where the kit's receiver answers attempts; null where it does not see them. */
  readonly inbox: Inbox | null;
  /** From now on attempts meet these, one after the other, the last one for good. By the feed: where the kit can choose. */
  meet(...answers: readonly [Met, ...Met[]]): Promise<void>;
  seen(): Promise<SeenAttempts>;
}

/** By which means attempts are made to meet an answer, and are seen. */
export interface Vantage {
  readonly name: "receiver" | "sandbox" | "feed";
  /** What shows the attempts, such as "as the feed shows". */
  readonly sight: string;
  readonly needs: readonly Need[];
  /** Creates an endpoint that is watched. Its attempts succeed until they are made to meet something else. */
  watch(t: CheckContext, as: Credential, wish?: Pick<EndpointWish, "events">): Promise<WatchedEndpoint>;
}

/** The kit's receiver answers attempts and sees those that arrive. */
export const byReceiver: Vantage = {
  name: "receiver",
  sight: "as the kit's receiver sees",
  needs: ["receiver"],
  async watch(t, as, wish) {
    const inbox = t.inbox();
    const endpoint = await createEndpoint(t, as, { ...wish, inbox });
    return {
      endpoint,
      inbox,
      async meet(first, ...others) {
        inbox.answer(answerOf(first), ...others.map(answerOf));
      },
      async seen() {
        const deliveries = inbox.deliveries();
        return { attempts: deliveries.map(attemptIn), shown: deliveries };
      },
    };
  },
};

/** The sandbox answers attempts, of which none is sent, and the feed shows them. */
export const bySandbox: Vantage = {
  name: "sandbox",
  sight: "as the feed shows of answers by the sandbox",
  needs: ["forced-answers"],
  watch: async (t, as, wish) => watchedInFeed(t, await createEndpoint(t, as, wish)),
};

/** The feed shows attempts, whatever answers them, which needs neither receiver nor sandbox. */
export const byFeed: Vantage = {
  name: "feed",
  sight: "as the feed shows",
  needs: [],
  watch: async (t, as, wish) => watchedInFeed(t, await answeredEndpoint(t, as, wish)),
};

/**
 * One check for each vantage, whose name stands behind its id, and which adds to its title and needs. What one of them
 * cannot decide, for want of its means, another one may.
 */
export const forEachVantage = <Rule extends RuleId>(
  vantages: readonly Vantage[],
  make: (vantage: Vantage) => Check<Rule>,
): readonly Check<Rule>[] =>
  vantages.map((vantage) => {
    const check = make(vantage);
    return {
      ...check,
      id: `${check.id}.${vantage.name}`,
      title: `${check.title}, ${vantage.sight}`,
      needs: [...check.needs, ...vantage.needs],
    };
  });

function watchedInFeed(t: CheckContext, endpoint: Endpoint): WatchedEndpoint {
  const { id, owner } = endpoint;
  return {
    endpoint,
    inbox: null,
    async meet(...answers) {
      if (!owner.tenant.can(forcedAnswers)) return;
      const forced = answers.map((status): ForcedAnswer => (status === null ? { no_answer: "timeout" } : { status }));
      await owner.tenant.arrange(forcedAnswers, { endpoint_id: id, answers: forced, repeat_last: true });
    },
    async seen() {
      // Unfiltered, since whether filters work, and find what a deleted endpoint was sent, is another matter.
      const { records, pages } = await readFeed(t, owner, { query: { limit: String(bounds.deliveryPageMax) } });
      const attempts = records
        .filter(({ endpoint_id }) => isSameId(endpoint_id, id))
        .map(({ event_id, event_type, attempt }) => ({
          eventId: String(event_id).toLowerCase(),
          eventType: String(event_type),
          number: typeof attempt === "number" ? attempt : null,
        }));
      return { attempts: attempts.toReversed(), shown: pages };
    },
  };
}

const answerOf = (status: Met): Answer => (status === null ? reset : respond(status));

const attemptIn = (delivery: Delivery): SeenAttempt => ({
  eventId: eventIdOf(delivery).toLowerCase(),
  eventType: headerValues(delivery, constants.eventTypeHeader).join(", "),
  number: null,
});

/** An event of which attempts were seen. */
export type SeenEvent = Pick<SeenAttempt, "eventId" | "eventType">;

/** The events of which attempts were seen so far, each once. */
export async function seenEvents({ seen }: Pick<WatchedEndpoint, "seen">): Promise<readonly SeenEvent[]> {
  const { attempts } = await seen();
  return [...new Map(attempts.map((one) => [one.eventId, one])).values()];
}

/** Waits until enough events were tried at an endpoint; blocks when they are not. */
export async function untilSeen(
  t: CheckContext,
  watched: WatchedEndpoint,
  isEnough: (events: readonly SeenEvent[]) => boolean,
): Promise<void> {
  const { tenant } = watched.endpoint.owner;
  const found = await eventually(t, tenant, async () => (isEnough(await seenEvents(watched)) ? true : null));
  if (found === null) {
    const what = "an endpoint was not sent the events that it subscribed to in time";
    throw new Blocked(what, "see WHE-08 and WHL-08 first", "server");
  }
  await settle(tenant);
}

/** Exchanges and deliveries as evidence wants them. */
export const shownBy = (shown: readonly Shown[]): Pick<Evidence, "exchanges" | "deliveries"> => ({
  exchanges: shown.filter((one) => "outcome" in one),
  deliveries: shown.filter((one) => "receivedAt" in one),
});
