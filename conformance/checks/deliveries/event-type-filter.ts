import { eventTypes } from "../../../generated/events.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, isSuccess } from "../../exchange/exchange.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { list, readPage } from "../../steps/feed.ts";
import { misspeltTypes, plausibleTypes } from "../../steps/near-types.ts";
import { namesFilter } from "./names-filter.ts";

/** Reads at a time: nobody should wait long for a distant target. */
const atOnce = 8;

/** The catalog of events, as the filter of the feed shows it. */
export const eventTypeFilter = check({
  id: "deliveries.event-type-filter",
  title: "The feed is filtered by every documented type of event and by nothing that merely looks like one",
  rules: ["EVT-01", "WHL-30", "WHL-31", "WHL-46"],
  kind: "scenario",
  needs: ["key"],
  effects: ["reads"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant()).main();
    await readPage(t, main);
    for (const event_type of eventTypes) {
      const exchange = await list(t, main, { event_type });
      for (const rule of ["EVT-01", "WHL-30"] as const) t.accepted(rule, exchange);
    }
    // A filter that was sent and is empty is a value too, and no documented one.
    const others = [...misspeltTypes, ...plausibleTypes, "", "   ", `${eventTypes[0]}${".x".repeat(400)}`];
    for (let start = 0; start < others.length; start += atOnce) {
      const some = others.slice(start, start + atOnce);
      const answers = await Promise.all(some.map((event_type) => refusal(t, main, event_type)));
      for (const exchange of answers) {
        for (const rule of ["EVT-01", "WHL-31"] as const) t.refused(rule, exchange, "ValidationFailed");
        namesFilter(t, exchange, ["event_type"]);
      }
    }
  },
});

/** The answer to a type that is none; asked for once more by itself where it is neither a success nor as expected. */
async function refusal(t: CheckContext, as: Credential, event_type: string): Promise<Exchange> {
  const exchange = await list(t, as, { event_type });
  return isSuccess(exchange) || answeredBy(exchange, "ValidationFailed") ? exchange : list(t, as, { event_type });
}
