import { eventType } from "../../../generated/events.ts";
import type { Change, Mutant } from "../edit.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const list = "routes/deliveries.ts";
const feed = "domain/delivery-feed.ts";
const groups = "store/attempt-groups.ts";
const rows = "http/service-rows.ts";

const faults = "const faults = emptyRanges(query, choices);";
const ofEndpoint = "const owned = endpointId === undefined ? ofOrganization : ofEndpoint;";
const types = "const types = eventType === undefined ? eventTypes : [eventType];";
const wanted = "const wanted = filters.outcome === undefined ? outcomes : [filters.outcome];";
const least = "min: statusMin ?? noStatus + 1,";
const most = "max: statusMax ?? greatestStatus,";
const since = "since: query.since === undefined ? undefined : millisecondFrom(query.since),";
const until = "until: query.until === undefined ? undefined : millisecondUpTo(query.until),";
const page = "const { attempts, next } = feedPage(found, limit, offset);";
const fieldsRow = "fields: (details) => refuse.ValidationFailed(fieldsMessage, details),";

/** Values of the query that a statement has looked at before they are checked. */
const checking = (statement: string): Change => ({
  file: "http/validate-request.ts",
  find: "return validators.query(values);",
  replace: `${statement}\n  return validators.query(values);`,
});

/** Takes a bad filter as if it had not been sent. */
const overlooking = (name: string, isBad: string): Change =>
  checking(`const value = values.${name};\n  if (value !== undefined && (${isBad})) delete values.${name};`);

/** Takes any text as a filter. */
const unchecked = (name: string): Change => ({
  file: "http/validate-request.ts",
  find: "return validators.query(values);",
  replace: `return validators.query(values).filter(({ pointer }) => pointer !== "/${name}");`,
});

/** Refuses what the condition holds of. */
const refusing = (condition: string, field: string): Change => ({
  file: list,
  find: faults,
  replace: `const faults = ${condition} ? [{ pointer: "/${field}", says: "is not known" }] : emptyRanges(query, choices);`,
});

const noDate = "Number.isNaN(Date.parse(String(value)))";
const crossed = '      : [\n          { pointer: "/http_status_max"';

/** Servers that choose attempts, or refuse to, in a way that breaks a rule. */
export const feedFilterMutants: readonly Mutant[] = [
  mutant("WHL-27", "ignored", "shows all endpoints", groups, ofEndpoint, "const owned = ofOrganization;"),
  mutant(
    "WHL-27",
    "beginning",
    "compares all but the last digits of an endpoint's id",
    groups,
    "`${ofOrganization} and endpoint_id = ${endpointId}`",
    "`${ofOrganization} and substr(endpoint_id, 1, 30) = ${endpointId?.slice(0, 30)}`",
  ),
  mutant(
    "WHL-27",
    "any-id",
    "shows what has that id, whatever of",
    groups,
    "`${ofOrganization} and endpoint_id = ${endpointId}`",
    "`${ofOrganization} and (endpoint_id = ${endpointId} or id = ${endpointId})`",
  ),
  mutantOf("WHL-28", "empty", "finds nothing at an endpoint whose id is none", [unchecked("endpoint_id")]),
  mutantOf("WHL-28", "ignored", "takes an id that is none as not sent", [
    overlooking("endpoint_id", "!/^[0-9a-f-]{36}$/i.test(String(value))"),
  ]),
  mutantOf("WHL-28", "any-letter", "finds nothing at an id with letters that no hex number has", [
    {
      file: "http/validate-request.ts",
      find: "return validators.query(values);",
      replace:
        'const isShaped = /^[0-9a-z]{8}(-[0-9a-z]{4}){3}-[0-9a-z]{12}$/.test(String(values.endpoint_id));\n  return validators.query(values).filter(({ pointer }) => pointer !== "/endpoint_id" || !isShaped);',
    },
  ]),
  mutantOf("WHL-28", "not-found", "looks an id up that is none", [
    unchecked("endpoint_id"),
    {
      file: list,
      find: faults,
      replace: `if (query.endpoint_id !== undefined && !/^[0-9a-f-]{36}$/i.test(query.endpoint_id)) return endpointNotFound();\n      ${faults}`,
    },
  ]),
  mutant(
    "WHL-29",
    "family",
    "shows the types of the same family too",
    groups,
    types,
    'const types = eventType === undefined ? eventTypes : eventTypes.filter((each) => each.split(".")[0] === eventType.split(".")[0]);',
  ),
  mutantOf("WHL-29", "cursor", "goes on with the type that a cursor was made for", [
    {
      file: list,
      find: "const cursorKeyBytes = 32;",
      replace: "const cursorKeyBytes = 32;\nconst types = new Map<string, string>();",
    },
    {
      file: list,
      find: "const scope = feedScope(organizationId, filters);",
      replace:
        'const asked = feedFilters(query);\n      const made = types.get(query.cursor ?? "");\n      const filters = made === undefined ? asked : { ...asked, eventType: made as never };\n      const scope = feedScope(organizationId, filters);',
    },
    { file: list, find: "const filters = feedFilters(query);\n", replace: "" },
    {
      file: list,
      find: "return {\n        data: attempts.map((attempt) => wireAttempt(attempt, choices)),\n        meta: { total, limit, offset, ...nextCursor },\n      };",
      replace:
        'if ("next_cursor" in nextCursor && nextCursor.next_cursor && filters.eventType) types.set(nextCursor.next_cursor, filters.eventType);\n      return {\n        data: attempts.map((attempt) => wireAttempt(attempt, choices)),\n        meta: { total, limit, offset, ...nextCursor },\n      };',
    },
  ]),
  mutantOf("WHL-30", "three-parts", "knows types of two parts only", [
    refusing('query.event_type?.split(".").length === 3', "event_type"),
  ]),
  mutantOf("WHL-30", "new", "does not know the last type of the catalog", [
    refusing(`query.event_type === "${eventType.lookupCompleted}"`, "event_type"),
  ]),
  mutantOf("EVT-01", "less", "does not know a type of the catalog", [
    refusing(`query.event_type === "${eventType.consentPendingExpired}"`, "event_type"),
  ]),
  mutantOf("EVT-01", "any-case", "takes types in any case", [
    checking('if (typeof values.event_type === "string") values.event_type = values.event_type.toLowerCase();'),
  ]),
  mutantOf("EVT-01", "underscores", "takes types with underscores for dots", [
    checking(
      `const known = Object.values(${JSON.stringify(eventType)});\n  if (typeof values.event_type === "string") values.event_type = known.find((each) => each.replaceAll(".", "_") === String(values.event_type).replaceAll(".", "_")) ?? values.event_type;`,
    ),
  ]),
  mutantOf("WHL-31", "empty", "finds nothing of a type that is none", [unchecked("event_type")]),
  mutantOf("WHL-31", "family", "takes the first part of a type for all of them", [
    unchecked("event_type"),
    {
      file: groups,
      find: types,
      replace: types.replace("[eventType]", "eventTypes.filter((each) => each.startsWith(eventType))"),
    },
    refusing(
      `query.event_type !== undefined && !Object.values(${JSON.stringify(eventType)}).some((each) => each.startsWith(query.event_type ?? ""))`,
      "event_type",
    ),
  ]),
  mutantOf("WHL-31", "other-verb", "finds nothing of what never happens to a subject that it knows", [
    checking("if (/^(campaign|brand)[.](updated|expired)$/.test(String(values.event_type))) delete values.event_type;"),
  ]),
  mutantOf("WHL-31", "trimmed", "takes a type with spaces around", [
    checking('if (typeof values.event_type === "string") values.event_type = values.event_type.trim();'),
  ]),
  mutantOf("WHL-31", "blank", "takes an empty type as not sent", [overlooking("event_type", 'value === ""')]),
  mutantOf("EVT-01", "first-of-list", "reads a list of types and takes the first", [
    checking('if (typeof values.event_type === "string") values.event_type = values.event_type.split(",")[0];'),
  ]),
  mutantOf("WHL-31", "not-400", "refuses a type that is none with the other form", [
    {
      file: "http/validate-request.ts",
      find: "if (special === undefined) return rows.fields(fieldDetails(violations, naming));",
      replace:
        'if (query.some(({ pointer }) => pointer === "/event_type")) return new Refusal("ValidationFailed400", "The type is none.", { details: fieldDetails(violations, naming) });\n    if (special === undefined) return rows.fields(fieldDetails(violations, naming));',
    },
  ]),
  mutant("WHL-32", "ignored", "shows all outcomes", groups, wanted, "const wanted = outcomes;"),
  mutant(
    "WHL-32",
    "failures",
    "shows what is dead among what is tried again",
    groups,
    wanted,
    'const wanted = filters.outcome === undefined ? outcomes : filters.outcome === "retry" ? ["retry", "dead"] : [filters.outcome];',
  ),
  mutantOf("WHL-32", "dead", "does not know one of the outcomes", [refusing('query.outcome === "dead"', "outcome")]),
  mutantOf("WHL-33", "empty", "finds nothing of an outcome that is none", [unchecked("outcome")]),
  mutantOf("WHL-33", "any-case", "takes outcomes in any case", [
    checking('if (typeof values.outcome === "string") values.outcome = values.outcome.toLowerCase();'),
  ]),
  mutantOf("WHL-33", "first-letter", "knows an outcome by its first letter", [
    checking(
      'const known = { s: "success", r: "retry", d: "dead" }[String(values.outcome)[0] ?? ""];\n  if (known) values.outcome = known;',
    ),
  ]),
  mutantOf("WHL-33", "trimmed", "takes an outcome with spaces around", [
    checking('if (typeof values.outcome === "string") values.outcome = values.outcome.trim();'),
  ]),
  mutantOf("WHL-33", "failure", "knows another word for one", [
    checking('if (values.outcome === "failure") values.outcome = "dead";'),
  ]),
  mutant("WHL-34", "ignored", "shows what was before, too", feed, since, "since: undefined,"),
  mutant(
    "WHL-34",
    "day",
    "begins with the day of the instant",
    feed,
    since,
    "since: query.since === undefined ? undefined : millisecondFrom(`${query.since.slice(0, 10)}T00:00:00Z`),",
  ),
  mutant(
    "WHL-34",
    "turned",
    "takes it as the end",
    feed,
    `${since}\n  ${until}`,
    `since: undefined,\n  until: query.since === undefined ? undefined : millisecondUpTo(query.since),`,
  ),
  mutant("WHL-35", "ignored", "shows what was later, too", feed, until, "until: undefined,"),
  mutant(
    "WHL-35",
    "day",
    "ends before the day of the instant",
    feed,
    until,
    "until: query.until === undefined ? undefined : millisecondUpTo(`${query.until.slice(0, 10)}T00:00:00Z`),",
  ),
  mutant(
    "WHL-35",
    "minute",
    "ends with the minute of the instant",
    feed,
    until,
    "until: query.until === undefined ? undefined : Math.ceil(millisecondUpTo(query.until) / 60_000) * 60_000,",
  ),
  mutantOf("WHL-36", "since", "takes a beginning that is no date as not sent", [overlooking("since", noDate)]),
  mutantOf("WHL-36", "until", "takes an end that is no date as not sent", [overlooking("until", noDate)]),
  mutantOf("WHL-36", "rolled", "takes the thirtieth of February for a day in March", [
    checking('if (String(values.since).startsWith("2026-02-30")) values.since = "2026-03-02T00:00:00Z";'),
  ]),
  mutantOf("WHL-36", "minutes", "takes an instant in a minute that no hour has as not sent", [
    overlooking("until", "/T\\d\\d:[6-9]/.test(String(value))"),
  ]),
  {
    ...mutantOf("WHL-36", "fails", "counts on dates that it never checked", [unchecked("since")]),
    throws: "Code that relies on a check finds what the check would have refused.",
  },
  mutant("WHL-37", "ignored", "knows no least status", groups, least, "min: noStatus + 1,"),
  mutant(
    "WHL-37",
    "exclusive",
    "leaves the least status itself out",
    groups,
    least,
    "min: statusMin === undefined ? noStatus + 1 : statusMin + 1,",
  ),
  mutant(
    "WHL-37",
    "class",
    "begins with the class of the least status",
    groups,
    least,
    "min: statusMin === undefined ? noStatus + 1 : Math.floor(statusMin / 100) * 100,",
  ),
  mutant("WHL-38", "ignored", "knows no greatest status", groups, most, "max: greatestStatus,"),
  mutant(
    "WHL-38",
    "exclusive",
    "leaves the greatest status itself out",
    groups,
    most,
    "max: statusMax === undefined ? greatestStatus : statusMax - 1,",
  ),
  mutantOf("WHL-39", "least", "refuses the least bound itself", [
    refusing("query.http_status_min === bounds.httpStatusMin", "http_status_min"),
  ]),
  mutantOf("WHL-39", "greatest", "refuses the greatest bound itself", [
    refusing("query.http_status_max === bounds.httpStatusMax", "http_status_max"),
  ]),
  mutantOf("WHL-40", "zero", "takes zero as no bound", [overlooking("http_status_min", "value === 0")]),
  mutantOf("WHL-40", "beginning", "reads a number as far as it goes", [
    checking(
      'if (typeof values.http_status_min === "string") values.http_status_min = Number.parseInt(values.http_status_min, 10);',
    ),
  ]),
  mutantOf("WHL-40", "octal", "reads a number with a leading zero as an octal one", [
    checking(
      "const [, octal] = /(?:[?]|&)http_status_min=0(\\d+)/.exec(exchange.request.url) ?? [];\n  if (octal !== undefined) values.http_status_min = Number.parseInt(octal, 8);",
    ),
  ]),
  mutantOf("WHL-40", "unbounded", "takes any number as a greatest status", [
    overlooking("http_status_max", 'typeof value === "number"'),
  ]),
  mutantOf("WHL-40", "fractions", "rounds a bound", [
    checking(
      'if (typeof values.http_status_min === "number") values.http_status_min = Math.floor(values.http_status_min);',
    ),
  ]),
  mutant("WHL-41", "empty", "finds nothing between crossed bounds", feed, "min <= max\n", "min <= max + 1000\n"),
  mutant(
    "WHL-41",
    "form-400",
    "refuses crossed bounds with the other form",
    "http/refuse-fields.ts",
    'refuse.ValidationFailed("The request has invalid fields.", fieldDetails(faults, naming))',
    'refuse.ValidationFailed400("The request has invalid fields.", fieldDetails(faults, naming))',
  ),
  mutant(
    "WHL-41",
    "by-class",
    "refuses bounds whose classes are crossed only",
    feed,
    "min <= max\n",
    "Math.floor(min / 100) <= Math.floor(max / 100)\n",
  ),
  mutant("WHL-42", "refused", "wants more than one status between the bounds", feed, "min <= max\n", "min < max\n"),
  mutant(
    "WHL-43",
    "one-of-two",
    "overlooks the type where an endpoint is named",
    groups,
    types,
    types.replace("eventType === undefined", "eventType === undefined || endpointId !== undefined"),
  ),
  mutant(
    "WHL-43",
    "first-page",
    "forgets the outcome on later pages",
    list,
    "{ ...filters, unanswered }, { before: from, limit: limit + 1 }",
    `{ ...filters, ...(from && { outcome: undefined }), unanswered }, { before: from, limit: limit + 1 }`,
  ),
  mutant(
    "WHL-43",
    "outcome-or-status",
    "overlooks the outcome where a status is bounded",
    groups,
    wanted,
    wanted.replace("filters.outcome === undefined", "filters.outcome === undefined || filters.statusMax !== undefined"),
  ),
  mutant(
    "WHL-45",
    "not-found",
    "finds it an error that nothing matches",
    list,
    page,
    `${page}\n      if (attempts.length === 0) return endpointNotFound();`,
  ),
  mutant(
    "WHL-45",
    "all",
    "shows all where nothing matches",
    list,
    page,
    `if (found.length === 0) found.push(...(await webhooks.attempts(organizationId, { unanswered } as never, { before: null, limit })));\n      ${page}`.replace(
      "found.push",
      "(found as unknown[]).push",
    ),
  ),
  mutant(
    "WHL-46",
    "query",
    "blames the query as a whole",
    rows,
    fieldsRow,
    'fields: (details) => refuse.ValidationFailed(fieldsMessage, { query: Object.values(details).join("; ") }),',
  ),
  mutantOf("WHL-46", "range", "blames no bound where two are crossed", [
    {
      file: feed,
      find: 'min === undefined || max === undefined || min <= max\n      ? []\n      : [\n          { pointer: "/http_status_max", says: "must not be less than http_status_min" },\n          { pointer: "/http_status_min", says: "must not be greater than http_status_max" },\n        ]',
      replace: `min === undefined || max === undefined || min <= max
      ? []
      ${crossed.replace("http_status_max", "range")}, says: "must not be less than http_status_min" },
          { pointer: "/http_status_min", says: "must not be greater than http_status_max" },
        ]`,
    },
    {
      file: feed,
      find: '{ pointer: "/http_status_min", says: "must not be greater than http_status_max" }',
      replace: '{ pointer: "/range", says: "must not be greater than http_status_max" }',
    },
  ]),
  wireMutant("WHL-34", "offset", "overlooks in what zone an instant is", (serve) => (request) => {
    const [path = "", query = ""] = request.path.split("?");
    const parameters = new URLSearchParams(query);
    for (const [name, value] of parameters)
      if (name === "since") parameters.set(name, value.replace(/[+-]\d\d:\d\d$/, "Z"));
    return serve(query === "" ? request : { ...request, path: `${path}?${parameters}` });
  }),
];
