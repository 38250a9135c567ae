import { bounds } from "../../../generated/limits.ts";
import { check } from "../../check/check.ts";
import type { CheckContext } from "../../check/context.ts";
import { Blocked } from "../../check/verdict.ts";
import { dataOf, type Exchange, objectOf } from "../../exchange/exchange.ts";
import type { Credential, Tenant } from "../../ladder/tenant.ts";
import type { Delivery } from "../../receiver/delivery.ts";
import type { Inbox } from "../../receiver/inbox.ts";
import { notArrived } from "./deliver-one.ts";
import { type Verified, verifiedText, verifierFor } from "./signatures.ts";

const { organizationSecretGraceSeconds: grace } = bounds;

/** Three rotations in a row. Whoever verifies with the old secret would be cut off, so the organization is the kit's own. */
export const organizationRotation = check({
  id: "webhooks.organization-rotation",
  title: "Each rotation of the organization's secret gives another one",
  rules: ["WHO-01"],
  kind: "scenario",
  needs: ["fresh-organization"],
  effects: ["creates"],
  draws: 0,
  async run(t) {
    const main = await (await t.tenant()).main();
    const before = [await rotated(t, main, "WHO-01")];
    for (const _ of ["second", "third"]) {
      const next = await rotated(t, main, "WHO-01");
      t.verify("WHO-01", !before.some(({ secret }) => secret === next.secret), {
        expected: "a secret other than those before",
        actual: "one of them",
        exchanges: [...before.map(({ exchange }) => exchange), next.exchange],
      });
      before.push(next);
    }
  },
});

/** The time for which the previous secret stays valid. */
export const organizationSecretGrace = check({
  id: "webhooks.organization-secret-grace",
  title: `The previous secret of an organization verifies for ${grace} seconds after a rotation, the new one from then on`,
  rules: ["WHO-02", "WHO-03", "WHO-04"],
  kind: "scenario",
  needs: ["fresh-organization", "receiver", "callback"],
  effects: ["creates"],
  draws: 0,
  async run(t) {
    const tenant = await t.tenant({ manualClock: true });
    const main = await tenant.main();
    const inbox = t.inbox();
    const call = () => callback(tenant, inbox);
    const old = await rotated(t, main, null);
    const before = await call();
    const fresh = await rotated(t, main, null);
    const within = [await call()];
    if (tenant.manualClock) {
      await tenant.advance(grace - 1, "the last second of the previous secret");
      within.push(await call());
      await tenant.advance(2, "the end of the previous secret");
    } else {
      await tenant.advance(grace + 1, "the end of the previous secret");
    }
    const after = await call();

    const all = [before, ...within, after];
    const verifies = await verifierFor(t, all, [old.secret, fresh.secret]);
    // How callbacks are signed is shown nowhere, not even that it is as deliveries are: one that verifies tells.
    if (!all.some((one) => [old, fresh].some(({ secret }) => verifies(one, secret) === "yes"))) {
      const message = "callbacks are signed in no way that the kit knows";
      for (const rule of ["WHO-02", "WHO-03", "WHO-04"] as const) t.observe(rule, message, ...all);
      return;
    }
    const evidence = (expected: string, actual: Verified, delivery: Delivery) => ({
      ...{ expected, actual: verifiedText(actual), exchanges: [old.exchange, fresh.exchange], deliveries: [delivery] },
    });
    for (const one of within) {
      const verified = verifies(one, old.secret);
      const expected = `a callback that verifies with the previous secret within ${grace} s of the rotation`;
      t.verify("WHO-02", verified === "yes", evidence(expected, verified, one));
    }
    for (const one of [...within, after]) {
      const verified = verifies(one, fresh.secret);
      const expected = "a callback that verifies with the new secret from the rotation on";
      t.verify("WHO-04", verified === "yes", evidence(expected, verified, one));
    }
    const verified = verifies(after, old.secret);
    const expected = `a callback that does not verify with the previous secret ${grace + 1} s after the rotation`;
    t.verify("WHO-03", verified !== "yes", evidence(expected, verified, after));
  },
});

interface Rotated {
  readonly secret: string;
  readonly exchange: Exchange;
}

/** A rotation of the organization's secret: decides the rule, or blocks where there is none to decide. */
async function rotated(t: CheckContext, as: Credential, rule: "WHO-01" | null): Promise<Rotated> {
  const called = await t.call("rotateOrganizationSecret", {}, as);
  if (rule !== null) t.accepted(rule, called);
  const exchange = t.control(called, "rotating the organization's secret");
  const { secret } = objectOf(t.shapeResponse("rotateOrganizationSecret", dataOf(exchange))) ?? {};
  if (typeof secret === "string" && secret !== "") return { secret, exchange };
  throw new Blocked(
    "the answer to a rotation of the organization's secret has no secret where the kit looks for it",
    "say where it stands: shapes.rotateOrganizationSecret.response.secret in the target file",
  );
}

/** Has the organization call back, and gives what reached the inbox. */
async function callback(tenant: Tenant, inbox: Inbox): Promise<Delivery> {
  const known = inbox.deliveries().length;
  await tenant.sendCallback(inbox.url);
  const arrival = await inbox.until(known + 1);
  const last = arrival.deliveries.at(-1);
  if (arrival.ok && last !== undefined) return last;
  throw notArrived(arrival);
}
