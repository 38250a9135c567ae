import { constants } from "../../generated/constants.ts";
import { bounds } from "../../generated/limits.ts";
import type { Need } from "../arrangements/all.ts";
import type { CheckContext } from "../context/context.ts";
import { headerValues } from "../exchange/delivery.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Credential } from "../provision/tenant.ts";
import { answeredEndpoint } from "./answered-endpoint.ts";
import { eventIdOf } from "./deliver-one.ts";
import { createEndpoint, type Endpoint, type EndpointWish } from "./endpoint.ts";
import { readFeed } from "./feed.ts";
import { eventually, isSameId, settle } from "./settle.ts";

/** An event as far as it shows at an endpoint. */
export interface Heard {
  readonly id: string;
  readonly type: string;
}

/** An endpoint and a way to see what it was sent. */
export interface Witnessed {
  readonly endpoint: Endpoint;
  /** Events that were sent to it, or tried to be, so far; each once. */
  heard(): Promise<readonly Heard[]>;
}

/** A way to see what endpoints are sent, and what it wants of a target. */
export interface Witness {
  readonly name: "receiver" | "feed";
  /** What shows it, for titles. */
  readonly sight: string;
  readonly needs: readonly Need[];
  /** Creates an endpoint that is watched. */
  watched(t: CheckContext, as: Credential, wish?: Pick<EndpointWish, "events">): Promise<Witnessed>;
}

/** By deliveries that arrive. */
export const byReceiver: Witness = {
  name: "receiver",
  sight: "the kit's receiver",
  needs: ["receiver"],
  async watched(t, as, wish) {
    const inbox = t.inbox();
    const endpoint = await createEndpoint(t, as, { ...wish, inbox });
    const heard = async () =>
      onceEach(
        inbox
          .deliveries()
          .map((one) => ({ id: eventIdOf(one), type: headerValues(one, constants.eventTypeHeader).join(", ") })),
      );
    return { endpoint, heard };
  },
};

/** By attempts that the server records, which need no receiver. */
export const byFeed: Witness = {
  name: "feed",
  sight: "the feed",
  needs: [],
  async watched(t, as, wish) {
    const endpoint = await answeredEndpoint(t, as, wish);
    const heard = async () => {
      // Unfiltered, since whether the filters work is another matter.
      const { records } = await readFeed(t, as, { query: { limit: String(bounds.deliveryPageMax) } });
      const mine = records.filter(({ endpoint_id }) => isSameId(endpoint_id, endpoint.id));
      return onceEach(mine.map(({ event_id, event_type }) => ({ id: String(event_id), type: String(event_type) })));
    };
    return { endpoint, heard };
  },
};

/** Waits until an endpoint has heard enough; blocks when it does not. */
export async function heardOf(
  t: CheckContext,
  { endpoint, heard }: Witnessed,
  isEnough: (heard: readonly Heard[]) => boolean,
): Promise<void> {
  const { tenant } = endpoint.owner;
  const found = await eventually(t, tenant, async () => (isEnough(await heard()) ? true : null));
  if (found === null) {
    const what = "an endpoint was not sent the events that it subscribed to in time";
    throw new Blocked(what, "see WHE-08 and WHL-08 first", "server");
  }
  await settle(tenant);
}

const onceEach = (all: readonly Heard[]): readonly Heard[] => [...new Map(all.map((one) => [one.id, one])).values()];
