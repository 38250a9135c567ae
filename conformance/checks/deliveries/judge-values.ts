import { constants } from "../../../generated/constants.ts";
import { eventTypes } from "../../../generated/events.ts";
import type { RuleId } from "../../../generated/rules.ts";
import { components } from "../../../generated/schemas.ts";
import type { CheckContext } from "../../context/context.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { answerViolations } from "../../monitor/answer-violations.ts";
import { type AttemptRecord, recordsOf } from "../../steps/feed.ts";
import { ofRecord, wrongRecords } from "../../steps/missing-attempts.ts";
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

/** Rules on the members of every record, whatever its attempt met. */
export const valueRules = ["WHL-02", "WHL-03", "WHL-04", "WHL-05", "WHL-16", "WHL-17"] as const;

/**
 * Decides whether records have the documented form, documented values where the document names them, and an error where
 * nobody answered.
 */
export function judgeValues(t: CheckContext, records: readonly AttemptRecord[], exchanges: readonly Exchange[]): void {
  if (records.length === 0) return;
  const wrong = exchanges.flatMap(answerViolations).filter(({ pointer }) => pointer.startsWith("/data"));
  const departures = wrong.slice(0, 3).map(({ pointer, message }) => `${pointer} ${message}`);
  t.equal("WHL-02", "departures from the documented shape", departures, [], ...exchanges.slice(0, 1));
  judgeErrors(t, records, exchanges);
  for (const { rule, name, expected, holds } of members) {
    const bad = records.find((record) => !holds(record[name]));
    const actual = bad === undefined ? "that" : (JSON.stringify(bad[name]) ?? "none");
    t.verify(rule, bad === undefined, { expected, actual, exchanges });
  }
}

/** Decides of records of both kinds, answered attempts and others, whether `error` tells which they are. */
function judgeErrors(t: CheckContext, records: readonly AttemptRecord[], exchanges: readonly Exchange[]): void {
  const isAnswered = ({ response_status: status }: AttemptRecord): boolean => Number(status) > 0;
  for (const [rule, all, holds, expected] of [
    ["WHL-16", records.filter(isAnswered), (error: unknown) => error === null, "error null where a status came"],
    [
      "WHL-17",
      records.filter((record) => !isAnswered(record)),
      (error: unknown) => typeof error === "string",
      "error, a text, where no status came",
    ],
  ] as const) {
    if (all.length === 0) continue;
    const wrong = all.filter(({ error }) => !holds(error));
    const [bad] = wrong;
    if (bad === undefined) {
      t.verify(rule, true, { expected, actual: "that", exchanges: exchanges.slice(0, 1) });
      continue;
    }
    const indexOn = (page: Exchange): number => recordsOf(page).findIndex(({ id }) => id === bad.id);
    const pages = exchanges.filter((page) => indexOn(page) >= 0).slice(0, 1);
    const { text, isApart } = wrongRecords(all, ({ error }) => !holds(error));
    t.verify(rule, false, {
      expected,
      actual: `${JSON.stringify(bad.error) ?? "none"} of attempt ${bad.attempt}, ${bad.id}${all.length === 1 ? "" : `; so of ${text}`}`,
      isNarrowed: isApart,
      exchanges: pages.length > 0 ? pages : exchanges.slice(0, 1),
      at: pages.map((page) => ofRecord(page, indexOn(page), "error", expected)),
    });
  }
}
