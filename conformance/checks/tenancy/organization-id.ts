import { check } from "../../context/check.ts";
import { dataOf, objectOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { createEndpoint, rotateSecret } from "../../steps/endpoint.ts";
import { readScope, writeScope } from "../../steps/grantable.ts";
import { ownKey } from "../../steps/own-key.ts";

/** The organization that records name. */
export const organizationId = check({
  id: "tenancy.organization-id",
  title: "Created and read keys name their caller's organization",
  rules: ["TEN-18"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 2 },
  sharedKeys: [[readScope], [readScope, writeScope]],
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const own = await ownKey(t, tenant);
    // Where the kit was not told the organization's id, its records must at least agree.
    const expected = tenant.id ?? own.organizationId;
    if (expected === null) throw new Blocked("the read key names no organization", "see KEYG-01 first", "server");
    const created = await t.createKey(main, [readScope]);
    const read = t.control(await t.call("getApiKey", { path: { id: created.id } }, main), "reading the created key");
    const byAnother = await t.createKey(await tenant.keyWith([readScope, writeScope]), [readScope]);
    const named = [
      [own.organizationId, own.exchange],
      [created.data.org_id, created.exchange],
      [objectOf(dataOf(read))?.org_id, read],
      [byAnother.data.org_id, byAnother.exchange],
    ] as const;
    for (const [actual, exchange] of named) {
      t.equal("TEN-18", "org_id", lowered(actual), lowered(expected), own.exchange, exchange);
    }
  },
});

/** The organization that an endpoint names. */
export const endpointOrganization = check({
  id: "tenancy.endpoint-organization",
  title: "An endpoint names its caller's organization",
  rules: ["TEN-18"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: {},
  sharedKeys: [[readScope]],
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const own = tenant.id === null ? await ownKey(t, tenant) : null;
    const expected = tenant.id ?? own?.organizationId ?? null;
    if (expected === null) throw new Blocked("the read key names no organization", "see KEYG-01 first", "server");
    const endpoint = await createEndpoint(t, main);
    const rotated = await rotateSecret(t, endpoint);
    const shown = own === null ? [] : [own.exchange];
    t.equal("TEN-18", "org_id", lowered(rotated.data.org_id), lowered(expected), ...shown, rotated.exchange);
    // What a creation answers is open; only where it names an organization can that be judged.
    const { org_id: created } = endpoint.data;
    if (typeof created !== "string") return;
    t.verify("TEN-18", lowered(created) === lowered(expected), {
      expected: `org_id ${String(expected)}`,
      actual: created,
      exchanges: [...shown, endpoint.exchange],
      warnOnly: true,
    });
  },
});

/** Two organizations side by side. */
export const organizationIdsDiffer = check({
  id: "tenancy.organization-ids-differ",
  title: "Keys of two organizations name two organizations",
  rules: ["TEN-18"],
  kind: "scenario",
  needs: ["other-organization"],
  effects: ["creates"],
  draws: { apiKeyWrites: 2 },
  async run(t) {
    const own = await ownKey(t, await t.tenant());
    const foreign = await ownKey(t, await t.otherTenant());
    t.verify("TEN-18", lowered(own.organizationId) !== lowered(foreign.organizationId), {
      expected: "an org_id of each organization's own",
      actual: `${JSON.stringify(own.organizationId)} for both`,
      exchanges: [own.exchange, foreign.exchange],
    });
  },
});

const lowered = (id: unknown): unknown => (typeof id === "string" ? id.toLowerCase() : id);
