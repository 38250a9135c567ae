import type { ErrorRowName } from "../../../generated/error-rows.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { Check } from "../../context/check.ts";
import { callDraws, sumOfDraws } from "../../context/draws.ts";
import { type ApiOperation, forEachOperation } from "../../context/for-each-operation.ts";
import { declares, recordIds } from "../../steps/flaws.ts";
import { malformedIds } from "../../steps/malformed-ids.ts";
import { refusesMalformedId } from "../../steps/refuses-malformed-id.ts";
import { rulesOnForeign } from "../../steps/rules-on-foreign.ts";
import { soundCall } from "../../steps/sound-call.ts";
import { soundInputCost } from "../../steps/sound-input.ts";

/** Those of the malformed ids that are tried at an operation: all of them where it only reads, and may be called freely. */
const triedAt = ({ method }: ApiOperation): readonly string[] =>
  malformedIds.filter((id) => method === "GET" || id === "not-a-uuid" || id.length > 36);

/** Every operation on a record, asked for what names none. */
export const malformedRecordIds: readonly Check[] = forEachOperation((operation) => {
  const names = recordIds(operation);
  const { id, method, path, draws } = operation;
  const rows = (["ValidationFailed400", "ValidationFailed"] as const).filter((row) => declares(operation, row));
  if (names.length === 0 || rows.length === 0) return null;
  // What answers for unknown ids with a row of its own may do so for these.
  if (rulesOnForeign(id).some(([, admitted]) => !admitted.includes("NotFound"))) return null;
  const [rule, admitted]: readonly [RuleId, readonly ErrorRowName[]] =
    method === "GET" ? ["ENV-37", ["ValidationFailed400"]] : ["ENV-38", rows];
  const tried = triedAt(operation);
  const inputs = soundInputCost(operation, 1 + names.length);
  return {
    id: "envelope.malformed-ids",
    title: `${method} ${path} refuses an id that is no UUID as malformed`,
    rules: [rule],
    kind: "scenario",
    needs: ["key"],
    effects: ["creates"],
    draws: sumOfDraws([inputs.draws, callDraws(draws, 1 + tried.length * names.length)]),
    sharedKeys: inputs.sharedKeys,
    async run(t) {
      const tenant = await t.tenant();
      const { caller, exchange, again } = await soundCall(t, operation, tenant);
      t.control(exchange, `${method} ${exchange.request.url}`);
      for (const name of names) {
        const input = await again();
        for (const malformed of tried) {
          const path = { ...input.path, [name]: malformed };
          const refused = await t.call(id, { ...input, path }, caller);
          if (rule === "ENV-38") refusesMalformedId(t, rule, refused, admitted);
          else t.refused(rule, refused, ...admitted);
        }
      }
    },
  };
});
