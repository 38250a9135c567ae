import { constants } from "../../../generated/constants.ts";
import { operations } from "../../../generated/operations.ts";
import type { Mutant } from "../edit.ts";
import { dataOf, isRefusal, onData, type Wire, withData, withMessage } from "../wire.ts";
import { withKey } from "../wire-requests.ts";
import { wireMutant } from "./mutant.ts";

const { createApiKey, getApiKey, rotateApiKey } = operations;

const tokenOf = (header: string | undefined): string => header?.replace(/^bearer +/i, "") ?? "";

/** Gives keys another secret than the server's own, under which the server knows them. */
export const renaming =
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
      return first === "messages:bypass_quiet_hours" && others.length > 0 ? { ...data, scopes: others } : data;
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
];
