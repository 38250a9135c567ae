import { randomUUID } from "node:crypto";
import { operations } from "../../../generated/operations.ts";
import type { Operation } from "../../../generated/runtime/operation.ts";
import { rowAllows, rowNamed, rowText } from "../../check/admits.ts";
import type { Check } from "../../check/check.ts";
import type { CallInput, CheckContext } from "../../check/context.ts";
import { Blocked, NotApplicable } from "../../check/verdict.ts";
import { dataOf, type Exchange, isSuccess, objectOf, statusOf, summaryOf } from "../../exchange/exchange.ts";
import type { Credential, Tenant } from "../../ladder/tenant.ts";
import { answeredBy } from "./answered-by.ts";
import { keyLacking } from "./key-lacking.ts";
import { type ApiOperationId, apiOperations, soundInput } from "./sound-inputs.ts";

/** A sound call of every operation, then the same call with one defect in who makes it. */
export const everyOperation: Check = {
  id: "authentication.every-operation",
  title: "Every operation is served under /v1/, to callers with a key that holds its scope and to nobody else",
  rules: ["ENV-01", "AUTH-01", "AUTH-12", "AUTH-21"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: 10,
  async run(t) {
    const tenant = await t.tenant();
    // In an organization that others use, a rotation of its secret would cut off who verifies with it.
    const own = tenant.fresh;
    const main = await tenant.main();
    const harmless = apiOperations.filter((id) => own || id !== operations.rotateOrganizationSecret.id);
    const obstacles: Error[] = [];
    for (const id of harmless.filter((each) => t.serves(each))) {
      // What stands in the way of one operation keeps no other from being tried.
      await eachCaller(t, id, tenant, main).catch((error: unknown) => {
        if (!(error instanceof Blocked || error instanceof NotApplicable)) throw error;
        obstacles.push(error);
      });
    }
    const [obstacle] = obstacles;
    if (obstacle) throw obstacle;
  },
};

async function eachCaller(t: CheckContext, id: ApiOperationId, tenant: Tenant, main: Credential): Promise<void> {
  const { method, path, scope }: Operation = operations[id];
  const first = await soundInput(id, t, tenant);
  const exchange = await t.call(id, first, main);
  if (isSuccess(exchange) || isMissing(exchange)) {
    t.verify("ENV-01", isSuccess(exchange), {
      expected: `${method} ${path} served`,
      actual: summaryOf(exchange),
      exchanges: [exchange],
    });
  }
  t.control(exchange, `${method} ${exchange.request.url}`);
  const input = repeated(id, first, exchange) ?? (await soundInput(id, t, tenant));
  t.refused("AUTH-01", await t.attempt(id, input, null), "Unauthorized");
  if (scope !== null) {
    const refused = await t.call(id, input, await keyLacking(scope, tenant));
    t.verify("AUTH-12", answeredBy(refused, "Forbidden"), {
      expected: rowText(rowNamed("Forbidden")),
      actual: summaryOf(refused),
      exchanges: [refused],
      // Where the document names no scope, another may be enough.
      warnOnly: scopeless.has(id),
    });
  }
  const headers = { "x-target-org": randomUUID() };
  t.refused("AUTH-21", await t.call(id, { ...input, headers }, main), "PlatformRequired");
}

/** Operations that the document knows by method and path only. */
const scopeless: ReadonlySet<string> = new Set<ApiOperationId>([
  ...(["rotateApiKey", "createWebhookEndpoint", "deleteWebhookEndpoint"] as const),
  ...(["testWebhookEndpoint", "rotateOrganizationSecret"] as const),
]);

/** The answer to what is not there; with a sound input it means that the operation is not. */
const isMissing = (exchange: Exchange): boolean =>
  [rowNamed("NotFound"), rowNamed("MethodNotAllowed")].some((row) => rowAllows(row, statusOf(exchange) ?? 0));

/** The input of the same call on the same record, which a rotation may have given another id; null where there is none. */
function repeated(id: ApiOperationId, input: CallInput, exchange: Exchange): CallInput | null {
  if (!input.path || id === operations.deleteWebhookEndpoint.id) return null;
  if (id !== operations.rotateApiKey.id) return input;
  const rotated = objectOf(dataOf(exchange))?.id;
  return typeof rotated === "string" ? { ...input, path: { ...input.path, id: rotated } } : input;
}
