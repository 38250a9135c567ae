import type { ErrorRowName } from "../../../generated/error-rows.ts";
import { callerOf } from "../../context/caller-of.ts";
import type { Check } from "../../context/check.ts";
import { callDraws, sumOfDraws } from "../../context/draws.ts";
import { forEachOperation } from "../../context/for-each-operation.ts";
import { isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { soundInput, soundInputCost } from "../../steps/sound-input.ts";

const uncoveredRow: ErrorRowName = "InsufficientCredit";

/** Millionths of a US dollar: nothing is left of it, nor owed, where 32 bits of it are kept; no charge comes near. */
const large = 2 ** 32;

/** Every operation that is charged, with a wallet of some thousand dollars. */
export const largeWallet: readonly Check[] = forEachOperation((operation) => {
  const { id, method, path, draws, shortages } = operation;
  if (!shortages.includes("credit")) return null;
  return {
    id: "billing.large-wallet",
    title: `${method} ${path} is covered by a wallet of thousands of dollars`,
    rules: ["BIL-34"],
    kind: "scenario",
    needs: ["wallet"],
    effects: ["creates", "spends"],
    draws: sumOfDraws([soundInputCost(operation, 1).draws, callDraws(draws, 1)]),
    async run(t) {
      const rich = await t.tenant({ clock: "manual", wallet_micros: large });
      const exchange = await t.call(id, await soundInput(id, t, rich), await callerOf(operation, rich));
      const isUncovered = answeredBy(exchange, uncoveredRow);
      if (!isUncovered && !isSuccess(exchange))
        throw new Blocked(`${id} was answered ${summaryOf(exchange)}`, "see the operation's own rules");
      t.verify("BIL-34", !isUncovered, {
        expected: `a charge to a wallet of ${large} millionths of a US dollar`,
        actual: summaryOf(exchange),
        exchanges: [exchange],
      });
    },
  };
});
