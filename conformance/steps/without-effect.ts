import type { ErrorRowName } from "../../generated/error-rows.ts";
import { type Check, check } from "../context/check.ts";
import type { CheckContext } from "../context/context.ts";
import { type ApiOperationId, apiOperations } from "../context/for-each-operation.ts";
import { rowNamed, rowText } from "../exchange/admits.ts";
import { type Exchange, summaryOf } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Tenant } from "../provision/tenant.ts";
import { answeredBy } from "./answered-by.ts";
import { leftAsItWas, watchingEffects } from "./effect-of.ts";
import { lastsLater, looksLater } from "./later-state.ts";

/** An operation, and how it comes to be refused for how things are with the organization. */
export interface Refusable extends Pick<Check, "needs" | "effects" | "draws" | "sharedKeys" | "inTurn"> {
  readonly operation: ApiOperationId;
  /** Brings an organization to where it is refused so; blocks where it cannot be brought there. */
  readonly begin: (t: CheckContext) => Promise<{ readonly tenant: Tenant; readonly send: () => Promise<Exchange> }>;
}

interface Wanted extends Refusable {
  /** The refusal. */
  readonly row: ErrorRowName;
}

/** Returns a check that a refusal for the organization's state changes nothing, at once or days later. */
export function withoutEffect({ operation: id, row, needs, begin, ...others }: Wanted): Check<"ENV-61"> {
  const { method, path } = apiOperations.find((one) => one.id === id) ?? { method: "", path: id };
  return check({
    ...others,
    id: `envelope.without-effect.${id}.${row}`,
    title: `${method} ${path} changes nothing where it is refused with ${rowText(rowNamed(row))}`,
    rules: ["ENV-61"],
    kind: "scenario",
    needs: [...needs, "state"],
    run: watchingEffects(async (t, effectOf) => {
      const { tenant, send } = await begin(t);
      const effect = await effectOf(tenant, send);
      const { exchange } = effect;
      if (!answeredBy(exchange, row))
        throw new Blocked(`${id} was answered ${summaryOf(exchange)}`, "see the rules of its refusals first", "server");
      if (!leftAsItWas(t, "ENV-61", effect, exchange)) return;
      const first = { ...(await looksLater(tenant)), exchanges: [exchange] };
      const act = async ({ send: sendAgain }: { readonly send: () => Promise<Exchange> }) => [await sendAgain()];
      await lastsLater(t, "ENV-61", { begin: () => begin(t), act }, { first });
    }),
  });
}
