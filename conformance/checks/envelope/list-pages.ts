import { callerOf } from "../../context/caller-of.ts";
import type { Check } from "../../context/check.ts";
import { sumOfDraws } from "../../context/draws.ts";
import { forEachOperation, isPaidWithRecords } from "../../context/for-each-operation.ts";
import { isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { pageSizesOf } from "../../exchange/page-sizes.ts";
import { Blocked, NotApplicable } from "../../outcome/verdict.ts";
import { metaOf, nextCursorOf, recordsOf } from "../../steps/feed.ts";
import { eventually } from "../../steps/settle.ts";
import { addedCost, addRecord, soundInput, soundInputCost } from "../../steps/sound-input.ts";

/** Records that are made: more than the smallest page holds. */
const made = 3;

/** Every list that has more than its smallest page holds. */
export const listPages: readonly Check[] = forEachOperation(
  (operation) => {
    if (!operation.list || operation.pageSize === null) return null;
    const { id, method, path, pageSize } = operation;
    const asked = soundInputCost(operation, 1);
    return {
      id: "envelope.list-pages",
      title: `${method} ${path} returns a cursor with a page if another page follows`,
      rules: ["ENV-22", "ENV-24"],
      kind: "scenario",
      needs: ["key"],
      effects: ["creates"],
      draws: sumOfDraws([addedCost(operation, made), asked.draws]),
      sharedKeys: asked.sharedKeys,
      async run(t) {
        const tenant = await t.tenant({ clock: "manual" });
        const caller = await callerOf(operation, tenant);
        for (let count = 0; count < made; count += 1) await addRecord(operation, t, tenant);
        const { query = {} } = await soundInput(id, t, tenant);
        const pageOfOne = { query: { ...query, [pageSize]: "1" } };
        // A list may show a new record a moment later.
        const whole = await eventually(t, tenant, async () => {
          const page = t.control(await t.call(id, { query }, caller), `${method} ${path}`);
          return recordsOf(page).length > 1 ? page : null;
        });
        if (whole === null) throw new Blocked(`${method} ${path} shows no two records`, "see what it lists", "server");
        let page = await t.call(id, pageOfOne, caller);
        for (const each of isSuccess(page) ? [whole, page] : [whole]) {
          const [size, shown] = [metaOf(each).limit, recordsOf(each).length];
          t.verify("ENV-22", Number.isInteger(size) && Number(size) >= shown, {
            expected: `meta.limit, a whole number, for a page with ${shown} records`,
            actual: JSON.stringify(size) ?? "none",
            exchanges: [each],
            question: operation.listQuestion,
          });
        }
        if (!isSuccess(page) || metaOf(page).limit !== 1 || recordsOf(page).length !== 1) {
          const what = `a page of one record of ${id} was answered with ${recordsOf(page).length}: ${summaryOf(page)}`;
          // The valid sizes may be an open question.
          throw pageSizesOf(operation) === null
            ? new NotApplicable(what)
            : new Blocked(what, "see ENV-22 first", "server");
        }
        // A replica may briefly have fewer records than the one that returned the page before.
        if (nextCursorOf(page) === null)
          await eventually(t, tenant, async () => {
            page = t.control(await t.call(id, pageOfOne, caller), `${method} ${path}`);
            return nextCursorOf(page);
          });
        t.verify("ENV-24", nextCursorOf(page) !== null, {
          expected: `meta.next_cursor, a string, as ${recordsOf(whole).length - 1} more records follow`,
          actual: JSON.stringify(metaOf(page).next_cursor) ?? "none",
          exchanges: [whole, page],
        });
      },
    };
  },
  { isPaid: isPaidWithRecords },
);
