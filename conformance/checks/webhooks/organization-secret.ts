import { bounds } from "../../../generated/limits.ts";
import { emittedEvent } from "../../arrangements/emitted-event.ts";
import { sentCallback } from "../../arrangements/sent-callback.ts";
import { signedInUser } from "../../arrangements/signed-in-user.ts";
import { userOf } from "../../context/caller-of.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import type { Delivery } from "../../exchange/delivery.ts";
import { dataOf, type Exchange, objectOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential, Tenant } from "../../provision/tenant.ts";
import type { Inbox } from "../../receiver/inbox.ts";
import { deliverOne, notArrived } from "../../steps/deliver-one.ts";
import { createEndpoint, rotateSecret } from "../../steps/endpoint.ts";
import { mayBeOlder } from "../../steps/may-be-older.ts";
import { unknownSignature } from "../../steps/unknown-signature.ts";
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
  draws: {},
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
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const inbox = t.inbox();
    const call = () => callback(tenant, inbox);
    const old = await rotated(t, main, null);
    const before = await call();
    const fresh = await rotated(t, main, null);
    const within = [await call()];
    // The secret of an endpoint is another one, which has no such time.
    const endpoint = await createEndpoint(t, main);
    await rotateSecret(t, endpoint);
    within.push(await call());
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
      for (const rule of ["WHO-02", "WHO-03", "WHO-04"] as const)
        t.undecided(rule, unknownSignature("callbacks"), ...all);
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

    const { exchange } = await rotateSecret(t, endpoint);
    const last = await call();
    const still = (await verifierFor(t, [...all, last], [old.secret, fresh.secret]))(last, fresh.secret);
    t.verify("WHO-04", still === "yes", {
      expected: "a callback that verifies with the new secret when an endpoint's was rotated",
      actual: verifiedText(still),
      ...{ exchanges: [fresh.exchange, exchange], deliveries: [last] },
    });
  },
});

/** Two rotations, the second while the secret before the first is still valid. Seconds since the first. */
const second = Math.floor((2 * grace) / 3);
const [firstOver, bothOver, longAfter] = [grace + 1, second + grace + 1, 7 * 86_400];

/** Rotations whose times overlap, and what is left of them long after. */
export const overlappingGraces = check({
  id: "webhooks.overlapping-graces",
  title: `Each previous secret of an organization ends ${grace} seconds after its own rotation, and for good`,
  rules: ["WHO-02", "WHO-03", "WHO-04"],
  kind: "scenario",
  needs: ["fresh-organization", "manual-clock", "receiver", "callback"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const inbox = t.inbox();
    const oldest = await rotated(t, main, null);
    const older = await rotated(t, main, null);
    await tenant.advance(second, "a part of the time of the previous secret");
    // Users may rotate as keys may.
    const newest = await rotated(t, tenant.can(signedInUser) ? await userOf(tenant) : main, null);
    const seen: (readonly [seconds: number, delivery: Delivery])[] = [[second, await callback(tenant, inbox)]];
    let now = second;
    for (const seconds of [firstOver, bothOver, longAfter]) {
      await tenant.advance(seconds - now, "the ends of previous secrets");
      now = seconds;
      seen.push([seconds, await callback(tenant, inbox)]);
    }
    const all = seen.map(([, delivery]) => delivery);
    const secrets = [oldest, older, newest];
    const names = secrets.map(({ secret }) => secret);
    const verifies = await verifierFor(t, all, names);
    if (!all.some((one) => names.some((secret) => verifies(one, secret) === "yes"))) {
      for (const rule of ["WHO-02", "WHO-03", "WHO-04"] as const)
        t.undecided(rule, unknownSignature("callbacks"), ...all);
      return;
    }
    const exchanges = secrets.map(({ exchange }) => exchange);
    for (const [seconds, delivery] of seen) {
      const judge = (
        rule: "WHO-02" | "WHO-03" | "WHO-04",
        name: string,
        { secret }: Rotated,
        wanted: boolean,
      ): void => {
        const verified = verifies(delivery, secret);
        t.verify(rule, (verified === "yes") === wanted, {
          expected: `a callback that ${wanted ? "verifies" : "does not verify"} with the ${name} secret, ${seconds} s after it was first rotated and ${seconds - second} s after the second time`,
          actual: verifiedText(verified),
          ...{ exchanges, deliveries: [delivery] },
        });
      };
      judge("WHO-04", "newest", newest, true);
      // Whether two previous secrets may be valid at one time is open, and when one ends that another one follows.
      if (seconds >= firstOver) judge("WHO-03", "oldest", oldest, false);
      if (seconds < bothOver) judge("WHO-02", "previous", older, true);
      else judge("WHO-03", "previous", older, false);
    }
  },
});

/** Two organizations, each with a secret of its own. */
export const organizationSecretsApart = check({
  id: "webhooks.organization-secrets-apart",
  title: "What an organization signs does not verify with the secret of another one",
  rules: ["WHO-06"],
  kind: "scenario",
  needs: ["fresh-organization", "other-organization", "receiver", "callback"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const inbox = t.inbox();
    const own = await rotated(t, await tenant.main(), null);
    const before = await callback(tenant, inbox);
    const stranger = await t.otherTenant();
    if (!stranger.own)
      throw new Blocked(
        "a rotation would cut off who verifies with the other organization's secret",
        "give the kit organizations of its own: a new_organization hook, or a sandbox",
      );
    const other = await rotated(t, await stranger.main(), null);
    const after = await callback(tenant, inbox);
    const verifies = await verifierFor(t, [before, after], [own.secret, other.secret]);
    if (verifies(before, own.secret) !== "yes") {
      t.undecided("WHO-06", unknownSignature("callbacks"), before, after);
      return;
    }
    const [withOwn, withOther] = [verifies(after, own.secret), verifies(after, other.secret)];
    t.verify("WHO-06", withOwn === "yes" && withOther !== "yes", {
      expected: "a callback that verifies with the organization's own secret, and not with that of another one",
      actual: `with its own ${verifiedText(withOwn)}, with the other one ${verifiedText(withOther)}`,
      ...{ exchanges: [own.exchange, other.exchange], deliveries: [before, after] },
    });
  },
});

/** What the rotation of the organization's secret leaves alone. */
export const endpointSecretKept = check({
  id: "webhooks.endpoint-secret-kept",
  title: "A rotation of the organization's secret leaves those of its endpoints as they are",
  rules: ["WHO-05"],
  kind: "scenario",
  needs: ["fresh-organization", "receiver"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const inbox = t.inbox();
    const endpoint = await createEndpoint(t, main, { inbox });
    const own = await rotateSecret(t, endpoint);
    const before = await deliverOne(t, endpoint, inbox);
    const { exchange } = await rotated(t, main, null);
    const within = await deliverOne(t, endpoint, inbox);
    if (tenant.manualClock) await tenant.advance(grace + 1, "the end of the previous secret");
    const after = await deliverOne(t, endpoint, inbox);
    const verifies = await verifierFor(t, [before, within, after], [own.secret]);
    const [sound, ...later] = [before, within, after].map(
      (delivery) => [delivery, verifies(delivery, own.secret)] as const,
    );
    if (sound?.[1] !== "yes") {
      if (sound?.[1] === "no") throw new Blocked("a delivery does not verify", "see EVT-08 first", "server");
      t.undecided("WHO-05", unknownSignature("deliveries"), before);
      return;
    }
    for (const [delivery, verified] of later)
      t.verify("WHO-05", verified === "yes", {
        expected: "a delivery that verifies with the endpoint's secret, which was not rotated",
        actual: verifiedText(verified),
        exchanges: [own.exchange, exchange],
        deliveries: [before, delivery],
        // Where time runs, what a server sends a new endpoint by itself may be taken for it.
        warnOnly:
          !tenant.manualClock && !tenant.can(emittedEvent) && mayBeOlder(delivery, own.exchange, t.timing.clockSkew),
      });
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
  await tenant.arrange(sentCallback, { url: inbox.url });
  const arrival = await inbox.until(known + 1);
  const last = arrival.deliveries.at(-1);
  if (arrival.ok && last !== undefined) return last;
  throw notArrived(arrival);
}
