import { constants } from "../../generated/constants.ts";
import { type ErrorRowName, errorRows, reservedCodes } from "../../generated/error-rows.ts";
import { operations } from "../../generated/operations.ts";
import type { Operation } from "../../generated/runtime/operation.ts";
import type { ErrorRow } from "../../generated/runtime/refusal.ts";
import { header, member, type Part, status } from "../evidence/place.ts";
import { rowAllows, rowNamed, rowsWithCode, rowText } from "../exchange/admits.ts";
import { codeOf, dataOf, errorOf, headerOf, objectOf, summaryOf } from "../exchange/exchange.ts";
import { retryAfterHeader, retryAfterIn } from "../exchange/retry-after.ts";
import { namesEndpointSecret, namesKey } from "../exchange/secret-name.ts";
import { answerShapes, showsRecord } from "./answer-shapes.ts";
import { answerViolations, isUtcDateTime } from "./answer-violations.ts";
import { organizationIn, unauthorizedMessageIn } from "./caller-memory.ts";
import { internalsIn } from "./internals.ts";
import type { Answered, Earlier, Invariant, Leak, Seen } from "./invariant.ts";
import { keyInvariants } from "./key-invariants.ts";
import { listInvariants } from "./list-invariants.ts";

const isSuccess = ({ outcome }: Answered): boolean => outcome.status >= 200 && outcome.status < 300;
/** A success that says so: what an envelope must not have besides, nothing else can lack in earnest. */
const isEnveloped = (exchange: Answered): boolean => isSuccess(exchange) && bodyOf(exchange)?.success === true;
const isError = ({ outcome }: Answered): boolean => outcome.status >= 400;
/** A list of records where the document does not show the data: the server may return a list, with its `meta`. */
const isListOfTarget = (exchange: Answered): boolean =>
  !showsRecord.has(exchange.operation) &&
  [dataOf(exchange), ...Object.values(objectOf(dataOf(exchange)) ?? {})].some(isRecordList);
const isRecordList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => objectOf(item) !== null);
const bodyOf = ({ outcome }: Answered): Readonly<Record<string, unknown>> | null => objectOf(outcome.json);
const operationsById = new Map(Object.values<Operation>(operations).map((operation) => [operation.id, operation]));
const operationOf = ({ operation }: Answered): Operation | null =>
  operation === null ? null : (operationsById.get(operation) ?? null);
const hasCodeOf = (row: ErrorRowName) => (exchange: Answered) => codeOf(exchange) === rowNamed(row).code;

const detailsOf = (exchange: Answered): Readonly<Record<string, unknown>> => objectOf(errorOf(exchange)?.details) ?? {};

/** Details whose members the contract names; explanations of fields, which may repeat what was sent, are none. */
const particularsOf = (exchange: Answered): Readonly<Record<string, unknown>> =>
  rowsOf(exchange).some((row) => typeof row.details === "object") ? detailsOf(exchange) : {};

/** Timestamps among the details that the contract names. */
const timesIn = (exchange: Answered): readonly (readonly [name: string, time: unknown])[] =>
  Object.entries(particularsOf(exchange)).filter(([name]) => instant.test(name));

const utc = "RFC 3339 strings in UTC";

/** Keys of details that the contract names for each row that this response may be; empty where a row names none. */
const namedDetailsOf = (exchange: Answered): readonly (readonly string[])[] =>
  rowsOf(exchange).map(({ details }) => (typeof details === "object" ? details : []));

/** A breach at this part of the answer unless the condition holds. */
const unless = (holds: boolean, expected: string, actual: unknown, at: Part, warning = false): Seen | null =>
  holds
    ? null
    : {
        ...{ expected, warning, at: [at] },
        actual: typeof actual === "string" ? actual : (JSON.stringify(actual) ?? String(actual)),
      };

/** A breach unless the answer tells what an earlier one told. */
function heldAgainst(
  earlier: Earlier | null,
  told: string | null,
  expected: (told: string) => string,
  pointer: string,
  warning = false,
): Seen | null {
  if (earlier === null) return null;
  const seen = unless(told === earlier.told, expected(earlier.told), told, member(pointer), warning);
  return seen && { ...seen, earlier: earlier.exchange };
}

/** The media type of an answer; those of all of them, with commas, where the header comes more than once. */
const mediaTypeOf = (exchange: Answered): string => {
  const types = (headerOf(exchange, "content-type") ?? "none").replaceAll(/"[^"]*"/g, "").split(",");
  return [...new Set(types.map((type) => type.split(";")[0]?.trim().toLowerCase()))].join(", ");
};

function isJson(exchange: Answered): Seen | null {
  const type = mediaTypeOf(exchange);
  const isNamedSo = type === "application/json";
  return unless(
    isNamedSo && exchange.outcome.json !== undefined,
    "JSON with media type application/json",
    isNamedSo ? "a body that is no JSON" : type,
    isNamedSo ? member("") : header("content-type"),
  );
}

const hasRequestId = (exchange: Answered): Seen | null =>
  unless(
    (headerOf(exchange, constants.requestIdHeader) ?? "") !== "",
    `a header ${constants.requestIdHeader}`,
    "none",
    requestId,
  );

const requestId = header(constants.requestIdHeader);

const withoutDetails = (exchange: Answered): Seen | null => {
  const details = errorOf(exchange)?.details;
  return unless(details === undefined, "no error.details", details, member("/error/details"));
};

/** Rows of the catalog that this answer may be. */
const rowsOf = (exchange: Answered) =>
  rowsWithCode(codeOf(exchange) ?? "").filter((row) => rowAllows(row, exchange.outcome.status));

/** What every answer of the API keeps, whatever was asked. */
export const invariants: readonly Invariant[] = [
  { rule: "ENV-02", applies: isSuccess, breach: isJson },
  { rule: "ENV-03", applies: isError, breach: isJson },
  {
    rule: "ENV-04",
    applies: isSuccess,
    breach: (e) => unless(bodyOf(e)?.success === true, "success: true", bodyOf(e)?.success, member("/success")),
  },
  {
    rule: "ENV-05",
    applies: isSuccess,
    breach: (e) =>
      unless(Object.hasOwn(bodyOf(e) ?? {}, "data"), "a member data", Object.keys(bodyOf(e) ?? {}), member("/data")),
  },
  {
    rule: "ENV-06",
    applies: isEnveloped,
    breach: (e) =>
      unless(!Object.hasOwn(bodyOf(e) ?? {}, "error"), "no member error", bodyOf(e)?.error, member("/error")),
  },
  {
    rule: "ENV-07",
    applies: isError,
    breach: (e) => unless(bodyOf(e)?.success === false, "success: false", bodyOf(e)?.success, member("/success")),
  },
  {
    rule: "ENV-08",
    applies: isError,
    breach: (e) =>
      unless((codeOf(e) ?? "") !== "", "error.code, a non-empty string", errorOf(e)?.code, member("/error/code")),
  },
  {
    rule: "ENV-09",
    applies: isError,
    breach: (e) =>
      unless(
        typeof errorOf(e)?.message === "string",
        "error.message, a string",
        errorOf(e)?.message,
        member("/error/message"),
      ),
  },
  {
    rule: "ENV-10",
    applies: isError,
    breach: (e) =>
      unless(
        typeof errorOf(e)?.request_id === "string",
        "error.request_id, a string",
        errorOf(e)?.request_id,
        member("/error/request_id"),
      ),
  },
  {
    rule: "ENV-11",
    applies: (e) =>
      isError(e) && typeof errorOf(e)?.request_id === "string" && headerOf(e, constants.requestIdHeader) !== null,
    breach: (e) =>
      unless(
        errorOf(e)?.request_id === headerOf(e, constants.requestIdHeader),
        `error.request_id equal to ${constants.requestIdHeader} ${headerOf(e, constants.requestIdHeader)}`,
        errorOf(e)?.request_id,
        member("/error/request_id"),
      ),
  },
  { rule: "ENV-12", applies: isSuccess, breach: hasRequestId },
  { rule: "ENV-13", applies: isError, breach: hasRequestId },
  {
    rule: "ENV-14",
    hangsOnEarlier: true,
    // The id may be the client's own, who may have sent it before.
    applies: (e) =>
      headerOf(e, constants.requestIdHeader) !== null &&
      e.request.headers[constants.requestIdHeader.toLowerCase()] === undefined,
    breach: (e, { sameId }) =>
      sameId && {
        expected: "a request id of its own",
        actual: `${headerOf(e, constants.requestIdHeader)} a second time, on answers that came ${Math.round(Math.abs(e.answeredAt - sameId.answeredAt))} ms apart`,
        at: [requestId],
        ...(sameId.exchange && { earlier: sameId.exchange }),
      },
  },
  {
    rule: "ENV-15",
    applies: (e) => isError(e) && bodyOf(e) !== null && codeOf(e) !== rowNamed("InsufficientInventoryOnOrder").code,
    breach: (e) => unless(!Object.hasOwn(bodyOf(e) ?? {}, "data"), "no member data", bodyOf(e)?.data, member("/data")),
  },
  {
    rule: "ENV-16",
    applies: (e) => errorOf(e)?.details !== undefined,
    breach: (e) => {
      const details = objectOf(errorOf(e)?.details);
      const strings = details !== null && Object.values(details).every((value) => typeof value === "string");
      return unless(strings, "error.details, an object of strings", errorOf(e)?.details, member("/error/details"));
    },
  },
  {
    rule: "ENV-17",
    applies: (e) => rowsOf(e).length > 0 && rowsOf(e).every((row) => row.details === "none"),
    breach: withoutDetails,
  },
  {
    rule: "ENV-18",
    applies: (e) => rowsOf(e).some((row) => row.details === "fields"),
    breach: (e) =>
      unless(
        Object.keys(objectOf(errorOf(e)?.details) ?? {}).length > 0,
        "error.details with at least one field",
        errorOf(e)?.details ?? "none",
        member("/error/details"),
        // Of a body that is no object, no field is at fault.
        objectOf(errorOf(e)?.details) !== null && !isObjectText(e.request.body ?? "{}"),
      ),
  },
  {
    rule: "ENV-46",
    applies: (e) => namedDetailsOf(e).length > 0 && namedDetailsOf(e).every((names) => names.length > 0),
    breach: (e) => {
      const details = detailsOf(e);
      const isThere = (name: string): boolean => typeof details[name] === "string" && details[name].trim() !== "";
      return unless(
        namedDetailsOf(e).some((names) => names.every(isThere)),
        `error.details with ${namedDetailsOf(e).flat().join(", ")}`,
        errorOf(e)?.details ?? "none",
        member("/error/details"),
      );
    },
  },
  {
    rule: "ENV-95",
    applies: (e) => rowsOf(e).some((row) => row.details === "fields") && explanationsIn(e).length > 0,
    breach: (e) =>
      unless(
        explanationsIn(e).every(([, why]) => typeof why !== "string" || why.trim() !== ""),
        "an explanation of each field in error.details",
        errorOf(e)?.details,
        member("/error/details"),
      ),
  },
  {
    rule: "ENV-25",
    applies: (e) => isEnveloped(e) && operationOf(e)?.list === false && !isListOfTarget(e),
    breach: (e) => unless(!Object.hasOwn(bodyOf(e) ?? {}, "meta"), "no member meta", bodyOf(e)?.meta, member("/meta")),
  },
  {
    rule: "ENV-26",
    applies: (e) => hasMember(e, identifier),
    breach: (e) => formatBreach(e, "uuid", identifier, "UUID strings"),
  },
  {
    rule: "ENV-27",
    applies: (e) =>
      hasMember(e, instant) || timesIn(e).length > 0 || formatBreach(e, "date-time", instant, utc) !== null,
    breach: (e) => {
      const local = timesIn(e).find(([, time]) => typeof time !== "string" || !isUtcDateTime(time));
      return local === undefined
        ? formatBreach(e, "date-time", instant, utc)
        : unless(false, utc, local[1], member(`/error/details/${local[0]}`));
    },
  },
  {
    rule: "ENV-28",
    applies: (e) => codeOf(e) !== null,
    breach: (e) => {
      const code = codeOf(e) ?? "";
      if (rowsOf(e).length > 0 || reservedCodes.includes(code)) return null;
      // How large a body may be is open, and so is the code of one that is too large.
      if (e.request.body !== null && e.outcome.status === rowNamed("PayloadTooLarge").referenceStatus) return null;
      const rows = rowsWithCode(code);
      // New codes may be added; one that is nearly a code of the catalog is a misspelling.
      if (rows.length === 0 && !isMisspelled(code)) return null;
      const listed = rows.length > 0 ? rows.map(rowText).join(" or ") : "a code of the catalog";
      const at = [rows.length === 0 ? member("/error/code") : status];
      return { expected: listed, actual: summaryOf(e), at, warning: rows.length === 0 };
    },
  },
  {
    rule: "ENV-33",
    // An answer without a message shows nothing of how messages are worded, unless it shows too much.
    applies: (e) =>
      e.outcome.status >= 500 && (typeof errorOf(e)?.message === "string" || internalsIn(e.outcome.text).length > 0),
    breach: (e) => {
      const internals = internalsIn(e.outcome.text);
      return unless(
        internals.length === 0,
        "a generic message",
        internals.join(", "),
        member(codeOf(e) === null ? "" : "/error/message"),
      );
    },
  },
  {
    rule: "ENV-34",
    applies: (e) => e.operation !== null && (dataOf(e) !== undefined || codeOf(e) !== null),
    breach: (e) =>
      unless(!reservedCodes.includes(codeOf(e) ?? ""), "no reserved code", summaryOf(e), member("/error/code")),
  },
  ...answerShapes,
  ...listInvariants,
  ...keyInvariants,
  {
    rule: "AUTH-07",
    hangsOnEarlier: true,
    applies: (_, { unauthorizedMessage }) => unauthorizedMessage !== null,
    breach: (e, { unauthorizedMessage }) =>
      heldAgainst(
        unauthorizedMessage,
        unauthorizedMessageIn(e),
        (told) => `the message ${JSON.stringify(told)}, as for the first cause at this address`,
        "/error/message",
      ),
  },
  {
    rule: "TEN-18",
    hangsOnEarlier: true,
    applies: (_, { organization }) => organization !== null,
    breach: (e, { organization }) =>
      heldAgainst(
        organization,
        organizationIn(e),
        (told) => `org_id ${told}, as in other records that this key was shown`,
        "/data/org_id",
        !showsRecord.has(e.operation),
      ),
  },
  { rule: "AUTH-08", applies: hasCodeOf("Unauthorized"), breach: withoutDetails },
  { rule: "AUTH-13", applies: hasCodeOf("Forbidden"), breach: withoutDetails },
  { rule: "AUTH-19", applies: hasCodeOf("UserRequired"), breach: withoutDetails },
  { rule: "AUTH-24", applies: hasCodeOf("PlatformRequired"), breach: withoutDetails },
  {
    rule: "KEYG-03",
    applies: (e) => e.operation === operations.getApiKey.id && hasMember(e, identifier),
    breach: (_, { leaked }) => (leaked.length === 0 ? null : shows("no secret", leaked)),
  },
  {
    rule: "KEYC-39",
    // Only where a key let its caller in, and got a record, could its secret have been beside it.
    applies: (e, { leaked }) =>
      leaked.some(isKey) || ((e.request.headers.authorization ?? "") !== "" && hasMember(e, identifier)),
    breach: (_, { leaked }) =>
      leaked.some(isKey) ? shows("no secret of a key but in the answer that makes it", leaked.filter(isKey)) : null,
  },
  {
    rule: "WHR-14",
    // That no answer shows a secret proves little while none is known; a check makes sure that one is.
    applies: (_, { leaked }) => leaked.some(isEndpointSecret),
    breach: (_, { leaked }) =>
      shows("an endpoint's secret in the answer to its rotation alone", leaked.filter(isEndpointSecret)),
  },
  {
    rule: "LIM-11",
    applies: (e) => rowAllows(rowNamed("RateLimited"), e.outcome.status),
    breach: (e) =>
      unless(
        hasCodeOf("RateLimited")(e),
        `code ${rowNamed("RateLimited").code}`,
        codeOf(e) ?? "no code",
        member("/error/code"),
        // New codes may be added, for limits that the document does not list.
        codeOf(e) !== null && rowsWithCode(codeOf(e) ?? "").length === 0 && (operationOf(e)?.draws ?? []).length === 0,
      ),
  },
  {
    rule: "LIM-12",
    applies: hasCodeOf("RateLimited"),
    breach: (e) =>
      unless(
        /^[1-9]\d*$/.test(retryAfterIn(e) ?? ""),
        "Retry-After, positive whole seconds",
        retryAfterIn(e) ?? "no Retry-After",
        header(retryAfterHeader.toLowerCase()),
      ),
  },
  { rule: "LIM-13", applies: hasCodeOf("RateLimited"), breach: withoutDetails },
];

/** Returns true if a code differs from one of the catalog in case and separators alone. */
const isMisspelled = (code: string): boolean => catalogLetters.has(lettersOf(code));
const lettersOf = (code: string): string => code.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
const catalogLetters: ReadonlySet<string> = new Set(
  Object.values<ErrorRow>(errorRows)
    .filter((row) => row.service === "api" && !row.extension)
    .map(({ code }) => lettersOf(code)),
);

const isKey = ({ name }: Leak): boolean => namesKey(name);
const isEndpointSecret = ({ name }: Leak): boolean => namesEndpointSecret(name);

const shows = (expected: string, leaks: readonly Leak[]): Seen => ({
  expected,
  actual: `the secret of ${[...new Set(leaks.map(({ name }) => name))].join(", ")}`,
  at: leaks.map((leak) => leak.at),
});

const explanationsIn = (exchange: Answered): readonly (readonly [field: string, why: unknown])[] =>
  Object.entries(detailsOf(exchange));

function isObjectText(text: string): boolean {
  try {
    return objectOf(JSON.parse(text)) !== null;
  } catch {
    return false;
  }
}

/** A success answer of a known operation whose payload, or a record of whose list, has such a member. */
function hasMember(exchange: Answered, name: RegExp): boolean {
  if (!isSuccess(exchange) || exchange.operation === null) return false;
  const data = dataOf(exchange);
  const records: readonly unknown[] = Array.isArray(data) ? data : [data];
  return records.some((record) => Object.keys(objectOf(record) ?? {}).some((key) => name.test(key)));
}

/** Names of members that the contract declares as identifiers and as instants. */
const identifier = /(^|[/_])id$/;
const instant = /_at$/;

/** Breached by a value of another format, and by one of another type where the format is declared. */
function formatBreach(exchange: Answered, format: "uuid" | "date-time", names: RegExp, what: string): Seen | null {
  const wrong = answerViolations(exchange).filter(
    (v) => v.format === format || (v.keyword === "type" && v.value !== null && names.test(v.pointer)),
  );
  if (wrong.length === 0) return null;
  return {
    expected: what,
    actual: wrong.map((v) => `${v.pointer}: ${JSON.stringify(v.value)}`).join(", "),
    at: wrong.map(({ pointer }) => member(pointer)),
  };
}
