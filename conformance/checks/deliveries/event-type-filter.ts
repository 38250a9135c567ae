import { eventTypes } from "../../../generated/events.ts";
import { rowNamed, rowText } from "../../check/admits.ts";
import type { Check } from "../../check/check.ts";
import { summaryOf } from "../../exchange/exchange.ts";
import { answeredBy } from "../authentication/answered-by.ts";
import { list, readPage } from "./feed.ts";
import { namesFilter } from "./names-filter.ts";

/** Ways to get a type of event slightly wrong. */
const slips: readonly ((type: string) => string)[] = [
  (type) => type.slice(0, -1),
  (type) => `${type.slice(0, 1).toUpperCase()}${type.slice(1)}`,
  (type) => type.replace(/(.)(.)$/, "$2$1"),
  (type) => type.slice(0, type.indexOf(".")),
  (type) => type.toUpperCase(),
  (type) => type.replace(".", "_"),
  (type) => `${type}s`,
];

/** Two slips of every type, so that all of them are made. */
const neighbours: readonly string[] = eventTypes
  .flatMap((type, index) => [index, index + 1].map((at) => slips[at % slips.length]?.(type) ?? ""))
  .filter((text) => text !== "" && !eventTypes.some((type) => type === text));

/** The catalog of events, as the filter of the feed shows it. */
export const eventTypeFilter: Check = {
  id: "deliveries.event-type-filter",
  title: "The feed is filtered by every documented type of event and by nothing that merely looks like one",
  rules: ["EVT-01", "WHL-30", "WHL-31", "WHL-46"],
  kind: "scenario",
  needs: ["key"],
  effects: ["reads"],
  draws: 0,
  async run(t) {
    const main = await (await t.tenant()).main();
    await readPage(t, main);
    for (const event_type of eventTypes) {
      const exchange = await list(t, main, { event_type });
      for (const rule of ["EVT-01", "WHL-30"] as const) t.accepted(rule, exchange);
    }
    for (const event_type of new Set(neighbours)) {
      const exchange = await list(t, main, { event_type });
      for (const rule of ["EVT-01", "WHL-31"] as const) t.refused(rule, exchange, "ValidationFailed");
      namesFilter(t, exchange, ["event_type"]);
    }
    const empty = await list(t, main, { event_type: "" });
    t.verify("WHL-31", answeredBy(empty, "ValidationFailed"), {
      expected: `${rowText(rowNamed("ValidationFailed"))} for an empty event_type`,
      actual: summaryOf(empty),
      exchanges: [empty],
      // Many servers take an empty parameter for one that is not there.
      warnOnly: true,
    });
  },
};
