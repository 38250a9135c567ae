import { constants } from "../../generated/constants.ts";
import { operations } from "../../generated/operations.ts";
import type { RuleId } from "../../generated/rules.ts";
import { documentedScopes } from "../../generated/scopes.ts";
import { dataOf, objectOf } from "../exchange/exchange.ts";
import type { Answered, Invariant } from "./invariant.ts";

type Key = Readonly<Record<string, unknown>>;

/** The key in a success of an operation; null for any other answer. */
const keyIn =
  (operation: string) =>
  (exchange: Answered): Key | null =>
    exchange.operation === operation && exchange.outcome.status < 300 ? objectOf(dataOf(exchange)) : null;

const created = keyIn(operations.createApiKey.id);
const read = keyIn(operations.getApiKey.id);

/** A rule on every key that is created, whatever was asked for, which speaks of these members where they are there. */
const ofCreated = (
  rule: RuleId,
  expected: string,
  members: readonly string[],
  holds: (key: Key) => boolean,
): Invariant => ({
  rule,
  applies(exchange) {
    const key = created(exchange);
    return key !== null && members.every((name) => key[name] !== undefined);
  },
  breach(exchange) {
    const key = created(exchange) ?? {};
    const actual = `a creation that answers ${members.map((name) => `${name} ${shown(name, key[name])}`).join(" and ")}`;
    return holds(key) ? null : { expected, actual };
  },
});

const begins = ({ plaintext }: Key): boolean => String(plaintext).startsWith(constants.liveKeyPrefix);
const marked = `plaintext that starts with ${constants.liveKeyPrefix}`;

/** What every key keeps that is created or read, whoever it was made by and whatever it may do. */
export const keyInvariants: readonly Invariant[] = [
  {
    rule: "KEYC-04",
    applies: (exchange) => created(exchange) !== null && plainScopesIn(exchange.request.body) !== null,
    breach(exchange) {
      const asked = plainScopesIn(exchange.request.body) ?? [];
      const granted: unknown = created(exchange)?.scopes;
      const [expected, actual] = [inOrder(asked), inOrder(Array.isArray(granted) ? granted : [])];
      return expected === actual ? null : { expected: `scopes ${expected}`, actual };
    },
  },
  ofCreated(
    "KEYC-05",
    "prefix, a leading part of plaintext",
    ["prefix", "plaintext"],
    ({ prefix, plaintext }) => typeof prefix === "string" && prefix !== "" && String(plaintext).startsWith(prefix),
  ),
  ofCreated(
    "KEYC-06",
    "prefix shorter than plaintext",
    ["prefix", "plaintext"],
    ({ prefix, plaintext }) => String(prefix).length < String(plaintext).length,
  ),
  ofCreated("KEYC-07", marked, ["plaintext"], begins),
  ofCreated("AUTH-11", marked, ["plaintext"], begins),
  ofCreated("KEYC-08", "last_used_at null", ["last_used_at"], (key) => key.last_used_at === null),
  ofCreated("KEYC-09", "revoked_at null", ["revoked_at"], (key) => key.revoked_at === null),
  {
    rule: "KEYG-02",
    // What is no record at all shows nothing of how keys are read.
    applies: (exchange) => read(exchange)?.id !== undefined,
    breach: (exchange) =>
      Object.hasOwn(read(exchange) ?? {}, "plaintext")
        ? { expected: "no plaintext in a key that is read", actual: "a member plaintext" }
        : null,
  },
];

/** Of a secret its mark alone is shown. */
const shown = (name: string, value: unknown): string =>
  JSON.stringify(name === "plaintext" ? String(value).slice(0, constants.liveKeyPrefix.length) : value) ?? "none";

const inOrder = (scopes: readonly unknown[]): string => scopes.map(String).toSorted().join(", ");

/** The scopes that a creation asks for, where all are documented and none stands twice: others may be read in several ways. */
function plainScopesIn(body: string | null): readonly string[] | null {
  const scopes: unknown = objectOf(parsed(body))?.scopes;
  if (!Array.isArray(scopes) || new Set(scopes).size !== scopes.length) return null;
  return scopes.every((scope) => documentedScopes.some((known) => known === scope)) ? scopes : null;
}

function parsed(body: string | null): unknown {
  try {
    return JSON.parse(body ?? "null");
  } catch {
    return undefined;
  }
}
