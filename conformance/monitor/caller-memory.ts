import { constants } from "../../generated/constants.ts";
import { operationList } from "../../generated/operations.ts";
import { rowNamed } from "../exchange/admits.ts";
import { codeOf, dataOf, type Exchange, errorOf, objectOf } from "../exchange/exchange.ts";
import type { Answered, CallerHistory, Earlier } from "./invariant.ts";

const api = new Set<string>(operationList.filter(({ service }) => service === "api").map(({ id }) => id));

/** Remembers what was told to callers in a run, and tells of each answer what was told before it. */
export function newCallerMemory(): (exchange: Answered) => CallerHistory {
  const messages = new Map<string, Earlier>();
  const organizations = new Map<string, Earlier>();
  return (exchange) => ({
    unauthorizedMessage: firstOf(messages, calledIn(exchange), unauthorizedMessageIn(exchange), exchange),
    organization: firstOf(organizations, keyOf(exchange), organizationIn(exchange), exchange),
  });
}

/** The first value of its kind, where this is a later one. */
function firstOf(
  known: Map<string, Earlier>,
  kind: string | null,
  told: string | null,
  exchange: Exchange,
): Earlier | null {
  if (kind === null || told === null) return null;
  const first = known.get(kind) ?? null;
  if (first === null) known.set(kind, { told, exchange });
  return first;
}

/** Method and address: a message that names what was called is the same for every cause all the same. */
const calledIn = ({ request }: Answered): string => `${request.method} ${request.url}`;

/** The message of a failed authentication at an operation; null for any other answer, and one that a front may have given. */
export function unauthorizedMessageIn(exchange: Answered): string | null {
  const { operation, isOddHttp = false } = exchange;
  if (isOddHttp || !api.has(operation ?? "") || codeOf(exchange) !== rowNamed("Unauthorized").code) return null;
  const message = errorOf(exchange)?.message;
  return typeof message === "string" ? message : null;
}

/** The organization that a record names, in lower case; null where it names none. */
export function organizationIn(exchange: Answered): string | null {
  if (exchange.outcome.status >= 300 || !api.has(exchange.operation ?? "")) return null;
  const organization = objectOf(dataOf(exchange))?.org_id;
  return typeof organization === "string" ? organization.toLowerCase() : null;
}

/** The key that a call was made by; a session is none, and of two credentials nobody knows which one counts. */
function keyOf({ request }: Answered): string | null {
  const [, token = ""] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
  return request.repeatedHeaders === undefined && token.startsWith(constants.liveKeyPrefix) ? token : null;
}
