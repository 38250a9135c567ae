import type { Check } from "../../context/check.ts";
import { callDraws, sumOfDraws } from "../../context/draws.ts";
import { forEachOperation } from "../../context/for-each-operation.ts";
import { declares, recordIds } from "../../steps/flaws.ts";
import { neverIssued } from "../../steps/never-issued.ts";
import { soundCall } from "../../steps/sound-call.ts";
import { soundInputCost } from "../../steps/sound-input.ts";

/** Every operation on a record, asked for one that never was. */
export const unknownRecord: readonly Check[] = forEachOperation((operation) => {
  const names = recordIds(operation);
  const { id, method, path, draws } = operation;
  if (names.length === 0 || !declares(operation, "NotFound")) return null;
  const inputs = soundInputCost(operation, 1 + names.length);
  return {
    id: "tenancy.unknown-record",
    title: `${method} ${path} of a record that never was finds nothing`,
    rules: ["TEN-22"],
    kind: "sampled",
    needs: ["key"],
    effects: ["creates"],
    draws: sumOfDraws([inputs.draws, callDraws(draws, 1 + 2 * names.length)]),
    sharedKeys: inputs.sharedKeys,
    async run(t) {
      const tenant = await t.tenant();
      const { caller, exchange, again } = await soundCall(t, operation, tenant);
      t.control(exchange, `${method} ${exchange.request.url}`);
      for (const name of names) {
        const input = await again();
        const known = input.path?.[name];
        if (known === undefined) throw new Error(`The sound input of ${id} has no ${name} in its path.`);
        // What was found once must not be found by the next id either.
        for (const unknown of [neverIssued(known, t.random), neverIssued(known, t.random)]) {
          const path = { ...input.path, [name]: unknown };
          t.refused("TEN-22", await t.call(id, { ...input, path }, caller), "NotFound");
        }
      }
    },
  };
});
