import { refuse } from "../../../generated/error-rows.ts";
import { eventType, eventTypes } from "../../../generated/events.ts";
import { bounds } from "../../../generated/limits.ts";
import { operations } from "../../../generated/operations.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { Mutant } from "../edit.ts";
import { paging } from "../feed-pages.ts";
import { withRecords } from "../feed-records.ts";
import { isRefusal, onAnswer, onRequest, parsed, refusedWith, type WireRequest } from "../wire.ts";
import { queryOf, withQuery } from "../wire-requests.ts";
import { wireMutant } from "./mutant.ts";

const { id: list } = operations.listDeliveryAttempts;

const valueIn = (request: WireRequest, name: string): string | undefined => queryOf(request).get(name) ?? undefined;

/** A mutant that reads a filter's value as another one; undefined for not sent. */
const reading = (
  breaks: RuleId,
  name: string,
  does: string,
  filter: string,
  change: (value: string) => string | undefined,
): Mutant =>
  wireMutant(
    breaks,
    name,
    does,
    onRequest(list, (request) => {
      const value = valueIn(request, filter);
      return value === undefined ? request : withQuery(request, { [filter]: change(value) });
    }),
  );

/** A mutant that takes values of which the condition holds as not sent. */
const overlooking = (
  breaks: RuleId,
  name: string,
  does: string,
  filter: string,
  isBad: (value: string) => boolean,
): Mutant => reading(breaks, name, does, filter, (value) => (isBad(value) ? undefined : value));

/** A mutant that finds nothing where it should refuse such values of filters. */
const findingNothing = (
  breaks: RuleId,
  name: string,
  does: string,
  bad: readonly string[],
  isBad: (values: readonly string[]) => boolean = () => true,
): Mutant =>
  wireMutant(breaks, name, does, (serve) => async (request) => {
    const answer = await serve(request);
    const values = bad.map((filter) => valueIn(request, filter));
    const isFound = request.operation !== list || !isRefusal(answer, "ValidationFailed");
    if (isFound || values.some((value) => value === undefined) || !isBad(values.map(String))) return answer;
    const without = withQuery(request, Object.fromEntries(bad.map((filter) => [filter, undefined])));
    return withRecords(await serve(without), []);
  });

/** A mutant that refuses what it should serve. */
const refusing = (
  breaks: RuleId,
  name: string,
  does: string,
  filter: string,
  isRefused: (value: string, request: WireRequest) => boolean,
): Mutant =>
  wireMutant(
    breaks,
    name,
    does,
    onAnswer(list, (answer, request) => {
      const value = valueIn(request, filter);
      return answer.status < 300 && value !== undefined && isRefused(value, request)
        ? refusedWith(answer, refuse.ValidationFailed("The request has invalid fields.", { [filter]: "is not valid" }))
        : answer;
    }),
  );

/** A mutant that refuses bad values of a filter in another way. */
const refusedAs = (
  breaks: RuleId,
  name: string,
  does: string,
  bad: string,
  refusal: Parameters<typeof refusedWith>[1],
): Mutant =>
  wireMutant(
    breaks,
    name,
    does,
    onAnswer(list, (answer, request) =>
      isRefusal(answer, "ValidationFailed") && valueIn(request, bad) !== undefined
        ? refusedWith(answer, refusal)
        : answer,
    ),
  );

/** A mutant that explains a refusal of fields in other details. */
const detailing = (
  name: string,
  does: string,
  change: (details: Readonly<Record<string, string>>) => Readonly<Record<string, string>>,
): Mutant =>
  wireMutant(
    "WHL-46",
    name,
    does,
    onAnswer(list, (answer) =>
      isRefusal(answer, "ValidationFailed")
        ? refusedWith(
            answer,
            refuse.ValidationFailed(
              "The request has invalid fields.",
              change(Object(parsed(answer.bytes)).error.details),
            ),
          )
        : answer,
    ),
  );

const isUuidLike = (text: string): boolean => /^[0-9a-f-]{36}$/i.test(text);
const isNoDate = (text: string): boolean => Number.isNaN(Date.parse(text));
const families = eventTypes.map((type) => type.split(".")[0] ?? "");
const noSuchVerb = /^(campaign|brand)[.](updated|expired)$/;
const crossed = ["http_status_min", "http_status_max"];

/** Servers that take filters that are none, or refuse some that are. */
export const badFilterMutants: readonly Mutant[] = [
  findingNothing(
    "WHL-31",
    "blanks",
    "finds nothing of a type that consists of blanks",
    ["event_type"],
    ([type = ""]) => type !== "" && type.trim() === "",
  ),
  findingNothing("WHL-31", "long", "finds nothing of a long type", ["event_type"], ([type = ""]) => type.length > 500),
  findingNothing("WHL-28", "empty", "finds nothing at an endpoint whose id is none", ["endpoint_id"]),
  overlooking("WHL-28", "ignored", "takes an id that is none as not sent", "endpoint_id", (id) => !isUuidLike(id)),
  findingNothing(
    "WHL-28",
    "any-letter",
    "finds nothing at an id with letters that no hex number has",
    ["endpoint_id"],
    ([id = ""]) => /^[0-9a-z]{8}(-[0-9a-z]{4}){3}-[0-9a-z]{12}$/.test(id),
  ),
  refusedAs(
    "WHL-28",
    "not-found",
    "looks an id up that is none",
    "endpoint_id",
    refuse.NotFound("There is no such webhook endpoint."),
  ),
  refusing(
    "WHL-30",
    "three-parts",
    "knows types of two parts only",
    "event_type",
    (type) => type.split(".").length === 3,
  ),
  ...eventTypes.map((type) =>
    refusing("WHL-30", type.replaceAll(/\W/g, "-"), `does not know ${type}`, "event_type", (asked) => asked === type),
  ),
  refusing(
    "EVT-01",
    "less",
    "does not know a type of the catalog",
    "event_type",
    (type) => type === eventType.consentPendingExpired,
  ),
  reading("EVT-01", "any-case", "takes types in any case", "event_type", (type) => type.toLowerCase()),
  reading(
    "EVT-01",
    "underscores",
    "takes types with underscores for dots",
    "event_type",
    (type) => eventTypes.find((known) => known.replaceAll(".", "_") === type.replaceAll(".", "_")) ?? type,
  ),
  reading(
    "EVT-01",
    "first-of-list",
    "reads a list of types and takes the first",
    "event_type",
    (type) => type.split(",")[0],
  ),
  findingNothing("WHL-31", "empty", "finds nothing of a type that is none", ["event_type"]),
  wireMutant("WHL-31", "family", "takes the first part of a type for all of them", (serve) => {
    const family = (request: WireRequest): string | undefined =>
      families.find((each) => each === valueIn(request, "event_type"));
    const whole = onRequest(list, (request) =>
      family(request) ? withQuery(request, { event_type: undefined }) : request,
    );
    return paging({
      records: (own, request) => own.filter(({ event_type: type }) => type.startsWith(family(request) ?? "")),
    })(whole(serve));
  }),
  overlooking(
    "WHL-31",
    "other-verb",
    "finds nothing of what never happens to a subject that it knows",
    "event_type",
    (type) => noSuchVerb.test(type),
  ),
  reading("WHL-31", "trimmed", "takes a type with spaces around", "event_type", (type) => type.trim()),
  overlooking("WHL-31", "blank", "takes an empty type as not sent", "event_type", (type) => type === ""),
  refusedAs(
    "WHL-31",
    "not-400",
    "refuses a type that is none with the other form",
    "event_type",
    refuse.ValidationFailed400("The type is none.", { event_type: "is not known" }),
  ),
  findingNothing("WHL-33", "empty", "finds nothing of an outcome that is none", ["outcome"]),
  reading("WHL-33", "any-case", "takes outcomes in any case", "outcome", (outcome) => outcome.toLowerCase()),
  reading(
    "WHL-33",
    "first-letter",
    "knows an outcome by its first letter",
    "outcome",
    (outcome) => ["success", "retry", "dead"].find((known) => known[0] === outcome[0]) ?? outcome,
  ),
  reading("WHL-33", "trimmed", "takes an outcome with spaces around", "outcome", (outcome) => outcome.trim()),
  reading("WHL-33", "failure", "knows another word for one", "outcome", (outcome) =>
    outcome === "failure" ? "dead" : outcome,
  ),
  overlooking("WHL-36", "since", "takes a beginning that is no date as not sent", "since", isNoDate),
  overlooking("WHL-36", "until", "takes an end that is no date as not sent", "until", isNoDate),
  reading("WHL-36", "rolled", "takes the thirtieth of February for a day in March", "since", (since) =>
    since.replace("02-30", "03-02"),
  ),
  overlooking("WHL-36", "minutes", "takes an instant in a minute that no hour has as not sent", "until", (until) =>
    /T\d\d:[6-9]/.test(until),
  ),
  refusedAs("WHL-36", "fails", "fails on dates that it never checked", "since", refuse.InternalError("It failed.")),
  refusing(
    "WHL-39",
    "least",
    "refuses the least bound itself",
    "http_status_min",
    (least) => Number(least) === bounds.httpStatusMin,
  ),
  refusing(
    "WHL-39",
    "greatest",
    "refuses the greatest bound itself",
    "http_status_max",
    (most) => Number(most) === bounds.httpStatusMax,
  ),
  overlooking("WHL-40", "zero", "takes zero as no bound", "http_status_min", (least) => Number(least) === 0),
  reading("WHL-40", "beginning", "reads a number as far as it goes", "http_status_min", (least) =>
    String(Number.parseInt(least, 10)),
  ),
  reading("WHL-40", "octal", "reads a number with a leading zero as an octal one", "http_status_min", (least) =>
    /^0\d+$/.test(least) ? String(Number.parseInt(least, 8)) : least,
  ),
  overlooking(
    "WHL-40",
    "unbounded",
    "takes any number as a greatest status",
    "http_status_max",
    (most) => /^-?\d+$/.test(most) && (Number(most) < bounds.httpStatusMin || Number(most) > bounds.httpStatusMax),
  ),
  reading("WHL-40", "fractions", "rounds a bound", "http_status_min", (least) =>
    /^\d+[.]\d+$/.test(least) ? String(Math.floor(Number(least))) : least,
  ),
  findingNothing("WHL-41", "empty", "finds nothing between crossed bounds", crossed),
  refusedAs(
    "WHL-41",
    "form-400",
    "refuses crossed bounds with the other form",
    "http_status_min",
    refuse.ValidationFailed400("The request has invalid fields.", { http_status_min: "is too great" }),
  ),
  findingNothing(
    "WHL-41",
    "by-class",
    "refuses bounds whose classes are crossed only",
    crossed,
    ([least, most]) => Math.floor(Number(least) / 100) <= Math.floor(Number(most) / 100),
  ),
  refusing(
    "WHL-42",
    "refused",
    "wants more than one status between the bounds",
    "http_status_min",
    (least, request) => Number(least) === Number(valueIn(request, "http_status_max")),
  ),
  detailing("query", "blames the query as a whole", (details) => ({ query: Object.values(details).join("; ") })),
  detailing("range", "blames no bound where two are crossed", (details) =>
    crossed.every((name) => name in details) ? { range: "is empty" } : details,
  ),
];
