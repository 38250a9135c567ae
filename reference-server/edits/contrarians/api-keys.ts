import { operations } from "../../../generated/operations.ts";
import type { Contrarian } from "../edit.ts";
import { remembering } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { acceptingReplaced } from "../rotations.ts";
import { working } from "../unit-changes.ts";
import { dataOf, isRefusal, type Wire, withData, withMessage } from "../wire.ts";
import { withKey } from "../wire-requests.ts";

const envelope = "http/envelope.ts";

/** Has the secrets of a key begin alike, whichever rotation they came from. */
const keepingPrefix: Wire = (serve) => {
  const prefixes = new Map<unknown, string>();
  const own = new Map<string, string>();
  return async (request) => {
    const known = own.get(request.headers.authorization?.replace(/^bearer +/i, "") ?? "");
    const answer = await serve(known === undefined ? request : withKey(request, known));
    const data = dataOf(answer);
    if (data === null || typeof data.prefix !== "string" || typeof data.org_id !== "string") return answer;
    const prefix = prefixes.get(data.id) ?? data.prefix;
    prefixes.set(data.id, prefix);
    if (request.operation !== operations.rotateApiKey.id) return withData(answer, { ...data, prefix });
    const plaintext = prefix + String(data.plaintext).slice(prefix.length);
    own.set(plaintext, String(data.plaintext));
    return withData(answer, { ...data, prefix, plaintext });
  };
};

/** Servers that treat keys, and what is shown of them, in other ways. */
export const apiKeyContrarians: readonly Contrarian[] = [
  {
    id: "Q43-daily",
    does: "keeps the time of last use by the day",
    answers: "Q43",
    changes: [
      {
        file: "routes/api-keys.ts",
        find: "timestamp(key.lastUsedAt, precision)",
        replace: "timestamp(Math.floor(key.lastUsedAt / 86_400_000) * 86_400_000, precision)",
      },
    ],
  },
  {
    id: "Q14-additive",
    does: "adds members that the contract does not name to keys, errors and the envelope",
    answers: "Q14",
    changes: [
      {
        file: "routes/api-keys.ts",
        find: "    label: key.label,",
        replace: '    label: key.label, ...{ environment: "live", tags: [] },\n',
      },
      {
        file: envelope,
        find: "(data: unknown) => ({ success: true, data })",
        replace: "(data: unknown) => ({ success: true, data, links: {} })",
      },
      {
        file: envelope,
        find: "request_id: requestId",
        replace: 'request_id: requestId, type: "about:blank"',
      },
    ],
  },
  {
    id: "Q14-changing",
    does: "counts how often a key was shown in a member of its own, and hints at mistakes in bodies",
    answers: "Q14",
    changes: [
      {
        wire: (serve) => {
          let shown = 0;
          return async (request) => {
            const answer = await serve(request);
            const data = dataOf(answer);
            return data?.prefix === undefined ? answer : withData(answer, { ...data, times_shown: ++shown });
          };
        },
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
      remembering(
        "routes/api-keys.ts",
        'import type { Store } from "../store/store.ts";',
        "const labels = new Set<string>();",
      ),
      {
        file: "routes/api-keys.ts",
        find: "const refusal = refuseGrant(caller, body.scopes, choices);",
        replace:
          'const name = `${caller.organization.id} ${body.label}`;\n      const taken = labels.has(name) || !/^[a-z][a-z0-9-]{3,23}$/i.test(body.label ?? "");\n      const refusal = refuseGrant(caller, body.scopes, choices) ?? (taken ? (Object.assign(keyNotFound(), { row: "Conflict" }) as never) : null);\n      if (refusal === null) labels.add(name);',
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
        find: "return { ...wireKey(rotated, precision), plaintext: secret.plaintext };",
        replace: "return { key: wireKey(rotated, precision), secret: secret.plaintext } as never;",
      },
      {
        file: "http/authorize.ts",
        find: "const wanted = routeOf(exchange).operation.scope;",
        replace: `const { id, scope: declared } = routeOf(exchange).operation;\n  const wanted = id === "rotateApiKey" ? "${operations.getApiKey.scope}" : declared;`,
      },
    ],
  },
  {
    id: "Q46-unnamed",
    does: "makes another key of one that is rotated, and answers with its secret alone",
    answers: "Q46",
    excludes: ["Q46-shape", "Q46-prefix"],
    changes: [
      {
        file: "routes/api-keys.ts",
        find: 'const nextId = choices.rotatedId === "same" ? path.id : world.newId();',
        replace: "const nextId = world.newId();",
      },
      {
        file: "routes/api-keys.ts",
        find: "return { ...wireKey(rotated, precision), plaintext: secret.plaintext };",
        replace: "return { plaintext: secret.plaintext } as never;",
      },
    ],
  },
  {
    id: "Q41-form",
    does: "gives key secrets another form behind the mark",
    answers: "Q41",
    changes: [
      { file: "domain/keys/api-key-secret.ts", find: "const randomLength = 30;", replace: "const randomLength = 44;" },
    ],
  },
  {
    id: "Q41-decoded",
    does: "decodes key secrets before it looks them up, and overlooks the bits of the last character that hold nothing",
    answers: "Q41",
    changes: [
      {
        file: "domain/keys/api-key-secret.ts",
        find: "  return marks[kind] + body + checksum(body);",
        replace: '  return marks[kind] + Buffer.from(randomBytes(body.length + 1)).toString("base64url");',
      },
      {
        file: "domain/keys/api-key-secret.ts",
        find: "  if (!shape.test(text)) return null;",
        replace:
          '  if (/^svc_(live|sess)_[\\w-]{42,}$/.test(text)) return text.startsWith(marks.key) ? "key" : "session";\n  if (!shape.test(text)) return null;',
      },
      {
        file: "domain/keys/api-key-secret.ts",
        find: 'hash("sha256", secret)',
        replace: 'hash("sha256", Buffer.from(secret.slice(9), "base64url"))',
      },
    ],
  },
  {
    id: "Q46-fewer",
    does: "drops the last of several scopes at a rotation",
    answers: "Q46",
    changes: [
      {
        file: "routes/api-keys.ts",
        find: "const rotated = rotatedKey(key, secret, nextId);",
        replace: `const rotated = { ...rotatedKey(key, secret, nextId), scopes: key.scopes.slice(0, Math.max(1, key.scopes.length - 1)) };`,
      },
    ],
  },
  {
    id: "Q46-grace",
    does: "keeps the old secret of a rotated key valid for ten minutes",
    answers: "Q46",
    changes: [acceptingReplaced((since) => since < 600_000)],
  },
  {
    id: "Q34-more-scopes",
    does: "knows scopes that the document does not name",
    answers: "Q34",
    changes: [
      {
        file: "domain/keys/api-keys.ts",
        find: "known.has(scope)",
        replace: 'known.has(scope) || scope.endsWith(":admin")',
      },
    ],
  },
  {
    id: "Q47-not-found",
    does: "no longer finds a revoked key that is to be rotated",
    answers: "Q47",
    changes: [
      {
        file: "domain/keys/api-keys.ts",
        find: "if (key.revokedAt !== null) return keyRevoked();",
        replace: "if (key.revokedAt !== null) return keyNotFound();",
      },
    ],
  },
  {
    id: "Q48-silent",
    does: "tells nobody of keys",
    answers: "Q48",
    changes: [
      working(() => (tx) => {
        // Events that a sandbox emits by themselves are about no key that the same unit writes.
        let writesKeys = false;
        return {
          keys: withMembers(tx.keys, {
            insert(key) {
              writesKeys = true;
              return tx.keys.insert(key);
            },
            update(id, key) {
              writesKeys = true;
              return tx.keys.update(id, key);
            },
          }),
          enqueue: async (event, to) => (writesKeys ? 0 : tx.enqueue(event, to)),
        };
      }),
    ],
  },
  {
    id: "Q46-prefix",
    does: "keeps the prefix of a key that is rotated, with which its new secret begins too",
    answers: "Q46",
    changes: [{ wire: keepingPrefix }],
    excludes: ["Q46-shape"],
  },
  {
    id: "Q30-called",
    does: "names in the refusal of nobody what was called",
    answers: "Q30",
    changes: [
      {
        wire: (serve) => async (request) => {
          const answer = await serve(request);
          const [path] = request.path.split("?");
          return isRefusal(answer, "Unauthorized") ? withMessage(answer, `(${request.method} ${path})`) : answer;
        },
      },
    ],
  },
];
