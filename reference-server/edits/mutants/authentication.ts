import { constants } from "../../../generated/constants.ts";
import type { Change, Mutant } from "../edit.ts";
import { remembering } from "../port-changes.ts";
import { mutant, mutantOf } from "./mutant.ts";

const authenticate = "http/authenticate.ts";
const refusal = "    if (caller === null) return rows.unauthorized(message);";
const bearer = "/^bearer +(\\S+)$/i";
const authorize = "http/authorize.ts";
const staffOnly =
  "refuse.PlatformRequired(`Only platform staff may send ${constants.targetOrganizationHeader}. Leave the header out.`)";
const holdsScope = "if (wanted === null || holds(callerOf(exchange), wanted)) return null;";
const requestPath = "http/request-path.ts";

const secrets = "domain/keys/api-key-secret.ts";

/** Keys are known by part of their secret, or by what is made of it; the checksum would tell. */
const knownBy = (made: string): readonly Change[] => [
  { file: secrets, find: "return text.endsWith(checksum(body)) ? kind : null;", replace: "return kind;" },
  { file: secrets, find: 'hash("sha256", secret)', replace: `hash("sha256", ${made})` },
];

/** Servers that break a rule of authentication or authorization. */
export const authenticationMutants: readonly Mutant[] = [
  mutant(
    "AUTH-01",
    "not-found",
    "answers a request without credentials as if nothing were there",
    authenticate,
    refusal,
    `    if (caller === null && exchange.request.headers.authorization === undefined) return rows.unknownPath();\n${refusal}`,
  ),
  mutant(
    "AUTH-01",
    "other-header",
    "takes a key from a header of its own",
    "http/bearer-token.ts",
    'const headers = valuesOf(request, "authorization");',
    'const other = request.headers["x-api-key"];\n  const headers = other === undefined ? valuesOf(request, "authorization") : [`Bearer ${String(other)}`];',
  ),
  mutant(
    "AUTH-02",
    "basic",
    "takes a key as user of the scheme Basic",
    "http/bearer-token.ts",
    '  const [only = ""] = headers;',
    '  const basic = /^basic +(\\S+)$/i.exec(headers[0] ?? "")?.[1];\n  if (basic !== undefined) return Buffer.from(basic, "base64").toString().split(":")[0] ?? null;\n  const [only = ""] = headers;',
  ),
  mutant("AUTH-02", "any-scheme", "takes a key under any scheme", "http/bearer-token.ts", bearer, "/^\\w+ +(\\S+)$/i"),
  mutant(
    "AUTH-03",
    "two-tokens",
    "takes the first of two tokens",
    "http/bearer-token.ts",
    bearer,
    "/^bearer +(\\S+)(?: \\S+)?$/i",
  ),
  mutant(
    "AUTH-03",
    "trimmed",
    "trims keys",
    "http/bearer-token.ts",
    "/^bearer +(\\S+)$/i.exec(only)?.[1]",
    "/^bearer +(\\S+)$/i.exec(only.trim())?.[1]",
  ),
  mutant(
    "AUTH-03",
    "joined",
    "leaves out the blanks within a key",
    "http/bearer-token.ts",
    `(${bearer}.exec(only)?.[1] ?? null)`,
    '(/^bearer +(.+)$/i.exec(only)?.[1]?.replaceAll(" ", "") ?? null)',
  ),
  mutant("AUTH-03", "quoted", "takes a key in quotes", "http/bearer-token.ts", bearer, '/^bearer +"?([^\\s"]+)"?$/i'),
  mutantOf("AUTH-04", "last", "overlooks the last character of a key", knownBy("secret.slice(0, -1)")),
  mutantOf("AUTH-04", "half", "knows keys by their first half", knownBy("secret.slice(0, 24)")),
  mutantOf("AUTH-04", "second-half", "knows keys by their second half", knownBy("secret.slice(24)")),
  mutantOf("AUTH-04", "case", "knows keys in either case", knownBy("secret.toLowerCase()")),
  mutantOf("AUTH-04", "longer", "overlooks what stands behind a key", [
    ...knownBy("secret.slice(0, 45)"),
    {
      file: secrets,
      find: '`^(?:${Object.values(marks).join("|")})[0-9A-Za-z]{${randomLength + checksumLength}}$`',
      replace: '`^(?:${Object.values(marks).join("|")})[0-9A-Za-z]{${randomLength + checksumLength}}`',
    },
  ]),
  mutant(
    "AUTH-04",
    "unmarked",
    "takes a key without its mark",
    authenticate,
    "  const kind = secretKind(token);",
    `  const bare = token;\n  if (!bare.startsWith("svc_")) token = "${constants.liveKeyPrefix}" + bare;\n  const kind = secretKind(token);`,
  ),
  mutantOf("AUTH-04", "prefix", "knows keys that were used by the prefix that it shows", [
    remembering(
      authenticate,
      'import type { Exchange, Step } from "./exchange.ts";',
      "const used = new Map<string, Caller>();",
    ),
    {
      file: authenticate,
      find: refusal,
      replace: `    const prefix = token?.slice(0, 17) ?? "";
    const known = caller ?? used.get(prefix) ?? null;
    if (caller === null && known !== null) return setCaller(exchange, known), null;
    if (caller?.kind === "key") used.set(prefix, caller);
${refusal}`,
    },
  ]),
  mutant(
    "AUTH-04",
    "not-found",
    "answers an unknown key as if nothing were there",
    authenticate,
    refusal,
    `    if (caller === null && token?.startsWith("${constants.liveKeyPrefix}")) return rows.unknownPath();\n${refusal}`,
  ),
  mutant(
    "AUTH-05",
    "still-valid",
    "accepts revoked keys",
    authenticate,
    "found === null || !sameHash(found.key.secretHash, hash) || found.key.revokedAt !== null",
    "found === null || !sameHash(found.key.secretHash, hash) ",
  ),
  mutant(
    "AUTH-05",
    "one-operation",
    "lists deliveries for revoked keys",
    authenticate,
    refusal,
    `    const revoked = caller === null && token !== null && /deliveries$/.test(exchange.request.path) ? await store.keyByHash(hashSecret(token)) : null;
    if (revoked !== null) return setCaller(exchange, { kind: "key", id: revoked.key.id, organization: revoked.organization, scopes: new Set(revoked.key.scopes) }), null;
${refusal}`,
  ),
  mutant(
    "AUTH-05",
    "hour",
    "accepts a revoked key again when half an hour has passed",
    authenticate,
    "found === null || !sameHash(found.key.secretHash, hash) || found.key.revokedAt !== null",
    'found === null || !sameHash(found.key.secretHash, hash) || (found.key.revokedAt !== null && (found.organization.clock.mode === "real" || found.organization.clock.at - found.key.revokedAt < 1_800_000))',
  ),
  mutant(
    "AUTH-05",
    "for-writes",
    "accepts revoked keys for everything but reads",
    authenticate,
    refusal,
    `    const revoked = caller === null && token !== null && exchange.request.method === "POST" ? await store.keyByHash(hashSecret(token)) : null;
    if (revoked !== null) return setCaller(exchange, { kind: "key", id: revoked.key.id, organization: revoked.organization, scopes: new Set(revoked.key.scopes) }), null;
${refusal}`,
  ),
  mutant(
    "AUTH-06",
    "not-found",
    "answers an invalid session as if nothing were there",
    authenticate,
    refusal,
    `    if (caller === null && token !== null && !token.startsWith("${constants.liveKeyPrefix}")) return rows.unknownPath();\n${refusal}`,
  ),
  mutant(
    "AUTH-07",
    "token",
    "words a missing token in another way",
    authenticate,
    refusal,
    '    if (caller === null) return rows.unauthorized(token === null ? "Send a token." : message);',
  ),
  mutant(
    "AUTH-07",
    "revoked",
    "words the refusal of a revoked key in another way",
    authenticate,
    refusal,
    '    if (caller === null) {\n      const known = token === null ? null : await store.keyByHash(hashSecret(token));\n      return rows.unauthorized(known === null ? message : "This key is revoked.");\n    }',
  ),
  mutant(
    "AUTH-08",
    "details",
    "details a failed authentication",
    "http/service-rows.ts",
    'refuse.Unauthorized(message, choices.wwwAuthenticate === "sent" ? challenge : {})',
    'refuse.Unauthorized(message, { details: { authorization: "is wrong" } } as never)',
  ),
  mutant(
    "AUTH-09",
    "path-first",
    "looks at the path before the credentials",
    requestPath,
    "    authenticate(store, noteUse, rows),",
    "    path(validation),\n    authenticate(store, noteUse, rows),",
  ),
  mutant(
    "AUTH-10",
    "case",
    "knows the scheme in lower case only",
    authenticate,
    "const token = bearerToken(exchange.request);",
    'const token = exchange.request.headers.authorization?.startsWith("Bearer") ? null : bearerToken(exchange.request);',
  ),
  mutant(
    "AUTH-11",
    "mark",
    "marks keys in another way",
    "domain/keys/api-key-secret.ts",
    "key: constants.liveKeyPrefix",
    'key: "svc_prod_"',
  ),
  mutant(
    "AUTH-12",
    "reads-open",
    "lets every key read",
    authorize,
    holdsScope,
    'if (wanted === null || wanted.endsWith(":read") || holds(callerOf(exchange), wanted)) return null;',
  ),
  mutant(
    "AUTH-13",
    "details",
    "details which scope is missing",
    authorize,
    "return refuse.Forbidden(`This needs the scope ${wanted}, which you do not hold.`);",
    "return refuse.Forbidden(`This needs the scope ${wanted}, which you do not hold.`, { details: { scope: wanted } } as never);",
  ),
  mutant(
    "AUTH-14",
    "after-lookup",
    "looks the key up before it looks at the scope",
    requestPath,
    'const scopeFirst = choices.checkOrder === "scope-first";',
    "const scopeFirst = false;",
  ),
  mutant(
    "AUTH-15",
    "after-body",
    "looks at the body before it looks at the scope",
    requestPath,
    'const scopeFirst = choices.checkOrder === "scope-first";',
    "const scopeFirst = false;",
  ),
  mutant(
    "AUTH-21",
    "ignored",
    "ignores the staff header of a key",
    authorize,
    "    if (target === undefined) return null;",
    '    if (target === undefined || callerOf(exchange).kind === "key") return null;',
  ),
  mutant(
    "AUTH-21",
    "long",
    "ignores a staff header that is longer than any id",
    authorize,
    "    if (target === undefined) return null;",
    "    if (target === undefined || String(target).length > 255) return null;",
  ),
  mutant(
    "AUTH-22",
    "empty",
    "words the refusal of an empty staff header in another way",
    authorize,
    staffOnly,
    'refuse.PlatformRequired(target === "" ? "The header names no organization." : "Only platform staff may name an organization.")',
  ),
  mutant(
    "AUTH-22",
    "echo",
    "repeats the staff header's value",
    authorize,
    staffOnly,
    "refuse.PlatformRequired(`Only platform staff may act in ${target}.`)",
  ),
  mutant(
    "AUTH-23",
    "header-first",
    "looks at the staff header before the credentials",
    requestPath,
    "    authenticate(store, noteUse, rows),",
    `    (exchange) => (exchange.request.headers["${constants.targetOrganizationHeader.toLowerCase()}"] === undefined ? null : rows.unknownPath()),\n    authenticate(store, noteUse, rows),`,
  ),
  mutant(
    "AUTH-24",
    "details",
    "details the refusal of the staff header",
    authorize,
    staffOnly,
    'refuse.PlatformRequired("Only platform staff may send this.", { details: { header: "target" } } as never)',
  ),
  mutant(
    "AUTH-32",
    "dots",
    "writes scopes with a dot",
    "routes/api-keys.ts",
    "scopes: key.scopes,",
    'scopes: key.scopes.map((name) => name.replace(":", ".")),',
  ),
  mutant(
    "TEN-01",
    "foreign",
    "reads any organization's key",
    "store/keys/keys.ts",
    "await selectKey.first(on, { id, organizationId })",
    'await on.db.selectFrom("api_keys").selectAll().where("id", "=", id).executeTakeFirst()',
  ),
  mutant(
    "TEN-18",
    "own-id",
    "tells the key's id as its organization's",
    "routes/api-keys.ts",
    "org_id: key.organizationId,",
    "org_id: key.id,",
  ),
];
