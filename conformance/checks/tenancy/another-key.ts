import { documentedScopes } from "../../../generated/scopes.ts";
import { revocation } from "../../arrangements/revocation.ts";
import { callerOf } from "../../context/caller-of.ts";
import type { Check } from "../../context/check.ts";
import { callDraws, sumOfDraws } from "../../context/draws.ts";
import { forEachOperation } from "../../context/for-each-operation.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { recordIds } from "../../steps/flaws.ts";
import { soundCall } from "../../steps/sound-call.ts";
import { soundInput, soundInputCost } from "../../steps/sound-input.ts";

/** Every operation on a record, by another key than the one that made it. */
export const anotherKey: readonly Check[] = forEachOperation((operation) => {
  if (recordIds(operation).length === 0) return null;
  const { id, method, path, scope, draws } = operation;
  const inputs = soundInputCost(operation, 2);
  return {
    id: "tenancy.another-key",
    title: `${method} ${path} serves every key of the organization, whichever made the record`,
    rules: ["TEN-30"],
    kind: "scenario",
    needs: ["key"],
    effects: ["creates"],
    draws: sumOfDraws([inputs.draws, callDraws(draws, 2)]),
    sharedKeys: [...inputs.sharedKeys, documentedScopes],
    async run(t) {
      const tenant = await t.tenant({ clock: "manual" });
      const main = await tenant.main();
      const { exchange, again } = await soundCall(t, operation, tenant);
      t.control(exchange, `${method} ${exchange.request.url}`);
      // Where it is not known what the given key may do, one with all that is documented is as much as there can be.
      const another =
        main.scopes === null
          ? await tenant.keyWith(documentedScopes)
          : await tenant.keyWith(main.scopes, { unused: true });
      const served = await t.call(id, await again(), another);
      if (main.scopes === null && scope !== null && answeredBy(served, "Forbidden"))
        throw new Blocked(`a ${another.name} may not call ${id}`, `give the kit a key that holds ${scope}`);
      t.accepted("TEN-30", served);
    },
  };
});

/** The same once the key that made the record is revoked. */
export const revokedMaker: readonly Check[] = forEachOperation((operation) => {
  if (recordIds(operation).length === 0) return null;
  const { id, method, path, draws } = operation;
  const inputs = soundInputCost(operation, 2);
  return {
    id: "tenancy.revoked-maker",
    title: `${method} ${path} serves the organization after the key that made the record was revoked`,
    rules: ["TEN-30"],
    kind: "scenario",
    needs: ["revocation"],
    effects: ["creates"],
    draws: sumOfDraws([inputs.draws, callDraws(draws, 2), { apiKeyWrites: 1 }]),
    sharedKeys: inputs.sharedKeys,
    async run(t) {
      const tenant = await t.tenant({ clock: "manual" });
      const caller = await callerOf(operation, tenant);
      // The sound twin: what the caller made itself.
      const { exchange } = await soundCall(t, operation, tenant);
      t.control(exchange, `${method} ${exchange.request.url}`);
      const main = await tenant.main();
      const maker = await tenant.keyWith(main.scopes ?? documentedScopes, { unused: true });
      const made = await soundInput(id, t, { ...tenant, main: async () => maker });
      await tenant.arrange(revocation, maker);
      t.accepted("TEN-30", await t.call(id, made, caller));
    },
  };
});
