import { userOf } from "../../context/caller-of.ts";
import { check } from "../../context/check.ts";
import type { ApiOperationId } from "../../context/for-each-operation.ts";
import { dataOf, isSuccess, objectOf, summaryOf } from "../../exchange/exchange.ts";
import { NotApplicable } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { sendDraws } from "../../steps/message.ts";
import { refusesCaller } from "../../steps/send-forms.ts";
import { eventually } from "../../steps/settle.ts";
import { soundInput } from "../../steps/sound-input.ts";

/** What a user may make, and what a key does with it, in this order. */
const uses: readonly {
  readonly maker: ApiOperationId;
  readonly users: readonly { readonly operation: ApiOperationId; readonly name: string }[];
}[] = [
  {
    maker: "sendMessage",
    users: [
      { operation: "getMessage", name: "id" },
      { operation: "cancelMessage", name: "id" },
    ],
  },
  { maker: "createLookup", users: [{ operation: "getLookup", name: "lookup_id" }] },
  {
    maker: "createApiKey",
    users: [
      { operation: "getApiKey", name: "id" },
      { operation: "rotateApiKey", name: "id" },
    ],
  },
];

/** Records that a user made, by a key. */
export const madeByUser = check({
  id: "tenancy.made-by-user",
  title: "What a signed-in user made can be used by a key of the organization",
  rules: ["TEN-31"],
  kind: "scenario",
  needs: ["session"],
  effects: ["creates", "spends"],
  draws: { ...sendDraws(2), apiKeyWrites: 2 },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const user = await userOf(tenant);
    let used = 0;
    for (const { maker, users } of uses) {
      if (!t.serves(maker)) continue;
      const input = await soundInput(maker, t, tenant);
      // A consent may count a moment after it was captured.
      const made = await eventually(t, tenant, async () => {
        const exchange = await t.call(maker, input, user);
        return answeredBy(exchange, "ConsentRequired") ? null : exchange;
      });
      // Which operations users may call but their own is open; a wallet may cover nothing.
      if (made === null || refusesCaller(made) || answeredBy(made, "InsufficientCredit")) continue;
      t.control(made, `${maker} by a signed-in user`);
      const id = objectOf(t.shapeResponse(maker, dataOf(made)))?.id;
      if (typeof id !== "string") continue;
      for (const { operation, name } of users) {
        if (!t.serves(operation)) continue;
        const exchange = await t.call(operation, { path: { [name]: id } }, main);
        // What the given key may do the kit was not told.
        if (main.scopes === null && answeredBy(exchange, "Forbidden")) continue;
        t.verify("TEN-31", isSuccess(exchange), {
          expected: `${operation} of what a user made`,
          admits: ["success"],
          actual: summaryOf(exchange),
          exchanges: [made, exchange],
        });
        used += 1;
      }
    }
    if (used === 0) throw new NotApplicable("the target lets users make nothing that a key could use");
  },
});
