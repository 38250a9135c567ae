import { documentedScopes } from "../../../generated/scopes.ts";
import type { Check } from "../../context/check.ts";
import type { CallInput, CheckContext } from "../../context/context.ts";
import { callDraws, sumOfDraws } from "../../context/draws.ts";
import { type ApiOperation, forEachOperation } from "../../context/for-each-operation.ts";
import { rowNamed, rowText } from "../../exchange/admits.ts";
import { isSuccess, summaryOf } from "../../exchange/exchange.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { onUnknownRecord, recordIds, takesBody, withInvalidBodies } from "../../steps/flaws.ts";
import { grantable, readScope } from "../../steps/grantable.ts";
import { keyLacking, scopesLacking } from "../../steps/key-lacking.ts";
import { refusedAlways } from "../../steps/refused-always.ts";
import { scopeUndecided } from "../../steps/scope-undecided.ts";
import { soundCall } from "../../steps/sound-call.ts";
import { soundInput, soundInputCost } from "../../steps/sound-input.ts";

/** A sound call of every operation, then by keys that lack its scope, also with another defect beside that. */
export const scopes: readonly Check[] = forEachOperation((operation) => {
  const { method, path, scope, draws } = operation;
  if (scope === null) return null;
  // Where the document names no scope, some other one may be the operation's.
  const isStated = operation.scopeQuestion === null;
  const inputs = soundInputCost(operation, isStated ? 3 : 2);
  return {
    id: "authentication.scopes",
    title: `${method} ${path} wants ${scope}, whatever else a key may do and whatever else is wrong with the call`,
    rules: [
      "AUTH-12",
      ...(recordIds(operation).length > 0 ? (["AUTH-14"] as const) : []),
      ...(takesBody(operation) ? (["AUTH-15"] as const) : []),
      ...(isStated ? (["AUTH-33"] as const) : []),
    ],
    kind: "scenario",
    needs: ["key"],
    effects: ["creates"],
    draws: sumOfDraws([inputs.draws, callDraws(draws, 2)]),
    sharedKeys: [
      ...inputs.sharedKeys,
      scopesLacking(scope),
      ...(isStated ? [documentedScopes.filter((other) => other !== scope), [scope]] : []),
    ],
    async run(t) {
      const tenant = await t.tenant();
      const { exchange, input: served, again } = await soundCall(t, operation, tenant, { isRetried: true });
      t.control(exchange, `${method} ${exchange.request.url}`);
      const input = await again();
      const lacking = await keyLacking(scope, tenant);
      await assertForbidden(t, operation, input, lacking);
      // What was done already is no more theirs.
      if (operation.idempotencyHeader !== null)
        t.refused("AUTH-12", await t.call(operation.id, served, lacking), "Forbidden");
      const unknown = onUnknownRecord(operation, input);
      if (unknown !== null) t.refused("AUTH-14", await t.call(operation.id, unknown, lacking), "Forbidden");
      for (const bad of withInvalidBodies(operation, input)) {
        t.refused("AUTH-15", await t.call(operation.id, bad, lacking), "Forbidden");
      }
      if (!isStated) return;
      const other = scope === readScope ? "listDeliveryAttempts" : "getApiKey";
      const others = grantable(await tenant.main()).filter((each) => each !== scope);
      t.refused("AUTH-12", await t.call(operation.id, input, await tenant.keyWith(others)), "Forbidden");
      const holder = await tenant.keyWith([scope]);
      // Its own key is there to be read, so that nothing but the scope is missing.
      const elsewhere = async () => {
        if (!t.serves(other) || holder.id === null) return;
        const input = other === "getApiKey" ? { path: { id: holder.id } } : {};
        t.refused("AUTH-12", await t.call(other, input, holder), "Forbidden");
      };
      // What is refused elsewhere costs it nothing that it holds.
      for (let time = 1; time <= 3; time += 1) await elsewhere();
      const held = await t.call(operation.id, await soundInput(operation.id, t, tenant, [scope]), holder);
      if (!answeredBy(held, "Forbidden")) t.control(held, `${method} ${path} by a ${holder.name}`);
      t.accepted("AUTH-33", held);
      // That it was served once opens nothing else to it.
      if (isSuccess(held)) await elsewhere();
    },
  };
});

/** Decides whether the missing scope alone is refused; ends the check where it is not, as nothing else can be told then. */
async function assertForbidden(
  t: CheckContext,
  operation: ApiOperation,
  input: CallInput,
  lacking: Credential,
): Promise<void> {
  const { id, draws, scopeQuestion } = operation;
  const exchange = await t.call(id, input, lacking);
  const forbidden = answeredBy(exchange, "Forbidden");
  t.verify("AUTH-12", forbidden, {
    expected: rowText(rowNamed("Forbidden")),
    admits: ["Forbidden"],
    actual: summaryOf(exchange),
    exchanges: [exchange],
    // Where the document names no scope, another may be enough.
    question: scopeQuestion,
  });
  if (!forbidden) throw scopeUndecided(operation, exchange, lacking);
  // What is refused may draw on a limit, which others of a given organization want too.
  if (draws.length === 0 || lacking.tenant.own)
    await refusedAlways(t, "AUTH-12", () => t.call(id, input, lacking), "Forbidden");
}
