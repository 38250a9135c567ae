import { revocation } from "../../arrangements/revocation.ts";
import { takesKeys } from "../../context/caller-of.ts";
import { type Check, check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { callDraws, sumOfDraws } from "../../context/draws.ts";
import { forEachOperation } from "../../context/for-each-operation.ts";
import { dataOf, type Exchange, objectOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential, Tenant } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { grantable, readScope } from "../../steps/grantable.ts";
import { idOf } from "../../steps/own-key.ts";
import { sameMessage } from "../../steps/same-message.ts";
import { unlessLacking, withIdempotencyKey } from "../../steps/sound-call.ts";
import { soundInput, soundInputCost } from "../../steps/sound-input.ts";

/** Seconds after which a revoked key is tried again: what a server remembers of it has lapsed by then. */
const waits = [60, 3600] as const;

/** A key that worked at an operation and was then revoked. */
export const afterRevocation: readonly Check[] = forEachOperation((operation) => {
  if (!takesKeys(operation)) return null;
  return {
    id: "api-keys.after-revocation",
    title: `${operation.method} ${operation.path} refuses a key that was revoked, at once and for good`,
    rules: ["AUTH-05", "AUTH-07"],
    kind: "scenario",
    needs: ["revocation"],
    effects: ["creates"],
    draws: sumOfDraws([{ apiKeyWrites: 2 }, soundInputCost(operation, 2).draws, callDraws(operation.draws, 2)]),
    async run(t) {
      const { id } = operation;
      const tenant = await t.tenant({ clock: "manual" });
      const main = await tenant.main();
      // Where the document names no scope for the operation, some other one may be its own.
      const key = await tenant.keyWith([...(main.scopes ?? grantable(main))], { unused: true });
      const served = withIdempotencyKey(operation, await soundInput(id, t, tenant));
      const sound = unlessLacking(await t.call(id, served, key));
      t.control(sound, `${id} with a key before it is revoked`);

      const input = await soundInput(id, t, tenant);
      await tenant.arrange(revocation, key);
      const refuses = async () => {
        const refusal = await t.attempt(id, input, key);
        t.refused("AUTH-05", refusal, "Unauthorized");
        return refusal;
      };
      const refusals = [await t.attempt(id, input, null), await refuses()];
      // What the key has done already is not told to it any more, either.
      if (operation.idempotencyHeader !== null) t.refused("AUTH-05", await t.attempt(id, served, key), "Unauthorized");
      await Promise.all([refuses(), refuses(), refuses()]);
      for (const seconds of lapses(tenant)) {
        await tenant.advance(seconds, "a revoked key tried again");
        refusals.push(await refuses());
      }
      sameMessage(t, "AUTH-07", "Unauthorized", refusals);
    },
  };
});

/** Two keys, of which one is revoked. */
export const revocationOfOne = check({
  id: "api-keys.revocation-of-one",
  title: "To revoke one key ends no other",
  rules: ["KEYC-11", "KEYG-15"],
  kind: "scenario",
  needs: ["revocation"],
  effects: ["creates"],
  draws: { apiKeyWrites: 2 },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const key = await tenant.keyWith([readScope], { unused: true });
    const sibling = await tenant.keyWith([readScope], { unused: true });
    await worksStill(t, key);
    await worksStill(t, sibling);
    await tenant.arrange(revocation, key);
    await worksStill(t, sibling);
    for (const seconds of lapses(tenant)) {
      await tenant.advance(seconds, "a key tried again after another was revoked");
      await worksStill(t, sibling);
    }
  },
});

/** Days after which a key that nobody revoked is used again. */
const long = [30, 90, 365] as const;

/** A key that nothing is done to. */
export const lastingKey = check({
  id: "api-keys.lasting-key",
  title: "A key that nobody revokes authenticates for good",
  rules: ["KEYC-11", "KEYG-15"],
  kind: "scenario",
  needs: ["manual-clock"],
  effects: ["creates"],
  draws: { apiKeyWrites: 1 },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    if (!tenant.manualClock)
      throw new Blocked("days would have to pass", "give the kit a sandbox, or an advance hook whose clock is manual");
    const { credential } = await t.createKey(await tenant.main(), [readScope], { own: true });
    await worksStill(t, credential);
    for (const days of long) {
      await tenant.advance(days * 86_400, "a key tried again long after it was created");
      // What revokes a key is not shown, and may be that nobody uses it for a month.
      await worksStill(t, credential, { warnOnly: true });
    }
  },
});

/** Waits that cost nothing: none where time is real. */
const lapses = ({ manualClock }: Tenant): readonly number[] => (manualClock ? waits : []);

/** Decides that a key which nothing was done to authenticates; with `warnOnly` a refusal of it only warns. */
export async function worksStill(t: CheckContext, key: Credential, { warnOnly = false } = {}): Promise<void> {
  const exchange = await t.call("getApiKey", { path: { id: idOf(key) } }, key);
  if (warnOnly && answeredBy(exchange, "Unauthorized"))
    t.verify("KEYC-11", false, {
      expected: "success",
      admits: ["success"],
      actual: summaryOf(exchange),
      exchanges: [exchange],
      warnOnly,
    });
  else if (t.accepted("KEYC-11", exchange)) livesOn(t, exchange);
}

/** Decides that a key which has just read itself is not shown as revoked. */
export const livesOn = (t: CheckContext, exchange: Exchange): void =>
  void t.equal("KEYG-15", "revoked_at", objectOf(dataOf(exchange))?.revoked_at, null, exchange);
