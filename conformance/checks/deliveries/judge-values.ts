import { constants } from "../../../generated/constants.ts";
import { eventTypes } from "../../../generated/events.ts";
import type { RuleId } from "../../../generated/rules.ts";
import { components } from "../../../generated/schemas.ts";
import type { CheckContext } from "../../context/context.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import type { AttemptRecord } from "../../steps/feed.ts";
import { outcomes } from "../../steps/outcomes.ts";

const eventId = new RegExp(String(components.EventId?.pattern), "u");

const isOne = (values: readonly string[], value: unknown): boolean => values.some((known) => known === value);

/** What a member is, and the rule that says so. */
interface Member {
  readonly rule: RuleId;
  readonly name: string;
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
}

const members: readonly Member[] = [
  {
    ...{ rule: "WHL-03", name: "outcome", expected: `outcome, one of ${outcomes.join(", ")}` },
    holds: (value) => isOne(outcomes, value),
  },
  {
    ...{ rule: "WHL-04", name: "event_type", expected: "event_type, a documented type of event" },
    holds: (value) => isOne(eventTypes, value),
  },
  {
    ...{ rule: "WHL-05", name: "event_id", expected: `event_id, ${constants.eventIdPrefix} and a UUID` },
    holds: (value) => typeof value === "string" && eventId.test(value),
  },
];

/** Decides whether records have documented values where the document names them, whatever their attempts met. */
export function judgeValues(t: CheckContext, records: readonly AttemptRecord[], exchanges: readonly Exchange[]): void {
  if (records.length === 0) return;
  for (const { rule, name, expected, holds } of members) {
    const bad = records.find((record) => !holds(record[name]));
    const actual = bad === undefined ? "that" : (JSON.stringify(bad[name]) ?? "none");
    t.verify(rule, bad === undefined, { expected, actual, exchanges });
  }
}
