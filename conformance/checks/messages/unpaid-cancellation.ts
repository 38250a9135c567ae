import { randomUUID } from "node:crypto";
import { operations } from "../../../generated/operations.ts";
import { check } from "../../context/check.ts";
import { errorOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { callCancel } from "../../steps/message.ts";
import { unlessLacking } from "../../steps/sound-call.ts";

/** Cancellations under unknown ids. They need no message, and so they cost nothing. */
export const unpaidCancellation = check({
  id: "messages.unpaid-cancellation",
  title: "Cancelling an unknown id is refused as not cancelable, and without a key as unauthorized",
  rules: ["MSG-43", "MSG-44"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant()).main();
    const id = randomUUID();
    const exchange = unlessLacking(await callCancel(t, main, id));
    if (main.scopes === null && answeredBy(exchange, "Forbidden"))
      throw new Blocked(
        "the given key may not cancel messages",
        `give the kit a key that holds ${operations.cancelMessage.scope}`,
      );
    // The operation exists if a caller without a key gets another response.
    const anonymous = await t.attempt("cancelMessage", { path: { id } }, null);
    if (!answeredBy(anonymous, "Unauthorized"))
      throw new Blocked(`a caller without a key was answered ${summaryOf(anonymous)}`, "see AUTH-01 first", "server");
    if (t.refused("MSG-43", exchange, "MessageNotCancelable"))
      t.equal("MSG-44", "error.details", errorOf(exchange)?.details, undefined, exchange);
  },
});
