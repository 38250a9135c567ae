import type { ErrorRowName } from "../../../generated/error-rows.ts";
import { type RuleId, rules } from "../../../generated/rules.ts";
import type { Rule } from "../../../generated/runtime/rule.ts";
import { callerNeeds, takesKeys } from "../../context/caller-of.ts";
import type { Check } from "../../context/check.ts";
import { callDraws, sumOfDraws } from "../../context/draws.ts";
import { type ApiOperation, forEachOperation } from "../../context/for-each-operation.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { takesBody } from "../../steps/flaws.ts";
import { soundCall } from "../../steps/sound-call.ts";
import { soundInputCost } from "../../steps/sound-input.ts";

const row: ErrorRowName = "UserRequired";

/** Rules that say of an operation that it takes no key. */
export const rulesAgainstKeys = ({ id }: ApiOperation): readonly RuleId[] =>
  (Object.keys(rules) as RuleId[]).filter((name) => {
    const { about, rows }: Rule = rules[name];
    return about === id && rows.includes(row);
  });

/** Every operation for signed-in users, called with the organization's widest key. */
export const usersOnly: readonly Check[] = forEachOperation(
  (operation) => {
    if (takesKeys(operation)) return null;
    const { id, method, path, draws } = operation;
    const inputs = soundInputCost(operation, 2);
    return {
      id: "authentication.users-only",
      title: `${method} ${path} is refused to a key, whatever its scopes`,
      rules: rulesAgainstKeys(operation),
      kind: "scenario",
      needs: ["key"],
      effects: takesBody(operation) ? ["creates"] : ["reads"],
      draws: sumOfDraws([inputs.draws, callDraws(draws, 2)]),
      sharedKeys: inputs.sharedKeys,
      async run(t) {
        const tenant = await t.tenant();
        const key = await tenant.main();
        // Without a body nothing but the key can be wrong with the call.
        const sound = takesBody(operation) ? await soundCall(t, operation, tenant) : null;
        if (sound !== null) t.control(sound.exchange, `${method} ${path} by a ${sound.caller.name}`);
        const exchange = await t.call(id, (await sound?.again()) ?? {}, key);
        if (key.scopes === null && answeredBy(exchange, "Forbidden"))
          throw new Blocked(`the given key may not call ${id} for its scopes`, "give the kit a key with every scope");
        for (const rule of rulesAgainstKeys(operation)) t.refused(rule, exchange, row);
      },
    };
  },
  // The call with a key needs no user, unless a sound body takes one to make.
  { needsOf: (operation) => (takesBody(operation) ? callerNeeds(operation) : []) },
);
