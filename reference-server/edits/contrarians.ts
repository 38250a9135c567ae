import { operations } from "../../generated/operations.ts";
import type { Contrarian } from "./edit.ts";

const envelope = "http/envelope.ts";

/** Servers that obey the document and differ from the reference in what no option flips. */
export const contrarians: readonly Contrarian[] = [
  {
    id: "Q14-additive",
    does: "adds members that the contract does not name to keys, errors and the envelope",
    answers: "Q14",
    changes: [
      {
        file: "routes/api-keys.ts",
        find: "    label: key.label,",
        replace: '    label: key.label, environment: "live", tags: [],\n',
      },
      { file: envelope, find: "({ success: true, data });", replace: "({ success: true, data, links: {} });" },
      {
        file: envelope,
        find: "request_id: requestId, ...details },",
        replace: 'request_id: requestId, type: "about:blank", ...details },',
      },
    ],
  },
  {
    id: "Q14-changing",
    does: "counts how often a key was shown in a member of its own, and hints at mistakes in bodies",
    answers: "Q14",
    changes: [
      {
        file: "routes/api-keys.ts",
        find: "    prefix: key.prefix,",
        replace:
          "    prefix: key.prefix,\n    ...{ times_shown: ((globalThis as Record<string, unknown>).shown = (Number((globalThis as Record<string, unknown>).shown) || 0) + 1) },",
      },
      {
        file: envelope,
        find: "const details = refusal.details === null ? {} : { details: refusal.details };",
        replace:
          'const hint = refusal.row === "ValidationFailed" ? { hint: "see the guide" } : {};\n  const details = refusal.details === null ? {} : { ...hint, details: refusal.details };',
      },
    ],
  },
  {
    id: "Q11-lenient",
    does: "reads the first JSON value of a body and overlooks what follows",
    answers: "Q11",
    changes: [
      {
        file: "http/read-body.ts",
        find: "const value = parse(text);",
        replace: 'const value = parse(text) ?? parse(text.replace(/\\}\\}$/, "}").replace(/,\\}$/, "}"));',
      },
    ],
  },
  {
    id: "Q15-in-message",
    does: "names the request in its messages about what is not there",
    answers: "Q15",
    changes: [
      {
        file: envelope,
        find: "message: refusal.message,",
        replace: 'message: refusal.row === "NotFound" ? `${refusal.message} (request ${requestId})` : refusal.message,',
      },
    ],
  },
  {
    id: "Q17-rounded",
    does: "keeps times in whole seconds, the nearest one",
    answers: "Q17",
    changes: [
      {
        file: "routes/api-keys.ts",
        find: "const key = await store.key(caller.organization.id, path.id);",
        replace:
          "const kept = await store.key(caller.organization.id, path.id);\n      const key = kept && { ...kept, createdAt: Math.round(kept.createdAt / 1000) * 1000 };",
      },
    ],
  },
  {
    id: "Q24-strict",
    does: "wants labels that are short, of letters, digits and hyphens, and no other key's",
    answers: "Q24",
    changes: [
      {
        file: "routes/api-keys.ts",
        find: "const refusal = refuseGrant(caller, body.scopes, choices);",
        replace:
          'const labels = ((globalThis as Record<string, unknown>).labels ??= new Set()) as Set<string>;\n      const name = `${caller.organization.id} ${body.label}`;\n      const taken = labels.has(name) || !/^[a-z][a-z0-9-]{3,23}$/i.test(body.label ?? "");\n      const refusal = refuseGrant(caller, body.scopes, choices) ?? (taken ? keyRevoked() : null);\n      if (refusal === null) labels.add(name);',
      },
    ],
  },
  {
    id: "Q46-shape",
    does: "answers a rotation in another form, and lets readers of keys rotate them",
    answers: "Q46",
    changes: [
      {
        file: "routes/api-keys.ts",
        find: "{ ...wireKey(rotated, precision), plaintext: secret.plaintext };\n    },\n  };",
        replace: "({ key: wireKey(rotated, precision), secret: secret.plaintext } as never);\n    },\n  };",
      },
      {
        file: "http/authorize.ts",
        find: "const wanted = routeOf(exchange).operation.scope;",
        replace: `const { id, scope: declared } = routeOf(exchange).operation;\n  const wanted = id === "rotateApiKey" ? "${operations.getApiKey.scope}" : declared;`,
      },
    ],
  },
  {
    id: "Q54-reads",
    does: "limits reads too, with a code of its own",
    answers: "Q54",
    changes: [
      {
        file: "http/rate-limit.ts",
        find: "const { bucket } = routeOf(exchange).operation;",
        replace: 'const bucket = routeOf(exchange).operation.bucket ?? "reads";',
      },
      {
        file: "http/rate-limit.ts",
        find: "const bucket = isBucket(name) ?",
        replace: 'if (name === "reads") return { capacity: 15, periodSeconds: 1 };\n  const bucket = isBucket(name) ?',
      },
    ],
  },
  {
    id: "Q15-opaque",
    does: "gives request ids another form",
    answers: "Q15",
    changes: [
      {
        file: "http/request-id.ts",
        find: "`req_${randomUUIDv7()}`",
        replace: 'Buffer.from(randomUUIDv7()).toString("base64url")',
      },
    ],
  },
  {
    id: "Q30-headers",
    does: "words messages in another language and sends more headers",
    answers: "Q30",
    changes: [
      {
        file: envelope,
        find: '    "cache-control": "no-store",',
        replace: '    "cache-control": "private, no-store",\n    "x-served-by": "edge-7",\n    vary: "Origin",',
      },
      {
        file: "domain/api-keys.ts",
        find: 'refuse.NotFound("There is no such API key.")',
        replace: 'refuse.NotFound("Schlüssel nicht gefunden.")',
      },
    ],
  },
  {
    id: "Q33-charset",
    does: "names the charset of its answers",
    answers: "Q33",
    changes: [
      {
        file: envelope,
        find: '"content-type": "application/json",',
        replace: '"content-type": "application/json; charset=utf-8",',
      },
    ],
  },
  {
    id: "Q41-form",
    does: "gives key secrets another form behind the mark",
    answers: "Q41",
    changes: [
      { file: "domain/api-key-secret.ts", find: "const randomLength = 30;", replace: "const randomLength = 44;" },
    ],
  },
  {
    id: "Q17-zero-offset",
    does: "writes UTC as an offset of zero",
    answers: "Q17",
    changes: [
      { file: "domain/clock.ts", find: "      return text;", replace: '      return text.replace("Z", "+00:00");' },
    ],
  },
  {
    id: "Q2-created",
    does: "answers every success of the reference's 200 with 201",
    answers: "Q2",
    changes: [
      {
        file: "http/success-status.ts",
        find: "return success.reference;",
        replace: 'return success.allowed === "2XX" && success.reference === 200 ? 201 : success.reference;',
      },
    ],
  },
  {
    id: "Q21-body-400",
    does: "answers an invalid field of the body with the 400 form",
    answers: "Q21",
    changes: [
      {
        file: "http/service-rows.ts",
        find: "fields: (details) => refuse.ValidationFailed(fieldsMessage, details),",
        replace: "fields: (details) => refuse.ValidationFailed400(fieldsMessage, details),",
      },
    ],
  },
  {
    id: "Q32-path-first",
    does: "tells a caller without credentials that a path does not exist",
    answers: "Q32",
    changes: [
      {
        file: "http/app.ts",
        find: "[entry, () => rows.unknownPath()]",
        replace: "[() => rows.unknownPath()]",
      },
    ],
  },
  {
    id: "Q34-more-scopes",
    does: "knows scopes that the document does not name",
    answers: "Q34",
    changes: [
      {
        file: "domain/api-keys.ts",
        find: "known.has(scope);",
        replace: 'known.has(scope) || scope.endsWith(":admin");',
      },
    ],
  },
  {
    id: "Q39-empty",
    does: "takes an empty staff header as not sent",
    answers: "Q39",
    changes: [
      {
        file: "http/authorize.ts",
        find: "    if (target === undefined) return null;",
        replace: '    if (target === undefined || target === "") return null;',
      },
    ],
  },
  {
    id: "Q47-not-found",
    does: "no longer finds a revoked key that is to be rotated",
    answers: "Q47",
    changes: [
      {
        file: "domain/api-keys.ts",
        find: "if (key.revokedAt !== null) return keyRevoked();",
        replace: "if (key.revokedAt !== null) return keyNotFound();",
      },
    ],
  },
  {
    id: "Q55-headers",
    does: "tells in headers how much of a limit is left",
    answers: "Q55",
    changes: [
      {
        file: "http/envelope.ts",
        find: '    "content-length": Buffer.byteLength(text),',
        replace:
          '    "content-length": Buffer.byteLength(text),\n    "ratelimit-limit": "10",\n    "ratelimit-remaining": "9",',
      },
    ],
  },
];
