import { operations } from "../../../generated/operations.ts";
import { keyRevoked } from "../../domain/keys/api-keys.ts";
import type { Mutant } from "../edit.ts";
import { idIn } from "../seen.ts";
import { dataOf, onAnswer, onData, refusedWith, type Wire, withData } from "../wire.ts";
import { mutant, mutantOf } from "./mutant.ts";

const routes = "routes/api-keys.ts";
const domain = "domain/keys/api-keys.ts";
const authorize = "http/authorize.ts";
const holdsScope = "if (wanted === null || holds(callerOf(exchange), wanted)) return null;";
const read = "return key === null ? keyNotFound() : wireKey(key, precision);";
const also = (condition: string): string => holdsScope.replace("wanted === null", `wanted === null || ${condition}`);

type Data = Readonly<Record<string, unknown>>;

/** Shows keys that are read in another way, given the secret that their creation showed and the count of reads. */
const rememberingSecrets =
  (change: (data: Data, secret: unknown, reads: number) => Data): Wire =>
  (serve) => {
    const secrets = new Map<unknown, unknown>();
    let reads = 0;
    return async (request) => {
      const answer = await serve(request);
      const data = dataOf(answer);
      if (data === null) return answer;
      if (request.operation === "createApiKey") secrets.set(data.id, data.plaintext);
      if (request.operation !== "getApiKey") return answer;
      reads++;
      return withData(answer, change(data, secrets.get(data.id), reads));
    };
  };

/** Servers that break a rule of reading an API key. */
export const apiKeyReadMutants: readonly Mutant[] = [
  mutantOf("KEYG-01", "revoked", "leaves the prefix of a revoked key out", [
    {
      wire: onData("getApiKey", ({ prefix: shown, ...data }) =>
        data.revoked_at === null ? { ...data, prefix: shown } : data,
      ),
    },
  ]),
  mutant(
    "KEYG-04",
    "two-scopes",
    "shows two scopes of a key that is read",
    routes,
    read,
    "return key === null ? keyNotFound() : { ...wireKey(key, precision), scopes: key.scopes.slice(0, 2) };",
  ),
  mutant(
    "KEYG-01",
    "used",
    "no longer finds a key that was used",
    routes,
    read,
    "return key === null || key.lastUsedAt !== null ? keyNotFound() : wireKey(key, precision);",
  ),
  mutant(
    "KEYG-02",
    "null",
    "shows a null plaintext",
    routes,
    read,
    "return key === null ? keyNotFound() : { ...wireKey(key, precision), plaintext: null };",
  ),
  mutant(
    "KEYG-02",
    "used",
    "shows a plaintext of a key that was used",
    routes,
    read,
    'return key === null ? keyNotFound() : { ...wireKey(key, precision), ...(key.lastUsedAt === null ? {} : { plaintext: "***" }) };',
  ),
  mutantOf("KEYG-03", "second", "shows the secret in every second read", [
    {
      wire: rememberingSecrets((data, secret, reads) => (reads % 2 === 0 ? { ...data, note: `was ${secret}` } : data)),
    },
  ]),
  mutantOf("KEYG-03", "unmarked", "shows the secret in a read, without its mark", [
    { wire: rememberingSecrets((data, secret) => ({ ...data, reference: String(secret).slice(9) })) },
  ]),
  mutantOf("KEYG-03", "base64", "shows the secret in a read, in another form", [
    {
      wire: rememberingSecrets((data, secret) => ({
        ...data,
        reference: Buffer.from(String(secret)).toString("base64"),
      })),
    },
  ]),
  mutantOf("KEYG-03", "member", "repeats the secret in another member of the read", [
    { wire: rememberingSecrets((data, secret) => ({ ...data, hint: secret })) },
  ]),
  mutant(
    "KEYG-04",
    "prefix",
    "shows a shorter prefix than at creation",
    routes,
    read,
    "return key === null ? keyNotFound() : { ...wireKey(key, precision), prefix: key.prefix.slice(0, 10) };",
  ),
  mutant(
    "KEYG-05",
    "read-is-use",
    "calls a read key used",
    routes,
    read,
    "return key === null ? keyNotFound() : { ...wireKey(key, precision), last_used_at: timestamp(world.now(), precision) };",
  ),
  mutant("KEYG-06", "never", "never notes a use", "http/authenticate.ts", "  await noteUse(key, organization);\n", ""),
  mutant(
    "KEYG-06",
    "epoch",
    "says of every used key that it was used in 1970",
    routes,
    "timestamp(key.lastUsedAt, precision)",
    "timestamp(0, precision)",
  ),
  mutant(
    "KEYG-07",
    "hidden",
    "does not tell that a key is revoked",
    routes,
    "revoked_at: key.revokedAt === null ? null : timestamp(key.revokedAt, precision),",
    "revoked_at: null,",
  ),
  mutant(
    "KEYG-07",
    "epoch",
    "dates a revocation to 1970",
    routes,
    "revoked_at: key.revokedAt === null ? null : timestamp(key.revokedAt, precision),",
    "revoked_at: key.revokedAt === null ? null : timestamp(0, precision),",
  ),
  mutant(
    "KEYG-08",
    "conflict",
    "answers an unknown id with a conflict",
    domain,
    'refuse.NotFound("There is no such API key.")',
    'refuse.Conflict("There is no such API key.")',
  ),
  mutant(
    "KEYG-09",
    "form",
    "answers a malformed id with 422",
    "http/service-rows.ts",
    'path: (operation, details) =>\n      malformedId(operation, choices) === "ValidationFailed"\n        ? refuse.ValidationFailed(pathMessage, details)\n        : refuse.ValidationFailed400(pathMessage, details),\n    fields: (details) => refuse.ValidationFailed(fieldsMessage, details)',
    'path: (operation, details) =>\n      malformedId(operation, choices) === "ValidationFailed"\n        ? refuse.ValidationFailed(pathMessage, details)\n        : refuse.ValidationFailed(pathMessage, details),\n    fields: (details) => refuse.ValidationFailed(fieldsMessage, details)',
  ),
  mutantOf("KEYG-08", "versions", "calls a UUID malformed that is of no version of its own", [
    {
      wire: onAnswer("getApiKey", (answer, request) =>
        ["4", "7"].includes(idIn(request)[14] ?? "") ? answer : refusedWith(answer, keyRevoked()),
      ),
    },
  ]),
  mutantOf("KEYG-09", "cut", "reads the first 36 characters of an id", [
    {
      file: "http/validate-request.ts",
      find: "const values = typed(Object.entries(exchange.parameters), schemas.path);",
      replace:
        "const cut = Object.entries(exchange.parameters).map(([name, value]) => [name, String(value).slice(0, 36)] as const);\n    const values = typed(cut as never, schemas.path);",
    },
  ]),
  mutantOf("KEYG-09", "bare", "reads ids without their hyphens", [
    {
      file: "http/validate-request.ts",
      find: "const values = typed(Object.entries(exchange.parameters), schemas.path);",
      replace:
        'const whole = Object.entries(exchange.parameters).map(([name, value]) => [name, String(value).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")] as const);\n    const values = typed(whole as never, schemas.path);',
    },
  ]),
  mutantOf("KEYG-09", "letters", "minds letters in the first group of an id only", [
    {
      file: "http/validate-request.ts",
      find: "const values = typed(Object.entries(exchange.parameters), schemas.path);",
      replace:
        'const lax = Object.entries(exchange.parameters).map(([name, value]) => [name, String(value).replace(/-.*/, (rest) => rest.replace(/[g-z]/gi, "0"))] as const);\n    const values = typed(lax as never, schemas.path);',
    },
  ]),
  mutant(
    "KEYG-10",
    "unnamed",
    "does not name the malformed parameter",
    "http/service-rows.ts",
    'path: (operation, details) =>\n      malformedId(operation, choices) === "ValidationFailed"\n        ? refuse.ValidationFailed(pathMessage, details)\n        : refuse.ValidationFailed400(pathMessage, details),\n    fields: (details) => refuse.ValidationFailed(fieldsMessage, details)',
    'path: (operation, details) =>\n      malformedId(operation, choices) === "ValidationFailed"\n        ? refuse.ValidationFailed(pathMessage, details)\n        : refuse.ValidationFailed400(pathMessage, { parameter: "is malformed" }),\n    fields: (details) => refuse.ValidationFailed(fieldsMessage, details)',
  ),
  mutant(
    "KEYG-11",
    "open",
    "lets every key read keys",
    authorize,
    holdsScope,
    also(`wanted === "${operations.getApiKey.scope}"`),
  ),
  mutant(
    "KEYG-12",
    "writer",
    "lets writers read",
    authorize,
    holdsScope,
    also('(wanted.endsWith(":read") && holds(callerOf(exchange), wanted.replace(":read", ":write")))'),
  ),
  mutant(
    "KEYG-13",
    "drift",
    "tells another time of creation at every read",
    routes,
    "created_at: timestamp(key.createdAt, precision),",
    "created_at: timestamp(key.createdAt + Math.floor(Math.random() * 5_000), precision),",
  ),
];
