import { randomUUID } from "node:crypto";
import { operations } from "../../../generated/operations.ts";
import type { Operation } from "../../../generated/runtime/operation.ts";
import { rowAllows, rowNamed, rowText } from "../../check/admits.ts";
import type { Check } from "../../check/check.ts";
import type { CallInput } from "../../check/context.ts";
import { Blocked } from "../../check/verdict.ts";
import { dataOf, type Exchange, isSuccess, objectOf, statusOf, summaryOf } from "../../exchange/exchange.ts";
import { answeredBy } from "./answered-by.ts";
import { keyLacking } from "./key-lacking.ts";
import { apiOperations, soundInput } from "./sound-inputs.ts";

/** A sound call of every operation, then the same call with one defect in who makes it. */
export const everyOperation: Check = {
  id: "authentication.every-operation",
  title: "Every operation is served under /v1/, to callers with a key that holds its scope and to nobody else",
  rules: ["ENV-01", "AUTH-01", "AUTH-12", "AUTH-21"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: 9,
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const unsound: Exchange[] = [];
    for (const id of apiOperations) {
      const { method, path, scope }: Operation = operations[id];
      const first = await soundInput(id, tenant);
      const exchange = await t.call(id, first, main);
      if (isSuccess(exchange) || isMissing(exchange)) {
        t.verify("ENV-01", isSuccess(exchange), {
          expected: `${method} ${path} served`,
          actual: summaryOf(exchange),
          exchanges: [exchange],
        });
      }
      if (!isSuccess(exchange)) {
        unsound.push(exchange);
        continue;
      }
      const input = repeated(first, exchange) ?? (await soundInput(id, tenant));
      t.refused("AUTH-01", await t.attempt(id, input, null), "Unauthorized");
      if (scope !== null) {
        const refused = await t.call(id, input, await keyLacking(scope, tenant));
        t.verify("AUTH-12", answeredBy(refused, "Forbidden"), {
          expected: rowText(rowNamed("Forbidden")),
          actual: summaryOf(refused),
          exchanges: [refused],
          // The document names no scope for rotation, so another may be enough.
          warnOnly: id === operations.rotateApiKey.id,
        });
      }
      const headers = { "x-target-org": randomUUID() };
      t.refused("AUTH-21", await t.call(id, { ...input, headers }, main), "PlatformRequired");
    }
    const [failed] = unsound;
    if (failed) {
      const { method, url } = failed.request;
      throw new Blocked(
        `${method} ${url} was answered ${summaryOf(failed)}`,
        "see the rules on this request first",
        "server",
      );
    }
  },
};

/** The answer to what is not there; with a sound input it means that the operation is not. */
const isMissing = (exchange: Exchange): boolean =>
  [rowNamed("NotFound"), rowNamed("MethodNotAllowed")].some((row) => rowAllows(row, statusOf(exchange) ?? 0));

/** The input of the same call on the same record, which may have got another id; null where a call makes a record. */
function repeated(input: CallInput, exchange: Exchange): CallInput | null {
  if (!input.path) return null;
  const id = objectOf(dataOf(exchange))?.id;
  return typeof id === "string" ? { ...input, path: { ...input.path, id } } : input;
}
