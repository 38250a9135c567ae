import { bounds } from "../../../generated/limits.ts";
import { emittedEvent } from "../../arrangements/emitted-event.ts";
import { check } from "../../context/check.ts";
import { answeredEndpoint } from "../../steps/answered-endpoint.ts";
import { bodyLike, callCreate, type Endpoint, endpointIn } from "../../steps/endpoint.ts";
import { type AttemptRecord, readFeed } from "../../steps/feed.ts";
import { eventually, isSameId } from "../../steps/settle.ts";

const { activeWebhookEndpoints: most } = bounds;

/** As many endpoints as there may be, all of which hear of one event. */
export const everyEndpoint = check({
  id: "webhooks.every-endpoint",
  title: `An event reaches all of ${most} endpoints that subscribe to its type`,
  rules: ["WHE-14"],
  kind: "scenario",
  needs: ["fresh-organization", "emit"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const all: Endpoint[] = [await answeredEndpoint(t, main)];
    const [first] = all;
    while (first !== undefined && all.length < most) {
      const body = bodyLike(first);
      all.push(endpointIn(t, t.control(await callCreate(t, main, body), "creating an endpoint"), body, main));
    }
    const [type] = first?.events ?? [];
    if (type === undefined) throw new Error("An endpoint subscribes to something.");
    const feed = () => readFeed(t, main, { query: { limit: String(bounds.deliveryPageMax) } });
    // What a server sends new endpoints by itself is none of it.
    const greetings = (await feed()).records.map(({ event_id }) => event_id);
    const isIt = ({ event_type, event_id }: AttemptRecord): boolean =>
      event_type === type && !greetings.includes(event_id);
    await tenant.arrange(emittedEvent, { type });
    const unreached = (records: readonly AttemptRecord[]): readonly Endpoint[] =>
      all.filter(({ id }) => !records.some((record) => isIt(record) && isSameId(record.endpoint_id, id)));
    let last = await feed();
    /** Waits until more are reached than were; whether they are. */
    const moreAreReached = async (): Promise<boolean> => {
      const before = unreached(last.records).length;
      const more = await eventually(t, tenant, async () => {
        last = await feed();
        return unreached(last.records).length < before ? true : null;
      });
      return more === true;
    };
    // So many take a server longer than one does: it is waited for as long as more of them are reached.
    while (unreached(last.records).length > 0 && (await moreAreReached()));
    const silent = unreached(last.records);
    t.verify("WHE-14", silent.length === 0, {
      expected: `an attempt of ${type} at each of ${most} endpoints`,
      actual: silent.length === 0 ? "that" : `none at ${silent.length} of them within ${t.timing.pollTimeout / 1000} s`,
      isSilence: true,
      exchanges: [...silent.slice(0, 1).map(({ exchange }) => exchange), ...last.pages.slice(0, 1)],
    });
  },
});
