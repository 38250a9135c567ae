import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import { operations } from "../../../generated/operations.ts";
import { scopeNamed } from "../../../generated/scopes.ts";
import type { Mutant } from "../edit.ts";
import { seeing } from "../seen.ts";
import {
  dataOf,
  isRefusal,
  onAnswer,
  onData,
  refused,
  refusedWith,
  type Wire,
  withData,
  withMessage,
} from "../wire.ts";
import { bodyOf, withKey } from "../wire-requests.ts";
import { wireMutant } from "./mutant.ts";

const { createApiKey, getApiKey, rotateApiKey } = operations;

const tokenOf = (header: string | undefined): string => header?.replace(/^bearer +/i, "") ?? "";

/** Gives keys another secret than the server's own, under which the server knows them. */
const renaming =
  (operation: string, rename: (data: Readonly<Record<string, unknown>>) => string | null): Wire =>
  (serve) => {
    const own = new Map<string, string>();
    return async (request) => {
      const known = own.get(tokenOf(request.headers.authorization));
      const answer = await serve(known === undefined ? request : withKey(request, known));
      const data = request.operation === operation ? dataOf(answer) : null;
      const plaintext = data === null ? null : rename(data);
      if (data === null || plaintext === null) return answer;
      own.set(plaintext, String(data.plaintext));
      return withData(answer, { ...data, plaintext, prefix: plaintext.slice(0, String(data.prefix).length) });
    };
  };

const holds = ({ scopes }: Readonly<Record<string, unknown>>, scope: string): boolean =>
  Array.isArray(scopes) && scopes.includes(scope);

/** A secret of which the server knows nothing. */
const forgotten = ({ plaintext }: Readonly<Record<string, unknown>>): string =>
  String(plaintext).replace(/.$/, (last) => (last === "x" ? "y" : "x"));

/** Takes what is no key for one that it was shown, where `matches` says so of both and of what is known of the key. */
const takingFor =
  (matches: (token: string, known: string, id: string) => boolean): Wire =>
  (serve) => {
    const known: (readonly [string, string])[] = [];
    return async (request) => {
      const token = tokenOf(request.headers.authorization);
      const found = token === "" ? undefined : known.find((one) => token !== one[0] && matches(token, ...one));
      const answer = await serve(found === undefined ? request : withKey(request, found[0]));
      const data = dataOf(answer);
      if (typeof data?.plaintext === "string") known.unshift([data.plaintext, String(data.id)]);
      return answer;
    };
  };

const foreign = "0190a0b0-0000-7000-8000-000000000001";

/** Servers whose faults show in some keys alone. */
export const carelessKeyMutants: readonly Mutant[] = [
  wireMutant(
    "KEYC-07",
    "writers",
    "marks keys that may make others in another way",
    renaming(createApiKey.id, (data) =>
      holds(data, createApiKey.scope) ? String(data.plaintext).replace(constants.liveKeyPrefix, "svc_admin_") : null,
    ),
  ),
  wireMutant(
    "AUTH-11",
    "writers",
    "leaves the mark out of keys that may make others",
    renaming(createApiKey.id, (data) =>
      holds(data, createApiKey.scope) ? String(data.plaintext).slice(constants.liveKeyPrefix.length) : null,
    ),
  ),
  wireMutant(
    "KEYC-06",
    "webhooks",
    "shows the whole secret as prefix of keys that may write webhooks",
    onData(createApiKey.id, (data) =>
      holds(data, operations.createWebhookEndpoint.scope) ? { ...data, prefix: data.plaintext } : data,
    ),
  ),
  wireMutant(
    "KEYC-05",
    "blank",
    "leaves the mark out of the prefix where the label has a blank",
    onData(createApiKey.id, (data) =>
      String(data.label).includes(" ")
        ? { ...data, prefix: String(data.prefix).slice(constants.liveKeyPrefix.length) }
        : data,
    ),
  ),
  wireMutant(
    "KEYC-04",
    "bypass",
    "leaves the bypass of quiet hours out where it stands first",
    onData(createApiKey.id, (data) => {
      const [first, ...others] = Array.isArray(data.scopes) ? data.scopes : [];
      return first === scopeNamed.messagesBypassQuietHours && others.length > 0 ? { ...data, scopes: others } : data;
    }),
  ),
  wireMutant(
    "KEYG-02",
    "revoked",
    "shows a null plaintext of revoked keys",
    onData(getApiKey.id, (data) => (data.revoked_at === null ? data : { ...data, plaintext: null })),
  ),
  wireMutant(
    "KEYG-02",
    "masked",
    "shows a masked plaintext of keys with many scopes",
    onData(getApiKey.id, (data) =>
      Array.isArray(data.scopes) && data.scopes.length > 3 ? { ...data, plaintext: `${data.prefix}****` } : data,
    ),
  ),
  wireMutant("AUTH-07", "rotated", "words the refusal of a replaced secret in another way", (serve) => {
    const current = new Map<unknown, string>();
    const replaced = new Set<string>();
    return async (request) => {
      const answer = await serve(request);
      const data = dataOf(answer);
      if (typeof data?.plaintext === "string") {
        replaced.add(current.get(data.id) ?? "");
        current.set(data.id, data.plaintext);
      }
      const token = tokenOf(request.headers.authorization);
      return token !== "" && replaced.has(token) && isRefusal(answer, "Unauthorized")
        ? withMessage(answer, "This key was rotated.")
        : answer;
    };
  }),
  wireMutant(
    "AUTH-07",
    "broken",
    "words the refusal of nobody in another way where a body came",
    (serve) => async (request) => {
      const answer = await serve(request);
      return isRefusal(answer, "Unauthorized") && request.bytes.toString() === "{"
        ? withMessage(answer, "And the body is broken.")
        : answer;
    },
  ),
  wireMutant("TEN-18", "rotated", "names another organization in a rotated key that is read", (serve) => {
    const rotated = new Set<unknown>();
    return async (request) => {
      const answer = await serve(request);
      const data = dataOf(answer);
      if (data !== null && request.operation === rotateApiKey.id) rotated.add(data.id);
      return data !== null && request.operation === getApiKey.id && rotated.has(data.id)
        ? withData(answer, { ...data, org_id: foreign })
        : answer;
    };
  }),
  wireMutant(
    "AUTH-11",
    "rotated",
    "leaves the mark out of rotated keys",
    renaming(rotateApiKey.id, (data) => String(data.plaintext).slice(constants.liveKeyPrefix.length)),
  ),
  wireMutant("KEYR-08", "old", "shows the prefix of the secret before the rotation", (serve) => {
    const first = new Map<unknown, unknown>();
    return async (request) => {
      const answer = await serve(request);
      const data = dataOf(answer);
      if (data !== null && request.operation === createApiKey.id) first.set(data.id, data.prefix);
      return data !== null && request.operation === getApiKey.id && first.has(data.id)
        ? withData(answer, { ...data, prefix: first.get(data.id) })
        : answer;
    };
  }),
  wireMutant("AUTH-12", "rotated", "lets a rotated key do whatever its organization may", (serve) => {
    const rotated = new Set<unknown>();
    return seeing((seen) => (own) => async (request) => {
      const answer = await own(request);
      const data = dataOf(answer);
      if (request.operation === rotateApiKey.id && data !== null) rotated.add(data.plaintext);
      const caller = rotated.has(tokenOf(request.headers.authorization)) ? seen.callerOf(request) : undefined;
      const key = caller === undefined ? undefined : seen.widestKeyOf(caller.organization);
      return key !== undefined && isRefusal(answer, "Forbidden") ? own(withKey(request, key)) : answer;
    })(serve);
  }),
  wireMutant("AUTH-12", "served", "lets a key do anything once it was served", (serve) => {
    const served = new Set<string>();
    return seeing((seen) => (own) => async (request) => {
      const answer = await own(request);
      const token = tokenOf(request.headers.authorization);
      if (answer.status < 300) served.add(token);
      const caller = served.has(token) ? seen.callerOf(request) : undefined;
      const key = caller === undefined ? undefined : seen.widestKeyOf(caller.organization);
      return key !== undefined && isRefusal(answer, "Forbidden") ? own(withKey(request, key)) : answer;
    })(serve);
  }),
  wireMutant("AUTH-33", "locked", "refuses the next call of a key that was refused for its scopes", (serve) => {
    const locked = new Set<string>();
    return async (request) => {
      const token = tokenOf(request.headers.authorization);
      if (locked.delete(token)) return refused(refuse.Forbidden("Come back later."));
      const answer = await serve(request);
      if (isRefusal(answer, "Forbidden")) locked.add(token);
      return answer;
    };
  }),
  wireMutant("KEYR-02", "third", "forgets the secret of a third rotation", (serve) => {
    const rotations = new Map<unknown, number>();
    return async (request) => {
      const answer = await serve(request);
      const data = request.operation === rotateApiKey.id ? dataOf(answer) : null;
      if (data === null) return answer;
      const count = (rotations.get(data.id) ?? 0) + 1;
      rotations.set(data.id, count);
      return count === 3 ? withData(answer, { ...data, plaintext: forgotten(data) }) : answer;
    };
  }),
  wireMutant(
    "KEYR-02",
    "writers",
    "forgets the new secret of keys that may make others",
    onData(rotateApiKey.id, (data) =>
      holds(data, createApiKey.scope) ? { ...data, plaintext: forgotten(data) } : data,
    ),
  ),
  wireMutant(
    "KEYC-11",
    "long-label",
    "forgets the secret of keys whose label is longer than 90 characters",
    onData(createApiKey.id, (data) =>
      String(data.label).length > 90 ? { ...data, plaintext: forgotten(data) } : data,
    ),
  ),
  ...["null", "undefined", "0"].map((word) =>
    wireMutant(
      "AUTH-03",
      word,
      `takes the word ${word} for a key`,
      takingFor((token) => token === word),
    ),
  ),
  wireMutant(
    "AUTH-04",
    "pattern",
    "looks keys up by a pattern",
    takingFor((token, known) => {
      const pattern = token.replaceAll(/[^%*\w]/g, "\\$&").replaceAll(/[%*]/g, ".*");
      return /[%*]/.test(token) && new RegExp(`^${pattern}$`).test(known);
    }),
  ),
  wireMutant(
    "AUTH-04",
    "quote",
    "puts statements together",
    takingFor((token) => token.includes("'")),
  ),
  wireMutant(
    "AUTH-04",
    "id",
    "takes the id of a key for the key",
    takingFor((token, _, id) => token === id),
  ),
  ...[operations.listDeliveryAttempts, operations.sendMessage].map(({ id }) =>
    wireMutant("KEYG-06", id, `takes no call of ${id} for a use of its key`, (serve) => {
      const ids = new Map<string, unknown>();
      const used = new Set<unknown>();
      return async (request) => {
        const answer = await serve(request);
        const data = dataOf(answer);
        if (typeof data?.plaintext === "string") ids.set(data.plaintext, data.id);
        if (request.operation !== id) used.add(ids.get(tokenOf(request.headers.authorization)));
        return data !== null && request.operation === getApiKey.id && !used.has(data.id)
          ? withData(answer, { ...data, last_used_at: null })
          : answer;
      };
    }),
  ),
  wireMutant(
    "KEYG-07",
    "unused",
    "does not tell that a key is revoked which nobody has used",
    onData(getApiKey.id, (data) => (data.last_used_at === null ? { ...data, revoked_at: null } : data)),
  ),
  wireMutant(
    "KEYG-04",
    "revoked-at",
    "dates the creation of a revoked key to the epoch",
    onData(getApiKey.id, (data) =>
      data.revoked_at === null ? data : { ...data, created_at: new Date(0).toISOString() },
    ),
  ),
  ...(["last_used_at", "revoked_at", "prefix"] as const).map((name) =>
    wireMutant(
      name === "prefix" ? "KEYC-05" : name === "revoked_at" ? "KEYC-09" : "KEYC-08",
      "given",
      `takes ${name} from the body of a creation`,
      onData(createApiKey.id, (data, request) => {
        const given = Object(bodyOf(request))[name];
        return given === undefined ? data : { ...data, [name]: given };
      }),
    ),
  ),
  wireMutant(
    "KEYC-13",
    "alone",
    "does not grant the bypass of quiet hours alone",
    onAnswer(createApiKey.id, (answer, request) =>
      JSON.stringify(Object(bodyOf(request)).scopes) === JSON.stringify([scopeNamed.messagesBypassQuietHours])
        ? refusedWith(answer, refuse.Forbidden("Grant the scope of sends too."))
        : answer,
    ),
  ),
  wireMutant("KEYC-21", "line", "lets the keys that a key's keys made grant anything", (serve) => {
    const depths = new Map<string, number>();
    return seeing((seen) => (own) => async (request) => {
      const token = tokenOf(request.headers.authorization);
      const depth = depths.get(token) ?? 0;
      const caller = request.operation === createApiKey.id && depth > 1 ? seen.callerOf(request) : undefined;
      const key = caller === undefined ? undefined : seen.widestKeyOf(caller.organization);
      const answer = await own(key === undefined ? request : withKey(request, key));
      const data = request.operation === createApiKey.id ? dataOf(answer) : null;
      if (data !== null) depths.set(String(data.plaintext), depth + 1);
      return answer;
    })(serve);
  }),
];
