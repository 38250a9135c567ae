import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { readScope } from "../../steps/grantable.ts";
import { idOf } from "../../steps/own-key.ts";
import { unknownKey } from "./bad-authorizations.ts";

/** More refusals in a row than after which others use to lock somebody out. */
const inRow = 12;

const unknownId = "00000000-0000-4000-8000-000000000000";

/** Keys that are sound, used after many refusals of others and of themselves. */
export const afterRefusals = check({
  id: "authentication.after-refusals",
  title: "However many calls were refused before, of nobody's or of its own, a key is served what it may do",
  rules: ["AUTH-10", "AUTH-33"],
  kind: "sampled",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 2 },
  async run(t) {
    const tenant = await t.tenant();
    const [key, other] = [
      await tenant.keyWith([readScope], { unused: true }),
      await tenant.keyWith([readScope], { unused: true }),
    ];
    const read = (as: Credential | null, id = idOf(key)): Promise<Exchange> =>
      t.attempt("getApiKey", { path: { id } }, as);
    t.control(await read(key), "a key reading itself");

    /** A call again and again, and what both keys get behind it. */
    const behind = async (rule: "AUTH-10" | "AUTH-33", what: string, call: () => Promise<Exchange>): Promise<void> => {
      const refusals: Exchange[] = [];
      for (let time = 1; time <= inRow; time += 1) refusals.push(await call());
      const admitted = refusals.find(isSuccess);
      if (admitted !== undefined)
        throw new Blocked(
          `a call ${what} was answered ${summaryOf(admitted)}`,
          "see AUTH-01, AUTH-04 and AUTH-12 first",
          "server",
        );
      for (const as of [key, other]) judge(t, rule, what, refusals, await read(as));
    };
    await behind("AUTH-10", "without a credential", () => read(null));
    const unknown = { ...key, name: "unknown key", token: unknownKey(key.token, t.random) };
    await behind("AUTH-10", "of a key that is none", () => read(unknown));
    const near = {
      ...key,
      name: "changed key",
      token: `${key.token.slice(0, -1)}${key.token.endsWith("a") ? "b" : "a"}`,
    };
    await behind("AUTH-10", "of a key that differs from it at its end", () => read(near));
    if (t.serves("listDeliveryAttempts"))
      await behind("AUTH-33", "of it for its scopes", () => t.attempt("listDeliveryAttempts", {}, key));
    await behind("AUTH-33", "of it for what is not there", () => read(key, unknownId));
    await behind("AUTH-33", "of it for a malformed id", () => read(key, "not-a-uuid"));
  },
});

/** Decides whether a key is served behind refusals; another limit than the documented ones may stand before it. */
function judge(
  t: CheckContext<"AUTH-10" | "AUTH-33">,
  rule: "AUTH-10" | "AUTH-33",
  what: string,
  refusals: readonly Exchange[],
  served: Exchange,
): void {
  const isRefused = answeredBy(served, "Unauthorized") || answeredBy(served, "Forbidden");
  if (!isRefused && !isSuccess(served))
    throw new Blocked(
      `a key that reads itself behind ${inRow} refusals ${what} was answered ${summaryOf(served)}`,
      "lift the limit of refusals for the kit",
      "server",
    );
  t.verify(rule, !isRefused, {
    expected: `a key that reads itself served, behind ${inRow} refusals ${what}`,
    actual: summaryOf(served),
    exchanges: [...refusals.slice(-1), served],
  });
}
