import type { Need } from "../../arrangements/all.ts";
import { revocation } from "../../arrangements/revocation.ts";
import { userOf } from "../../context/caller-of.ts";
import { type Check, check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { dataOf, type Exchange, isSuccess, objectOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { newLabel } from "../../provision/new-label.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { readScope, writeScope } from "../../steps/grantable.ts";
import { idOf } from "../../steps/own-key.ts";
import { idAfterRotation, rotatedKey } from "../../steps/rotated-key.ts";
import { authenticates } from "./rotation.ts";

/** Seconds after which no secret before a rotation works any more: until then another rotation may have to wait. */
const day = 86_400;

type Rules = "AUTH-05" | "AUTH-12" | "KEYC-11" | "KEYG-01" | "KEYG-05" | "KEYG-15" | "KEYR-02" | "TEN-01";

/** A key that has not been used, its id known. */
type Maker = (t: CheckContext<Rules>, as: Credential) => Promise<Credential>;

const created: Maker = async (t, as) => (await t.createKey(as, [readScope], { own: true })).credential;

const rotated: Maker = async (t, as) => {
  const before = await t.createKey(as, [readScope], { own: true });
  const rotation = t.control(await t.call("rotateApiKey", { path: { id: before.id } }, as), "a rotation");
  return found(t, as, rotation, rotatedKey(t, rotation, before));
};

/** Blocks where a key has another id since its rotation, and the answer to that does not name it. */
async function found(t: CheckContext<Rules>, as: Credential, rotation: Exchange, key: Credential): Promise<Credential> {
  const isNamed = idAfterRotation(t, rotation, "") !== "";
  const read = isNamed ? null : await t.call("getApiKey", { path: { id: idOf(key) } }, as);
  if (read === null || !answeredBy(read, "NotFound")) return key;
  throw new Blocked(
    "a rotated key is not found under its id, and the answer to the rotation names no other",
    "say where it stands: shapes.rotateApiKey.response.id in the target file",
    "server",
  );
}

const rotatedAgain: Maker = async (t, as) => {
  const { tenant } = as;
  const once = await rotated(t, as);
  if (tenant.manualClock) await tenant.advance(day, "another rotation of a key");
  const path = { id: idOf(once) };
  const { prefix } = objectOf(dataOf(await t.call("getApiKey", { path }, as))) ?? {};
  const again = await t.call("rotateApiKey", { path }, as);
  t.verify("KEYR-02", isSuccess(again), {
    expected: "a rotated key rotated again, as it may be lost again",
    actual: summaryOf(again),
    exchanges: [again],
    // The secret before the first rotation may live on, and no more than one.
    warnOnly: !tenant.manualClock,
  });
  t.control(again, "another rotation");
  return found(t, as, again, rotatedKey(t, again, { credential: once, id: path.id, data: { prefix } }));
};

/** How a key comes to be, other than by a key that was created. */
const ways: readonly {
  readonly id: string;
  readonly what: string;
  readonly make: Maker;
  /** The rule by which its secret authenticates. */
  readonly works: "KEYC-11" | "KEYR-02";
  readonly needs?: readonly Need[];
}[] = [
  { id: "rotated", what: "that was rotated", works: "KEYR-02", make: rotated },
  { id: "rotated-again", what: "that was rotated twice", works: "KEYR-02", make: rotatedAgain },
  {
    id: "by-rotated",
    what: "that a rotated key created",
    works: "KEYC-11",
    async make(t, as) {
      const before = await t.createKey(as, [readScope, writeScope], { own: true });
      const rotation = t.control(await t.call("rotateApiKey", { path: { id: before.id } }, as), "a rotation");
      return created(t, rotatedKey(t, rotation, before));
    },
  },
  {
    id: "by-user",
    what: "that a user created",
    works: "KEYC-11",
    needs: ["session"],
    make: async (t, as) => created(t, await userOf(as.tenant)),
  },
];

/** Keys that came to be in other ways, held to what binds every key. */
export const keysOfOtherWays: readonly Check[] = ways.map(({ id, what, make, works, needs = [] }) =>
  check<Rules>({
    id: `api-keys.${id}`,
    title: `A key ${what} is read, told from foreign ones, used and revoked as any other`,
    rules: ["AUTH-05", "AUTH-12", "KEYG-01", "KEYG-05", "KEYG-15", "TEN-01", works],
    kind: "scenario",
    needs: ["revocation", "other-organization", ...needs],
    effects: ["creates"],
    draws: { apiKeyWrites: 4 },
    async run(t) {
      const tenant = await t.tenant({ clock: "manual" });
      const main = await tenant.main();
      const stranger = await (await t.otherTenant()).main();
      const key = await make(t, main);
      const path = { id: idOf(key) };
      const read = (as: Credential) => t.call("getApiKey", { path }, as);

      const unused = await read(main);
      if (t.accepted("KEYG-01", unused))
        t.equal("KEYG-05", "last_used_at", objectOf(dataOf(unused))?.last_used_at, null, unused);
      t.refused("TEN-01", await read(stranger), "NotFound");
      const own = await read(key);
      if (works === "KEYR-02") authenticates(t, works, own);
      else t.accepted(works, own);
      if (isSuccess(own)) t.equal("KEYG-15", "revoked_at", objectOf(dataOf(own))?.revoked_at, null, own);
      const { scopes } = objectOf(isSuccess(unused) ? dataOf(unused) : null) ?? {};
      // Which scopes a rotated key has is open.
      if (Array.isArray(scopes) && !scopes.includes(writeScope)) {
        const body = { label: newLabel(), scopes: [readScope] };
        t.refused("AUTH-12", await t.call("createApiKey", { body }, key), "Forbidden");
      }
      await tenant.arrange(revocation, key);
      t.refused("AUTH-05", await read(key), "Unauthorized");
      // What authenticates and is not shown tells nothing of its revocation.
      t.control(own, "reading a key by itself");
    },
  }),
);
