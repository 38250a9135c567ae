import { takesKeys } from "../../context/caller-of.ts";
import type { Check } from "../../context/check.ts";
import { callDraws, sumOfDraws } from "../../context/draws.ts";
import { forEachOperation } from "../../context/for-each-operation.ts";
import { dataOf, isSuccess, objectOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { grantable, readScope } from "../../steps/grantable.ts";
import { idOf } from "../../steps/own-key.ts";
import { eventually } from "../../steps/settle.ts";
import { soundInput, soundInputCost } from "../../steps/sound-input.ts";
import { tolerated } from "./last-use.ts";

/** A key whose first and only use is a call of an operation. */
export const useNoted: readonly Check[] = forEachOperation((operation) => {
  if (!takesKeys(operation)) return null;
  return {
    id: "api-keys.use-noted",
    title: `${operation.method} ${operation.path} is a use of the key that calls it`,
    rules: ["KEYG-06"],
    kind: "scenario",
    needs: ["key"],
    effects: ["creates"],
    draws: sumOfDraws([{ apiKeyWrites: 1 }, soundInputCost(operation, 1).draws, callDraws(operation.draws, 1)]),
    sharedKeys: soundInputCost(operation, 1).sharedKeys,
    async run(t) {
      const { id } = operation;
      const tenant = await t.tenant();
      const main = await tenant.main();
      // Where the document names no scope for the operation, some other one may be its own.
      const key = await tenant.keyWith([...(main.scopes ?? grantable(main))], { unused: true });
      const input = await soundInput(id, t, tenant);
      const use = t.control(await t.call(id, input, key), `${id} with a key that was not used before`);
      let read = use;
      const noted = await eventually(t, tenant, async () => {
        read = await t.call("getApiKey", { path: { id: idOf(key) } }, main);
        return typeof lastUseIn(read) === "string" ? read : null;
      });
      if (!isSuccess(read))
        throw new Blocked("the key could not be read", `give the kit a key that holds ${readScope}`);
      const { pollTimeout } = t.timing;
      t.verify("KEYG-06", noted !== null, {
        expected: `last_used_at, a timestamp within ${pollTimeout} ms of a call of ${id}`,
        actual: JSON.stringify(lastUseIn(read)) ?? "none",
        exchanges: [use, read],
        // How soon the time is written is open.
        question: pollTimeout < tolerated ? "Q43" : null,
      });
    },
  };
});

const lastUseIn = (read: Parameters<typeof dataOf>[0]): unknown => objectOf(dataOf(read))?.last_used_at;
