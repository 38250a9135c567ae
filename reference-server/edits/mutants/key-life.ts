import { setTimeout } from "node:timers/promises";
import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import { operations } from "../../../generated/operations.ts";
import { documentedScopes } from "../../../generated/scopes.ts";
import type { Mutant } from "../edit.ts";
import { storing } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { rotating } from "../rotations.ts";
import { dataOf, onAnswer, onData, refusedWith, type Wire, withData } from "../wire.ts";
import { mutant, mutantOf } from "./mutant.ts";

const create = operations.createApiKey.id;
const read = operations.getApiKey.id;
const rotate = operations.rotateApiKey.id;

const domain = "domain/keys/api-keys.ts";
const unheld = "const unheld = scopes.find((scope) => !holds(caller, scope));";

type Data = Readonly<Record<string, unknown>>;

const twoDays = 172_800_000;
const later = (time: unknown, milliseconds: number): string =>
  new Date(Date.parse(String(time)) + milliseconds).toISOString();

/** Changes what a creation with more than two scopes answers. */
const ofMany = (change: (data: Data) => Data): Wire =>
  onData(create, (data) => (Array.isArray(data.scopes) && data.scopes.length > 2 ? change(data) : data));

/** Changes what is read of keys; `before` is how often one was read by then. */
const atEachRead =
  (change: (data: Data, before: number) => Data): Wire =>
  (serve) => {
    const reads = new Map<unknown, number>();
    return onData(read, (data) => {
      const before = reads.get(data.id) ?? 0;
      reads.set(data.id, before + 1);
      return change(data, before);
    })(serve);
  };

/** Servers that break a rule of keys in one part of a key's life, or among several calls. */
export const keyLifeMutants: readonly Mutant[] = [
  mutantOf("KEYC-05", "many-scopes", "shows another prefix where a key has more than two scopes", [
    { wire: ofMany((data) => ({ ...data, prefix: `${constants.liveKeyPrefix}multi` })) },
  ]),
  mutantOf("KEYC-08", "many-scopes", "calls a fresh key with more than two scopes used", [
    { wire: ofMany((data) => ({ ...data, last_used_at: data.created_at })) },
  ]),
  mutantOf("KEYC-09", "many-scopes", "calls a fresh key with more than two scopes revoked", [
    { wire: ofMany((data) => ({ ...data, revoked_at: data.created_at })) },
  ]),
  mutantOf("KEYC-40", "nul", "fails on a label with a NUL", [
    {
      wire: onAnswer(create, (answer, { bytes }) =>
        bytes.includes("\\u0000") ? refusedWith(answer, refuse.InternalError("Something went wrong.")) : answer,
      ),
    },
  ]),
  mutant(
    "KEYC-21",
    "area",
    "grants any scope of an area of which the caller holds one",
    domain,
    unheld,
    'const unheld = scopes.find((scope) => !holds(caller, scope) && !(caller.kind === "key" && [...caller.scopes].some((own) => own.split(":")[0] === scope.split(":")[0])));',
  ),
  mutant(
    "KEYC-22",
    "last",
    "looks at all scopes of a list but the last",
    domain,
    unheld,
    "const unheld = (scopes.length > 1 ? scopes.slice(0, -1) : scopes).find((scope) => !holds(caller, scope));",
  ),
  mutantOf("KEYG-01", "upper", "does not find a key by its id in upper case", [
    {
      wire: onAnswer(read, (answer, { parameters }) =>
        /[A-F]/.test(parameters.id ?? "") ? refusedWith(answer, refuse.NotFound("There is no such key.")) : answer,
      ),
    },
  ]),
  mutantOf("KEYG-04", "revoked", "shows no label of a revoked key", [
    { wire: onData(read, (data) => (data.revoked_at === null ? data : { ...data, label: "" })) },
  ]),
  mutantOf("KEYG-07", "created", "shows the time of creation as that of revocation", [
    { wire: onData(read, (data) => (data.revoked_at === null ? data : { ...data, revoked_at: data.created_at })) },
  ]),
  mutantOf("KEYG-07", "drift", "shows a later time of revocation at each read", [
    {
      wire: atEachRead((data, before) =>
        data.revoked_at === null ? data : { ...data, revoked_at: later(data.revoked_at, before * twoDays) },
      ),
    },
  ]),
  mutantOf("KEYG-07", "cached", "keeps a key as it was read for a few seconds", [
    storing((store) => {
      const kept = new Map<string, { readonly until: number; readonly key: ReturnType<typeof store.key> }>();
      return {
        key(organizationId, id) {
          const known = kept.get(id);
          if (known !== undefined && Date.now() < known.until) return known.key;
          const key = store.key(organizationId, id);
          kept.set(id, { until: Date.now() + 2_000, key });
          return key;
        },
      };
    }),
  ]),
  mutantOf("KEYG-14", "first", "notes the first use of a key alone", [
    storing((store) => {
      const noted = new Set<string>();
      return {
        async noteKeyUse(id, ...rest) {
          if (noted.has(id)) return;
          noted.add(id);
          await store.noteKeyUse(id, ...rest);
        },
      };
    }),
  ]),
  mutantOf("KEYG-14", "read", "moves the time of last use with every read", [
    {
      wire: atEachRead((data, before) =>
        data.last_used_at === null ? data : { ...data, last_used_at: later(data.last_used_at, before * twoDays) },
      ),
    },
  ]),
  mutantOf("KEYR-02", "at-once", "answers rotations at once with secrets of which it keeps none", [
    storing((store) => {
      const underWay: string[] = [];
      return {
        async atomically(organizationId, work) {
          underWay.push(organizationId);
          await setTimeout(20);
          const isAlone = underWay.filter((other) => other === organizationId).length === 1;
          const result = await store.atomically(organizationId, (tx) => {
            const { keys } = tx;
            const losing: Partial<typeof keys> = {
              async update(id, key) {
                const isRotation = (await keys.find(id))?.secretHash !== key.secretHash;
                const secretHash = isAlone || !isRotation ? key.secretHash : key.secretHash.toUpperCase();
                await keys.update(id, { ...key, secretHash });
              },
            };
            return work(withMembers(tx, { keys: withMembers(keys, losing) }));
          });
          await setTimeout(20);
          underWay.splice(underWay.indexOf(organizationId), 1);
          return result;
        },
      };
    }),
  ]),
  mutantOf("KEYR-05", "fails", "fails on a rotation of a key whose id is no UUID", [
    {
      wire: onAnswer(rotate, (answer) =>
        answer.status === 400 ? refusedWith(answer, refuse.InternalError("It failed.")) : answer,
      ),
    },
  ]),
  mutantOf("KEYR-06", "label", "shows another label of a key that was rotated", [
    {
      wire: (serve) => {
        const rotated = new Set<unknown>();
        return async (request) => {
          const answer = await serve(request);
          const data = dataOf(answer);
          if (request.operation === rotate) rotated.add(data?.id);
          const isRotated = request.operation === read && data !== null && rotated.has(data.id);
          return isRotated ? withData(answer, { ...data, label: `${data.label} (rotated)` }) : answer;
        };
      },
    },
  ]),
  mutantOf("KEYR-06", "scopes", "lets a key that was rotated do anything", [
    rotating((rotations, find) => async (hash) => {
      const found = await find(hash);
      const isRotated = found !== null && rotations.some(({ next }) => next === hash);
      return isRotated ? { ...found, key: { ...found.key, scopes: [...documentedScopes] } } : found;
    }),
  ]),
  mutantOf("TEN-21", "forbidden", "calls it forbidden to rotate a key that it does not find", [
    {
      wire: onAnswer(rotate, (answer) =>
        answer.status === 404 ? refusedWith(answer, refuse.Forbidden("That is not yours to rotate.")) : answer,
      ),
    },
  ]),
];
