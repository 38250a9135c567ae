import { operations } from "../../../generated/operations.ts";
import type { RuleId } from "../../../generated/rules.ts";
import { callerOf } from "../../context/caller-of.ts";
import type { Check } from "../../context/check.ts";
import { type ApiOperationId, forEachOperation, isPaidWithRecords } from "../../context/for-each-operation.ts";
import { dataOf, type Exchange, isSuccess } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Tenant } from "../../provision/tenant.ts";
import { recordsIn } from "../../steps/feed.ts";
import { eventually, isSameId } from "../../steps/settle.ts";
import { addedCost, addRecord } from "../../steps/sound-input.ts";

/** Times that each of two organizations reads its list at the same moment. */
const rounds = 4;

/** The rule that a list shows its caller's own records alone. */
const isolation: Partial<Readonly<Record<ApiOperationId, RuleId>>> = {
  [operations.listDeliveryAttempts.id]: "TEN-04",
  [operations.listMessages.id]: "TEN-23",
};

/** Lists of two organizations that are read at once. */
export const concurrentLists: readonly Check[] = forEachOperation(
  (operation) => {
    const rule = isolation[operation.id];
    if (rule === undefined) return null;
    const { id, method, path } = operation;
    return {
      id: "tenancy.concurrent-lists",
      title: `${method} ${path} returns each of two organizations its own records when both read at once`,
      rules: [rule],
      kind: "scenario",
      needs: ["other-organization"],
      effects: ["creates"],
      draws: addedCost(operation, 2),
      async run(t) {
        const tenants = [await t.tenant({ clock: "manual" }), await t.otherTenant({ clock: "manual" })];
        const records = (page: Exchange) => recordsIn(t.shapeResponse(id, dataOf(page)));
        /** The ids that an organization's list shows when it reads alone. */
        const shownTo = async (tenant: Tenant): Promise<readonly unknown[]> => {
          await addRecord(operation, t, tenant);
          const caller = await callerOf(operation, tenant);
          const ids = await eventually(t, tenant, async () => {
            const own = records(t.control(await t.call(id, {}, caller), `${method} ${path}`)).map(
              (record) => record.id,
            );
            return own.length > 0 ? own : null;
          });
          if (ids === null)
            throw new Blocked(`${method} ${path} does not show what was made`, "see what it lists", "server");
          return ids;
        };
        const known: (readonly unknown[])[] = [];
        for (const tenant of tenants) known.push(await shownTo(tenant));
        const callers = await Promise.all(tenants.map((tenant) => callerOf(operation, tenant)));
        const reads = Array.from({ length: rounds }, () => callers.map((as, at) => ({ as, at }))).flat();
        const pages = await Promise.all(reads.map(async ({ as, at }) => ({ at, page: await t.attempt(id, {}, as) })));
        // A server may fail or throttle under many concurrent calls. Such a failure reveals nothing about another organization.
        if (!pages.some(({ page }) => isSuccess(page)))
          throw new Blocked("no read beside others was answered", "see how the target fares under a few calls at once");
        for (const { at, page } of pages) {
          const others = known.filter((_, owner) => owner !== at).flat();
          const foreign = records(page).find((record) => others.some((one) => isSameId(one, record.id)));
          t.verify(rule, foreign === undefined, {
            expected: "nothing of another organization that reads at the same moment",
            actual: foreign === undefined ? "that" : `its record ${String(foreign.id)}`,
            exchanges: [page],
          });
        }
      },
    };
  },
  { isPaid: isPaidWithRecords },
);
