import { randomUUID } from "node:crypto";
import { takesKeys } from "../../context/caller-of.ts";
import type { Check } from "../../context/check.ts";
import { type ApiOperation, forEachOperation, isPaidFor } from "../../context/for-each-operation.ts";
import { summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { declares, recordIds, takesBody } from "../../steps/flaws.ts";
import { malformedIds } from "../../steps/malformed-ids.ts";
import { rulesOnForeign } from "../../steps/rules-on-foreign.ts";
import { unlessLacking } from "../../steps/sound-call.ts";
import { unknownKey } from "./bad-authorizations.ts";

/** Returns true if the operation returns `NotFound` for an unknown id, and requires no other value. */
const findsNothing = (operation: ApiOperation): boolean =>
  takesKeys(operation) &&
  !takesBody(operation) &&
  recordIds(operation).length > 0 &&
  declares(operation, "NotFound") &&
  rulesOnForeign(operation.id).every(([, admitted]) => admitted.includes("NotFound"));

/**
 * Refusals of operations whose success costs money. No call has to succeed: a call with an unknown id is the control
 * request for a malformed id and for an unknown caller.
 */
export const unpaidRefusals: readonly Check[] = forEachOperation(
  (operation) => {
    if (!isPaidFor(operation) || !findsNothing(operation)) return null;
    const { id, method, path, scope } = operation;
    const names = recordIds(operation);
    const isRead = method === "GET";
    return {
      id: "authentication.unpaid-refusals",
      title: `${method} ${path} refuses unknown ids, malformed ids, and callers without a valid key`,
      rules: ["TEN-22", "AUTH-01", "AUTH-04", ...(isRead ? (["ENV-37"] as const) : [])],
      kind: "sampled",
      needs: ["key"],
      effects: [isRead ? "reads" : "creates"],
      draws: {},
      async run(t) {
        const main = await (await t.tenant()).main();
        const input = { path: Object.fromEntries(names.map((name) => [name, randomUUID()])) };
        const missing = unlessLacking(await t.call(id, input, main));
        if (main.scopes === null && answeredBy(missing, "Forbidden"))
          throw new Blocked(`the given key may not call ${id}`, `give the kit a key that holds ${scope}`);
        // A server may issue ids of another UUID version, and refuse this one as malformed.
        if ((["ValidationFailed400", "ValidationFailed"] as const).some((row) => answeredBy(missing, row)))
          throw new Blocked(
            `an unknown id was answered ${summaryOf(missing)}`,
            "run with --profile full --allow spends",
          );
        if (!answeredBy(missing, "NotFound")) {
          t.refused("TEN-22", missing, "NotFound");
          throw new Blocked(`an unknown id was answered ${summaryOf(missing)}`, "see TEN-22 first", "server");
        }
        const unknown = { ...main, name: "unknown key", token: unknownKey(main.token, t.random) };
        const isKnown = [
          t.refused("AUTH-01", await t.attempt(id, input, null), "Unauthorized"),
          t.refused("AUTH-04", await t.attempt(id, input, unknown), "Unauthorized"),
        ];
        // A server that lacks the route gives 404 to every caller.
        if (!isKnown.includes(true))
          throw new Blocked(
            `${id} gives callers without a valid key the same`,
            "see AUTH-01 and AUTH-04 first",
            "server",
          );
        t.refused("TEN-22", missing, "NotFound");
        if (!isRead) return;
        for (const name of names)
          for (const malformed of malformedIds)
            t.refused(
              "ENV-37",
              await t.call(id, { path: { ...input.path, [name]: malformed } }, main),
              "ValidationFailed400",
            );
      },
    };
  },
  { isPaid: () => false },
);
