import { setTimeout } from "node:timers/promises";
import { operations } from "../../../generated/operations.ts";
import { documentedScopes } from "../../../generated/scopes.ts";
import { keyRevoked } from "../../domain/keys/api-keys.ts";
import type { Mutant } from "../edit.ts";
import { keepingKeys } from "../unit-changes.ts";
import { dataOf, onAnswer, onData, onRequest, parsed, refusedWith, withData } from "../wire.ts";
import { bodyOf, withRequestBody } from "../wire-requests.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const own: readonly string[] = [operations.getApiKey.scope, operations.createApiKey.scope];

/** A documented scope that has nothing to do with keys. */
const other = documentedScopes.find((scope) => !own.includes(scope)) ?? "";

const routes = "routes/api-keys.ts";
const domain = "domain/keys/api-keys.ts";
const created = "      return { ...wireKey(key, precision), plaintext: secret.plaintext };";
const prefix = "prefix: plaintext.slice(0, Number(choices.prefixLength))";

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
  ...(
    [
      ["line", "ends a label at the first line break", "\n"],
      ["nul", "ends a label at a NUL", "\0"],
      ["quote", "ends a label at the first quotation mark", '"'],
      ["tag", "ends a label where markup begins", "<"],
    ] as const
  ).map(([name, does, end]) =>
    wireMutant(
      "KEYC-38",
      name,
      does,
      onRequest("createApiKey", (request) => {
        const { label, ...others } = Object(bodyOf(request));
        if (typeof label !== "string") return request;
        return withRequestBody(request, { ...others, label: label.split(end)[0] });
      }),
    ),
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
  mutantOf("KEYC-11", "namesakes", "ends the other keys with the label of one that is rotated", [
    keepingKeys(() => {
      const labelled = new Map<string, string>();
      return (keys) => ({
        async insert(key) {
          labelled.set(key.id, `${key.organizationId} ${key.label}`);
          await keys.insert(key);
        },
        async update(id, key) {
          await keys.update(id, key);
          if (key.revokedAt !== null) return;
          const label = `${key.organizationId} ${key.label}`;
          for (const [other, its] of labelled) {
            const namesake = other !== id && its === label ? await keys.find(other) : null;
            if (namesake !== null) await keys.update(other, { ...namesake, revokedAt: namesake.createdAt });
          }
        },
      });
    }),
  ]),
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
];
