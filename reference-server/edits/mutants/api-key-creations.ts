import { setTimeout } from "node:timers/promises";
import { constants } from "../../../generated/constants.ts";
import { operations } from "../../../generated/operations.ts";
import { documentedScopes } from "../../../generated/scopes.ts";
import { keyNotFound, keyRevoked } from "../../domain/keys/api-keys.ts";
import type { Mutant } from "../edit.ts";
import { keepingKeys } from "../unit-changes.ts";
import { dataOf, onAnswer, onData, parsed, refusedWith, withData } from "../wire.ts";
import { mutant, mutantOf } from "./mutant.ts";

const own: readonly string[] = [operations.getApiKey.scope, operations.createApiKey.scope];

/** A documented scope that has nothing to do with keys. */
const other = documentedScopes.find((scope) => !own.includes(scope)) ?? "";

const routes = "routes/api-keys.ts";
const domain = "domain/keys/api-keys.ts";
const authorize = "http/authorize.ts";
const holdsScope = "if (wanted === null || holds(callerOf(exchange), wanted)) return null;";
const created = "      return { ...wireKey(key, precision), plaintext: secret.plaintext };";
const unheld = "const unheld = scopes.find((scope) => !holds(caller, scope));";
const prefix = "prefix: plaintext.slice(0, Number(choices.prefixLength))";
const also = (condition: string): string => holdsScope.replace("wanted === null", `wanted === null || ${condition}`);
const holder = (scope: string): string => also(`holds(callerOf(exchange), "${scope}")`);

/** Servers that break a rule of the creation of API keys. */
export const apiKeyCreationMutants: readonly Mutant[] = [
  mutantOf("KEYC-01", "many-scopes", "refuses to grant more than three scopes at once", [
    {
      wire: onAnswer("createApiKey", (answer, request) =>
        Object(parsed(request.bytes)).scopes?.length > 3 ? refusedWith(answer, keyRevoked()) : answer,
      ),
    },
  ]),
  mutantOf("KEYC-02", "no-label", "leaves the label out", [
    { wire: onData("createApiKey", ({ label: _, ...data }) => data) },
  ]),
  mutantOf("KEYC-02", "many-scopes", "leaves the time of revocation out where a key has more than two scopes", [
    {
      wire: onData("createApiKey", ({ revoked_at, ...data }) =>
        Array.isArray(data.scopes) && data.scopes.length > 2 ? data : { ...data, revoked_at },
      ),
    },
  ]),
  mutant(
    "KEYC-03",
    "upper",
    "writes labels in upper case",
    routes,
    "    label: key.label,",
    "    label: key.label.toUpperCase(),",
  ),
  mutant(
    "KEYC-38",
    "latin",
    "keeps no characters beyond Latin-1",
    routes,
    'label: body.label ?? "",',
    'label: Buffer.from(body.label ?? "", "latin1").toString("latin1"),',
  ),
  mutant(
    "KEYC-38",
    "escaped",
    "escapes the characters of markup in labels",
    routes,
    'label: body.label ?? "",',
    'label: (body.label ?? "").replaceAll("&", "&amp;").replaceAll("<", "&lt;"),',
  ),
  mutant(
    "KEYC-38",
    "number",
    "reads labels as numbers where they look like some",
    routes,
    "    label: key.label,",
    '    label: key.label !== "" && !Number.isNaN(Number(key.label)) ? (Number(key.label) as never) : key.label,',
  ),
  mutant("KEYC-38", "trimmed", "trims labels", routes, 'label: body.label ?? "",', 'label: (body.label ?? "").trim(),'),
  mutant(
    "KEYC-38",
    "cut",
    "cuts labels after 64 characters",
    routes,
    'label: body.label ?? "",',
    'label: (body.label ?? "").slice(0, 64),',
  ),
  mutantOf("KEYC-03", "mixed-up", "answers a creation with the label of the latest one under way", [
    {
      wire: (serve) => {
        let latest: unknown;
        return async (request) => {
          const answer = await serve(request);
          const data = request.operation === "createApiKey" ? dataOf(answer) : null;
          if (data === null) return answer;
          latest = data.label;
          await setTimeout(20);
          return withData(answer, { ...data, label: latest });
        };
      },
    },
  ]),
  mutant(
    "KEYC-04",
    "first",
    "grants the first two scopes only",
    routes,
    "scopes: body.scopes,",
    "scopes: body.scopes.slice(0, 2),",
  ),
  mutant(
    "KEYC-04",
    "extra",
    "grants a scope more than was asked for",
    routes,
    "scopes: body.scopes,",
    `scopes: [...new Set([...body.scopes, "${operations.getApiKey.scope}", "${other}"])],`,
  ),
  mutant("KEYC-05", "middle", "takes the prefix from the middle", domain, prefix, "prefix: plaintext.slice(2, 19)"),
  mutant("KEYC-06", "whole", "shows the whole secret as prefix", domain, prefix, "prefix: plaintext"),
  mutant(
    "KEYC-07",
    "mark",
    "marks keys in another way",
    "domain/keys/api-key-secret.ts",
    "key: constants.liveKeyPrefix",
    'key: "svc_prod_"',
  ),
  mutant(
    "KEYC-08",
    "used",
    "calls a fresh key used",
    domain,
    "lastUsedAt: null, revokedAt: null",
    "lastUsedAt: wanted.createdAt, revokedAt: null",
  ),
  mutant(
    "KEYC-09",
    "revoked",
    "answers a creation with a time of revocation",
    routes,
    created,
    created.replace("plaintext:", "revoked_at: timestamp(key.createdAt, precision), plaintext:"),
  ),
  mutant(
    "KEYC-10",
    "hour",
    "dates creations an hour back",
    routes,
    "createdAt: callerTime(caller, world.now()),",
    "createdAt: callerTime(caller, world.now()) - 3_600_000,",
  ),
  mutant(
    "KEYC-11",
    "other-secret",
    "answers a secret that it did not keep",
    routes,
    created,
    created.replace("secret.plaintext", "newKeySecret(world, choices).plaintext"),
  ),
  mutantOf("KEYC-11", "siblings", "ends all keys of an organization with the one that is revoked", [
    keepingKeys(() => {
      const narrow = new Map<string, string>();
      return (keys, { organization }) => ({
        async insert(key) {
          if (key.scopes.length === 1) narrow.set(key.id, key.organizationId);
          await keys.insert(key);
        },
        async update(before, key) {
          await keys.update(before, key);
          for (const [id, owner] of key.revokedAt !== null && organization !== null ? narrow : []) {
            const other = owner === organization?.id && id !== key.id ? await keys.find(id) : null;
            if (other !== null) await keys.update(id, { ...other, revokedAt: key.revokedAt });
          }
        },
      });
    }),
  ]),
  mutantOf("KEYC-12", "one-secret", "shows every creator the same secret", [
    {
      wire: (serve) => {
        let shown: unknown;
        return onData("createApiKey", (data) => {
          shown ??= data.plaintext;
          return { ...data, plaintext: shown };
        })(serve);
      },
    },
  ]),
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
