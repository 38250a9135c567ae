import { randomUUID } from "node:crypto";
import { constants } from "../../../generated/constants.ts";
import { check } from "../../context/check.ts";
import { dataOf, isSuccess, objectOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked, NotApplicable } from "../../outcome/verdict.ts";
import { newLabel } from "../../provision/new-label.ts";
import { readScope } from "../../steps/grantable.ts";
import { ownKey } from "../../steps/own-key.ts";
import { type Asked, differences } from "./differences.ts";

/** Where a server that reads it might look for the organization to act in. */
const parameters = ["org_id", "organization_id", "org", "tenant_id"] as const;
const headers = ["x-org-id", "x-organization-id", "x-org", "x-tenant-id"] as const;

/** Another organization, named in the requests of a key. */
export const namedOrganization = check({
  id: "tenancy.named-organization",
  title: "To name another organization opens nothing of it, and tells nothing of whether it exists",
  rules: ["AUTH-22", "TEN-01"],
  kind: "scenario",
  needs: ["other-organization"],
  effects: ["creates"],
  draws: { apiKeyWrites: 2 },
  async run(t) {
    const { input, reader } = await ownKey(t, await t.tenant());
    const { input: foreign, organizationId } = await ownKey(t, await t.otherTenant());
    if (organizationId === null) throw new Blocked("the read key names no organization", "see TEN-18 first", "server");
    const calls = [
      ...parameters.map((name) => ({ ...foreign, query: { [name]: organizationId } })),
      ...headers.map((name) => ({ ...foreign, headers: { [name]: organizationId } })),
    ];
    for (const call of calls) {
      const exchange = await t.call("getApiKey", call, reader);
      // A server may refuse what it does not read.
      t.verify("TEN-01", !isSuccess(exchange), {
        expected: "a refusal to read another organization's key, whatever organization is named",
        actual: summaryOf(exchange),
        exchanges: [exchange],
      });
    }

    const ask = async (id: string): Promise<Asked> => {
      const named = { ...input, headers: { [constants.targetOrganizationHeader]: id } };
      return { exchange: await t.call("getApiKey", named, reader), id };
    };
    // In an order that no alternation of servers follows.
    const [theirs, nobodys] = [[await ask(organizationId)], [await ask(randomUUID())]];
    nobodys.push(await ask(randomUUID()));
    theirs.push(await ask(organizationId), await ask(organizationId));
    nobodys.push(await ask(randomUUID()));
    const found = differences(theirs, nobodys);
    t.verify("AUTH-22", found.length === 0, {
      expected: "the answer for an organization that never was",
      actual: found
        .map(({ part, one, other }) => `${part} ${one ?? "(none)"} in place of ${other ?? "(none)"}`)
        .join("; "),
      exchanges: [...theirs, ...nobodys].map(({ exchange }) => exchange),
    });
  },
});

/** Another organization, named in the body of a creation. */
export const namedInBody = check({
  id: "tenancy.named-in-body",
  title: "A key belongs to its creator's organization, whatever organization the creation names",
  rules: ["TEN-18"],
  kind: "scenario",
  needs: ["other-organization"],
  effects: ["creates"],
  draws: { apiKeyWrites: 4 },
  async run(t) {
    const main = await (await t.tenant()).main();
    const own = await t.createKey(main, [readScope]);
    const foreign = await t.createKey(await (await t.otherTenant()).main(), [readScope]);
    const body = { label: newLabel(), scopes: [readScope], org_id: foreign.data.org_id };
    const created = await t.call("createApiKey", { body }, main);
    if (!isSuccess(created)) throw new NotApplicable("the target refuses creations that name an organization");
    const key = objectOf(dataOf(created)) ?? {};
    t.equal("TEN-18", "org_id", lowered(key.org_id), lowered(own.data.org_id), own.exchange, created);
    const read = await t.call("getApiKey", { path: { id: String(key.id) } }, main);
    t.verify("TEN-18", isSuccess(read), {
      expected: "the created key found in its creator's organization",
      actual: summaryOf(read),
      exchanges: [created, read],
    });
  },
});

const lowered = (id: unknown): unknown => (typeof id === "string" ? id.toLowerCase() : id);
