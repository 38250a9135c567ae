import { randomUUID } from "node:crypto";
import { operations } from "../../../generated/operations.ts";
import type { Check } from "../../check/check.ts";
import type { CallInput } from "../../check/context.ts";
import { newLabel } from "../../check/new-label.ts";
import { Blocked } from "../../check/verdict.ts";
import { type Exchange, summaryOf } from "../../exchange/exchange.ts";
import { readScope } from "../api-keys/grantable.ts";
import { answeredBy } from "./answered-by.ts";
import { keyLacking } from "./key-lacking.ts";
import { ownKey } from "./own-key.ts";

const label = newLabel();
const invalidBodies: readonly CallInput[] = [{ body: { label, scopes: [] } }, { body: { label } }, { rawBody: "{" }];

/** A missing scope and another defect in one call. */
export const scopeFirst: Check = {
  id: "authentication.scope-first",
  title: "A missing scope weighs more than an unknown id or an invalid body",
  rules: ["AUTH-14", "AUTH-15"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: 7,
  async run(t) {
    const tenant = await t.tenant();
    const { input, reader } = await ownKey(t, tenant);
    const writer = await keyLacking(operations.getApiKey.scope, tenant);
    assertForbidden(await t.call("getApiKey", input, writer), "a read without the scope");
    const unknown = { path: { id: randomUUID() } };
    t.refused("AUTH-14", await t.call("getApiKey", unknown, writer), "Forbidden");
    t.refused("AUTH-14", await t.call("rotateApiKey", unknown, reader), "Forbidden");

    const sound = { body: { label, scopes: [readScope] } };
    assertForbidden(await t.call("createApiKey", sound, reader), "a creation without the scope");
    for (const bad of invalidBodies) t.refused("AUTH-15", await t.call("createApiKey", bad, reader), "Forbidden");
  },
};

/** Blocks unless the missing scope alone is refused as such. */
export function assertForbidden(exchange: Exchange, what: string): void {
  if (!answeredBy(exchange, "Forbidden"))
    throw new Blocked(`${what} was answered ${summaryOf(exchange)}`, "see AUTH-12 first", "server");
}
