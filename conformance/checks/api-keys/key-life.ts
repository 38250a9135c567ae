import { randomUUID } from "node:crypto";
import * as fc from "fast-check";
import { revocation } from "../../arrangements/revocation.ts";
import { check } from "../../context/check.ts";
import type { CheckContext, CreatedKey } from "../../context/context.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { readScope } from "../../steps/grantable.ts";
import { roomyBucket } from "../../steps/roomy-bucket.ts";
import { rotatedKey } from "../../steps/rotated-key.ts";
import { authenticates } from "./rotation.ts";

/** What the model knows of one key. */
interface KnownKey {
  created: CreatedKey;
  readonly owner: Credential;
  revoked: boolean;
}

/** Two organizations and their keys. */
interface Model {
  readonly keys: KnownKey[];
}

interface Real {
  readonly t: CheckContext;
  readonly owners: readonly [Credential, Credential];
}

type KeyCommand = fc.AsyncCommand<Model, Real>;

/** A bucket that a run's creations and rotations do not empty. */
const wide = { apiKeyWrites: roomyBucket };

/** Keys of two organizations through arbitrary sequences of what can be done with them. */
export const keyLife = check({
  id: "api-keys.key-life",
  title: "Whatever was done before, keys are readable by their organization alone and authenticate until revoked",
  rules: ["KEYC-11", "KEYG-01", "KEYG-08", "KEYR-02", "AUTH-05", "TEN-01"],
  kind: "property",
  needs: ["limit-override", "state"],
  effects: ["creates"],
  draws: { apiKeyWrites: 10 },
  async run(t) {
    const one = await (await t.tenant({ limits: wide, clock: "manual" })).main();
    const other = await (await t.otherTenant({ limits: wide, clock: "manual" })).main();
    const owners = [one, other] as const;
    const key = fc.nat({ max: 30 });
    const commands = [
      fc.constantFrom<0 | 1>(0, 1).map(creation),
      key.map(ownRead),
      key.map(foreignRead),
      key.map(use),
      key.map(rotation),
      key.map(revoking),
      fc.constantFrom<0 | 1>(0, 1).map(unknownRead),
    ];
    // An array, whose path says all that is needed to find a sequence again; the library's own commands need more.
    const sequences = fc.array(fc.oneof(...commands), { maxLength: 12 });
    await t.property(sequences, async (sequence) => {
      await fc.asyncModelRun(() => ({ model: { keys: [] }, real: { t, owners } }), sequence);
    });
    // Shrinking aside, every rule must have been put to the test at least once.
    const fixed = [
      creation(0),
      use(0),
      ownRead(0),
      foreignRead(0),
      unknownRead(1),
      revoking(0),
      use(0),
      creation(0),
      rotation(1),
      use(1),
    ];
    const model: Model = { keys: [] };
    for (const command of fixed) if (command.check(model)) await command.run(model, { t, owners });
  },
});

const pick = (model: Model, index: number): KnownKey | null =>
  model.keys[index % Math.max(1, model.keys.length)] ?? null;

/** A command that acts on one of the keys there are. */
function onKey(
  name: string,
  index: number,
  run: (key: KnownKey, real: Real, model: Model) => Promise<void>,
): KeyCommand {
  return {
    check: (model) => model.keys.length > 0,
    async run(model, real) {
      const key = pick(model, index);
      if (key) await run(key, real, model);
    },
    toString: () => `${name}(${index})`,
  };
}

const creation = (owner: 0 | 1): KeyCommand => ({
  check: () => true,
  async run(model, { t, owners }) {
    const created = await t.createKey(owners[owner], [readScope], { own: true });
    model.keys.push({ created, owner: owners[owner], revoked: false });
  },
  toString: () => `create(${owner})`,
});

const pathOf = (key: KnownKey): { readonly id: string } => ({ id: key.created.id });

const ownRead = (index: number): KeyCommand =>
  onKey("read", index, async (key, { t }) => {
    t.accepted("KEYG-01", await t.call("getApiKey", { path: pathOf(key) }, key.owner));
  });

const foreignRead = (index: number): KeyCommand =>
  onKey("readAsStranger", index, async (key, { t, owners }) => {
    const stranger = owners[0] === key.owner ? owners[1] : owners[0];
    t.refused("TEN-01", await t.call("getApiKey", { path: pathOf(key) }, stranger), "NotFound");
  });

const use = (index: number): KeyCommand =>
  onKey("use", index, async (key, { t }) => {
    const exchange = await t.call("getApiKey", { path: pathOf(key) }, key.created.credential);
    if (key.revoked) t.refused("AUTH-05", exchange, "Unauthorized");
    else t.accepted("KEYC-11", exchange);
  });

const rotation = (index: number): KeyCommand =>
  onKey("rotate", index, async (key, { t }, model) => {
    // What becomes of a revoked key that is rotated, the document does not say.
    if (key.revoked) return;
    const exchange = t.control(await t.call("rotateApiKey", { path: pathOf(key) }, key.owner), "rotating an own key");
    key.created = { ...key.created, ...keyAfter(t, exchange, key.created) };
    authenticates(t, "KEYR-02", await t.call("getApiKey", { path: pathOf(key) }, key.created.credential));
    const read = await t.call("getApiKey", { path: pathOf(key) }, key.owner);
    // Of a new key whose id the rotation does not tell nothing more can be asked.
    if (answeredBy(read, "NotFound")) model.keys.splice(model.keys.indexOf(key), 1);
    else t.control(read, "reading the rotated key");
  });

const revoking = (index: number): KeyCommand =>
  onKey("revoke", index, async (key) => {
    if (key.revoked) return;
    await key.owner.tenant.arrange(revocation, key.created.credential);
    key.revoked = true;
  });

function keyAfter(t: CheckContext, exchange: Exchange, before: CreatedKey): Pick<CreatedKey, "credential" | "id"> {
  const credential = rotatedKey(t, exchange, before);
  return { credential, id: credential.id ?? before.id };
}

const unknownRead = (owner: 0 | 1): KeyCommand => ({
  check: () => true,
  async run(_, { t, owners }) {
    t.refused("KEYG-08", await t.call("getApiKey", { path: { id: randomUUID() } }, owners[owner]), "NotFound");
  },
  toString: () => `readUnknown(${owner})`,
});
