import { constants } from "../../../generated/constants.ts";
import { operations } from "../../../generated/operations.ts";
import { documentedScopes } from "../../../generated/scopes.ts";
import { keyNotFound, keyRevoked } from "../../domain/keys/api-keys.ts";
import type { Mutant } from "../edit.ts";
import { onAnswer, parsed, refusedWith } from "../wire.ts";
import { mutant, mutantOf } from "./mutant.ts";

const own: readonly string[] = [operations.getApiKey.scope, operations.createApiKey.scope];

/** A documented scope that has nothing to do with keys. */
const other = documentedScopes.find((scope) => !own.includes(scope)) ?? "";

const domain = "domain/keys/api-keys.ts";
const authorize = "http/authorize.ts";
const holdsScope = "if (wanted === null || holds(callerOf(exchange), wanted)) return null;";
const unheld = "const unheld = scopes.find((scope) => !holds(caller, scope));";
const prefix = "prefix: plaintext.slice(0, Number(choices.prefixLength))";
const also = (condition: string): string => holdsScope.replace("wanted === null", `wanted === null || ${condition}`);
const holder = (scope: string): string => also(`holds(callerOf(exchange), "${scope}")`);

/** Servers that break a rule of the scopes that a new API key gets, or of who may create one. */
export const apiKeyScopeMutants: readonly Mutant[] = [
  mutant(
    "KEYC-13",
    "forgotten",
    "does not know one documented scope",
    domain,
    "scopes.find((scope) => !isKnownScope(scope))",
    `scopes.find((scope) => !isKnownScope(scope) || scope === "${other}")`,
  ),
  mutant(
    "KEYC-14",
    "proper-subset",
    "grants proper subsets only",
    domain,
    unheld,
    'const unheld = caller.kind === "key" && scopes.length === caller.scopes.size ? scopes[0] : scopes.find((scope) => !holds(caller, scope));',
  ),
  mutant(
    "KEYC-15",
    "accepted",
    "grants unknown scopes",
    domain,
    "const unknown = scopes.find((scope) => !isKnownScope(scope));",
    `const unknown = scopes.find((scope) => scope === "${constants.unknownScope}");`,
  ),
  mutant(
    "KEYC-15",
    "forbidden",
    "calls unknown scopes forbidden",
    domain,
    "return refuse.InvalidInput(`There is no scope ${quoted(unknown)}. Grant scopes that exist and that you hold.`);",
    "return refuse.Forbidden(`There is no scope ${quoted(unknown)}.`) as never;",
  ),
  mutant(
    "KEYC-15",
    "case",
    "knows scopes in either case",
    domain,
    "known.has(scope)",
    "known.has(scope.toLowerCase())",
  ),
  mutant("KEYC-15", "trimmed", "trims scopes", domain, "known.has(scope)", "known.has(scope.trim())"),
  mutant(
    "KEYC-15",
    "area",
    "knows scopes by their area",
    domain,
    "const unknown = scopes.find((scope) => !isKnownScope(scope));",
    'const unknown = scopes.find((scope) => !knownScopes.some((s) => s.split(":")[0] === scope.split(":")[0]));',
  ),
  mutant(
    "KEYC-15",
    "first-only",
    "looks at the first scope of a list only",
    domain,
    "const unknown = scopes.find((scope) => !isKnownScope(scope));",
    "const unknown = scopes.slice(0, 1).find((scope) => !isKnownScope(scope));",
  ),
  mutant(
    "KEYC-15",
    "start",
    "knows whatever begins like a scope",
    domain,
    "const unknown = scopes.find((scope) => !isKnownScope(scope));",
    "const unknown = scopes.find((scope) => !knownScopes.some((s) => scope.startsWith(s)));",
  ),
  mutant(
    "KEYC-16",
    "known",
    `knows ${constants.unknownScope}`,
    domain,
    "known.has(scope)",
    `known.has(scope) || scope === "${constants.unknownScope}"`,
  ),
  mutant(
    "KEYC-17",
    "field-error",
    "answers an empty list of scopes with 422",
    "http/validate-request.ts",
    "refusal.keywords.includes(keyword) && `${pointer}/`.startsWith(`${refusal.pointer}/`)",
    'keyword !== "minItems" &&\n  refusal.keywords.includes(keyword) && `${pointer}/`.startsWith(`${refusal.pointer}/`)',
  ),
  mutant(
    "KEYC-18",
    "accepted",
    "grants a scope twice",
    "http/validation.ts",
    "return !wanted || new Set(items.map(canonical)).size === items.length;",
    "return !wanted || items.map(canonical).length >= 0;",
  ),
  mutant(
    "KEYC-18",
    "three-times",
    "minds a scope given three times only",
    "http/validation.ts",
    "return !wanted || new Set(items.map(canonical)).size === items.length;",
    "return !wanted || new Set(items.map(canonical)).size >= items.length - 1;",
  ),
  mutant(
    "KEYC-18",
    "neighbours",
    "minds a scope given twice only where it stands beside itself",
    "http/validation.ts",
    "return !wanted || new Set(items.map(canonical)).size === items.length;",
    "return !wanted || items.every((item, at) => canonical(item) !== canonical(items[at - 1] ?? null));",
  ),
  mutantOf("KEYC-20", "third-time", "answers a scope given twice in another way the third time", [
    {
      wire: (serve) => {
        let times = 0;
        return onAnswer("createApiKey", (answer, { bytes }) => {
          const { scopes } = Object(parsed(bytes));
          if (!Array.isArray(scopes) || new Set(scopes).size === scopes.length) return answer;
          times++;
          return times % 3 === 0 ? refusedWith(answer, keyNotFound()) : answer;
        })(serve);
      },
    },
  ]),
  mutant(
    "KEYC-19",
    "details",
    "details an unknown scope",
    domain,
    "refuse.InvalidInput(`There is no scope ${quoted(unknown)}. Grant scopes that exist and that you hold.`)",
    'refuse.InvalidInput(`There is no scope ${quoted(unknown)}. Grant scopes that exist and that you hold.`, { details: { scopes: "unknown" } } as never)',
  ),
  mutantOf("KEYC-20", "second-time", "answers the same refusal in another way the second time", [
    {
      wire: (serve) => {
        const refused = new Set<string>();
        return onAnswer("createApiKey", (answer, { headers, bytes }) => {
          const asked = `${headers.authorization} ${bytes}`;
          if (answer.status < 400 || !refused.has(asked)) {
            if (answer.status >= 400) refused.add(asked);
            return answer;
          }
          return refusedWith(answer, keyRevoked());
        })(serve);
      },
    },
  ]),
  mutant(
    "KEYC-21",
    "any",
    "grants scopes that the caller does not hold",
    domain,
    unheld,
    "const unheld = scopes.find((scope) => !isKnownScope(scope) && !holds(caller, scope));",
  ),
  mutant(
    "KEYC-22",
    "partial",
    "grants all when the caller holds one of them",
    domain,
    unheld,
    "const unheld = scopes.some((scope) => holds(caller, scope)) ? undefined : scopes[0];",
  ),
  mutant(
    "KEYC-23",
    "holder",
    "lets a caller grant what it holds without the scope of creation",
    authorize,
    holdsScope,
    holder(other),
  ),
  mutant("KEYC-24", "reader", "lets a reader create", authorize, holdsScope, holder(operations.getApiKey.scope)),
  mutant(
    "KEYC-25",
    "everywhere",
    "lets every key create and read",
    "http/authenticate.ts",
    "scopes: new Set(key.scopes)",
    `scopes: new Set([...key.scopes, "${operations.createApiKey.scope}"])`,
  ),
  mutant(
    "KEYC-26",
    "inherits",
    "lets a key with two scopes grant any",
    domain,
    unheld,
    'const unheld = caller.kind === "key" && caller.scopes.size === 2 ? undefined : scopes.find((scope) => !holds(caller, scope));',
  ),
  mutant(
    "KEYC-27",
    "not-found",
    "answers invalid fields with 404",
    "http/validate-request.ts",
    "if (special === undefined) return rows.fields(fieldDetails(violations, naming));",
    "if (special === undefined) return rows.unknownPath();",
  ),
  mutant(
    "KEYC-28",
    "not-found",
    "answers invalid fields with 404",
    "http/validate-request.ts",
    "if (special === undefined) return rows.fields(fieldDetails(violations, naming));",
    "if (special === undefined) return rows.unknownPath();",
  ),
  mutant(
    "KEYC-37",
    "constant",
    "shows the mark alone as prefix",
    domain,
    prefix,
    `prefix: "${constants.liveKeyPrefix}"`,
  ),
  mutant(
    "KEYC-39",
    "echo",
    "repeats the key of a caller who lacks a scope",
    authorize,
    "`This needs the scope ${wanted}, which you do not hold.`",
    "`${exchange.request.headers.authorization} lacks the scope ${wanted}.`",
  ),
];
