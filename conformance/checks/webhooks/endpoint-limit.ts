import { bounds } from "../../../generated/limits.ts";
import { operations } from "../../../generated/operations.ts";
import { editedEndpoint } from "../../arrangements/edited-endpoint.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, errorOf, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential, Tenant } from "../../provision/tenant.ts";
import { answeredBy, hasCodeOf } from "../../steps/answered-by.ts";
import { judgeConcurrentCalls } from "../../steps/concurrent-calls.ts";
import { type Effect, leftAsItWas, watchingEffects } from "../../steps/effect-of.ts";
import {
  bodyLike,
  callCreate,
  createEndpoint,
  deleteEndpoint,
  type Endpoint,
  endpointIn,
} from "../../steps/endpoint.ts";
import { onceNot } from "../../steps/settle.ts";

const { activeWebhookEndpoints: most } = bounds;
const { scope } = operations.createWebhookEndpoint;

/** As many endpoints as there may be, and one more. */
export const endpointLimit = check({
  id: "webhooks.endpoint-limit",
  title: `An organization has ${most} active endpoints and not one more, and a deletion makes room again`,
  rules: ["WHE-02", "WHE-03", "WHE-04", "WHE-05"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "exhausts"],
  draws: {},
  sharedKeys: [[scope]],
  run: watchingEffects(async (t, effectOf) => {
    const tenant = await t.tenant({ clock: "manual" });
    const alone = tenant.fresh;
    const main = await tenant.main();
    const { made, refused } = await fill(t, main, most);
    if (made.length === most || alone) {
      t.verify("WHE-02", made.length === most, {
        expected: `${most} endpoints admitted`,
        actual: `${made.length} admitted, then ${refused === null ? "none" : summaryOf(refused)}`,
        exchanges: refused === null ? [] : [refused],
      });
    }
    const [one, other, third] = made;
    if (other === undefined) {
      throw new Blocked(`${made.length} endpoints were admitted`, "give the kit an organization of its own", "server");
    }

    const create = () => callCreate(t, main, bodyLike(one));
    await deleteEndpoint(t, one);
    // A deletion may have its effect a moment after its answer.
    const instead = await onceNot(t, tenant, "LimitExceeded", create);
    const makesRoom = (): boolean =>
      t.verify("WHE-04", isSuccess(instead), {
        expected: "a creation admitted in place of the deleted endpoint",
        actual: summaryOf(instead),
        exchanges: [instead],
        // Others may have taken the room.
        warnOnly: !alone,
      });
    if (!isSuccess(instead)) makesRoom();

    const effect = await effectIfTold(() => effectOf(tenant, create));
    const beyond = [effect?.exchange ?? (await create()), await create()];
    // Another key of the organization makes no more room.
    if (alone) beyond.push(await callCreate(t, await tenant.keyWith([scope]), bodyLike(one)));
    for (const exchange of beyond) {
      if (isSuccess(exchange) && !alone)
        throw new Blocked(
          "there was room for one endpoint more, which others may have made",
          "give the kit an organization of its own: a new_organization hook, or a sandbox",
        );
      t.refused("WHE-03", exchange, "LimitExceeded");
      t.equal("WHE-03", "error.details", errorOf(exchange)?.details, undefined, exchange);
    }
    const last = beyond.at(-1);
    if (last === undefined || !beyond.every((exchange) => answeredBy(exchange, "LimitExceeded"))) {
      throw new Blocked(`endpoint ${most + 1} was not refused for the limit`, "see WHE-03 first", "server");
    }
    // Only now is it known that there was no room without the deletion.
    if (isSuccess(instead)) makesRoom();
    if (effect !== null) leftAsItWas(t, "WHE-05", effect, effect.exchange);
    // A refused endpoint that was stored all the same would take the place of the deleted one.
    await deleteEndpoint(t, other);
    const next = await onceNot(t, tenant, "LimitExceeded", create);
    t.verify("WHE-05", isSuccess(next), {
      expected: "room for one endpoint after a deletion, as refused ones take none",
      actual: summaryOf(next),
      exchanges: [last, next],
      warnOnly: !alone,
    });
    if (third !== undefined) await judgeInvalid(t, { tenant, alone }, third, create);
    // Endpoints that are no more take no further part, however often they are deleted.
    if (isSuccess(next) && alone) await judgeNoFurtherRoom(t, other, create, "a second deletion of the same endpoint");
    if (isSuccess(next)) await switchedOff(t, tenant, endpointIn(t, next, bodyLike(one), main), create);
    if (made.length < most && !alone) {
      throw new Blocked(
        `the organization had no room for ${most} endpoints of the kit's own`,
        "give the kit an organization of its own: a new_organization hook, or a sandbox",
      );
    }
  }),
});

/** Decides whether a creation takes no room that is refused for what it is, while there is some. */
async function judgeInvalid(
  t: CheckContext<"WHE-04">,
  { tenant, alone }: { readonly tenant: Tenant; readonly alone: boolean },
  endpoint: Endpoint,
  create: () => Promise<Exchange>,
): Promise<void> {
  await deleteEndpoint(t, endpoint);
  const invalid = await callCreate(t, endpoint.owner, { ...bodyLike(endpoint), url: "ftp://bylaw.example/" });
  const after = await onceNot(t, tenant, "LimitExceeded", create);
  t.verify("WHE-04", isSuccess(after), {
    expected: "room for one endpoint after a deletion and an invalid creation",
    actual: summaryOf(after),
    exchanges: [invalid, after],
    // Others may have taken the room, or what was to be refused.
    warnOnly: !alone || isSuccess(invalid),
  });
}

/** Decides whether the deletion of what counts no more leaves an organization without room as it was. */
async function judgeNoFurtherRoom(
  t: CheckContext<"WHE-03">,
  { id, owner }: Endpoint,
  create: () => Promise<Exchange>,
  what: string,
): Promise<void> {
  const full = await create();
  if (!hasCodeOf(full, "LimitExceeded")) return;
  // Whether it is found once more is open, and so is what it is answered.
  const deletion = await t.call("deleteWebhookEndpoint", { path: { id } }, owner);
  const further = await create();
  t.verify("WHE-03", answeredBy(further, "LimitExceeded"), {
    expected: `no room after ${what}, as there was none before it`,
    actual: summaryOf(further),
    exchanges: [full, deletion, further],
  });
}

/** An endpoint that is not active takes no room, where the kit can have one, and its deletion makes no more. */
async function switchedOff(
  t: CheckContext<"WHE-03" | "WHE-04">,
  tenant: Tenant,
  endpoint: Endpoint,
  create: () => Promise<Exchange>,
): Promise<void> {
  if (!tenant.can(editedEndpoint)) return;
  const full = await create();
  if (!hasCodeOf(full, "LimitExceeded")) return;
  await tenant.arrange(editedEndpoint, { endpoint_id: endpoint.id, active: false });
  const instead = await create();
  t.verify("WHE-04", isSuccess(instead), {
    expected: "a creation admitted in place of an endpoint that is no longer active",
    actual: summaryOf(instead),
    exchanges: [full, instead],
  });
  if (isSuccess(instead)) await judgeNoFurtherRoom(t, endpoint, create, "the deletion of one that was not active");
}

/** Whose limit it is. */
export const endpointLimitOwner = check({
  id: "webhooks.endpoint-limit-owner",
  title: "An organization that may have no more endpoints leaves another one room",
  rules: ["TEN-16"],
  kind: "scenario",
  needs: ["other-organization"],
  effects: ["creates", "exhausts"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const other = await t.otherTenant({ clock: "manual" });
    const strangersAlone = other.fresh;
    // The sound twin: the same creation while there is room in both.
    const beside = await createEndpoint(t, await other.main());
    const { made, refused } = await fill(t, main, most);
    const beyond = refused ?? (await callCreate(t, main, bodyLike(made[0])));
    if (!hasCodeOf(beyond, "LimitExceeded"))
      throw new Blocked(`endpoint ${most + 1} was answered ${summaryOf(beyond)}`, "see WHE-03 first", "server");
    const exchange = await callCreate(t, beside.owner, bodyLike(beside));
    t.verify("TEN-16", isSuccess(exchange), {
      expected: "an endpoint of another organization admitted",
      actual: summaryOf(exchange),
      exchanges: [beyond, exchange],
      // Others may have used up that organization's limit.
      warnOnly: answeredBy(exchange, "LimitExceeded") && !strangersAlone,
    });
  },
});

/** Creations at once where there is room for some of them. */
export const concurrentEndpoints = check({
  id: "webhooks.concurrent-endpoints",
  title: "Of creations that arrive at once as many are admitted as there is room for",
  rules: ["WHE-02", "WHE-03"],
  kind: "scenario",
  needs: ["fresh-organization"],
  effects: ["creates", "exhausts"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const room = Math.min(5, most - 1);
    const { made, refused } = await fill(t, main, most - room);
    if (refused !== null)
      throw new Blocked(`a creation was answered ${summaryOf(refused)}`, "see WHE-02 first", "server");
    const [one] = made;
    const create = () => callCreate(t, main, bodyLike(one));
    const exchanges = await Promise.all(Array.from({ length: room * 3 }, create));
    judgeConcurrentCalls(t, {
      exchanges,
      noun: "creations",
      room,
      isRefusal: (exchange) => answeredBy(exchange, "LimitExceeded"),
      admits: "WHE-02",
      refuses: "WHE-03",
      // Nothing says that calls which meet must not stand in each other's way.
      warnOnly: { tooFew: true, tooMany: false },
    });
  },
});

/** Creates so many endpoints, or as many as are admitted; blocks when the first is not, or one for another reason. */
async function fill(
  t: CheckContext,
  as: Credential,
  wanted: number,
): Promise<{ readonly made: readonly [Endpoint, ...Endpoint[]]; readonly refused: Exchange | null }> {
  const first = await createEndpoint(t, as);
  const made: [Endpoint, ...Endpoint[]] = [first];
  while (made.length < wanted) {
    const body = bodyLike(first);
    const exchange = await callCreate(t, as, body);
    if (answeredBy(exchange, "LimitExceeded")) return { made, refused: exchange };
    made.push(endpointIn(t, t.control(exchange, "creating an endpoint"), body, as));
  }
  return { made, refused: null };
}

/** What a request changed; null where the target does not tell, or what goes on in the organization takes too long. */
async function effectIfTold(look: () => Promise<Effect>): Promise<Effect | null> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof Blocked) return null;
    throw error;
  }
}
