import { randomUUID } from "node:crypto";
import { constants } from "../../../generated/constants.ts";
import { operations } from "../../../generated/operations.ts";
import { mayWantUser, takesKeys } from "../../context/caller-of.ts";
import type { Check } from "../../context/check.ts";
import type { CallInput, CheckContext } from "../../context/context.ts";
import { callDraws, sumOfDraws } from "../../context/draws.ts";
import { type ApiOperation, type ApiOperationId, forEachOperation } from "../../context/for-each-operation.ts";
import { rowAllows, rowNamed } from "../../exchange/admits.ts";
import { dataOf, type Exchange, isSuccess, objectOf, statusOf, summaryOf } from "../../exchange/exchange.ts";
import { type AnswerViolation, answerViolations } from "../../monitor/answer-violations.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredBy, hasCodeOf } from "../../steps/answered-by.ts";
import { withFlaws } from "../../steps/flaws.ts";
import { sameMessage } from "../../steps/same-message.ts";
import { soundCall } from "../../steps/sound-call.ts";
import { soundInputCost } from "../../steps/sound-input.ts";
import { mappableFields } from "../../target/mappable-fields.ts";
import { spoilt, unknownKey } from "./bad-authorizations.ts";

/** A sound call of every operation, then the same call by callers who are nobody, or who name an organization. */
export const callers: readonly Check[] = forEachOperation((operation) => {
  const { id, method, path, draws } = operation;
  const flawed = withFlaws(operation, {}).length > 0;
  const inputs = soundInputCost(operation, 2);
  return {
    id: "authentication.callers",
    title: `${method} ${path} is served to whoever has ${takesKeys(operation) ? "a key" : "a session"}, acting in its organization, and to nobody else`,
    rules: [
      "ENV-01",
      "ENV-39",
      "AUTH-01",
      "AUTH-04",
      ...(takesKeys(operation) ? [] : (["AUTH-06", "AUTH-20"] as const)),
      "AUTH-07",
      ...(flawed ? (["AUTH-09"] as const) : []),
      "AUTH-21",
      "AUTH-22",
      "AUTH-23",
    ],
    kind: "sampled",
    needs: ["key"],
    effects: ["creates"],
    draws: sumOfDraws([inputs.draws, callDraws(draws, 2)]),
    sharedKeys: inputs.sharedKeys,
    async run(t) {
      const tenant = await t.tenant();
      const { caller, exchange, input: served, again } = await soundCall(t, operation, tenant, { isRetried: true });
      const isServedToUser = {
        expected: `${method} ${path} served to a signed-in user`,
        admits: ["success"] as const,
        actual: summaryOf(exchange),
        exchanges: [exchange],
      };
      if (!takesKeys(operation) && answeredBy(exchange, "UserRequired")) t.verify("AUTH-20", false, isServedToUser);
      await servedInTheEnd(t, operation, exchange, async () => t.call(id, await again(), caller));
      if (mayWantUser(operation)) {
        const byKey = async () => t.call(id, await again(), await tenant.main());
        await servedInTheEnd(t, operation, await byKey(), byKey);
      }
      if (isSuccess(exchange) || isMissing(exchange)) {
        // A legal document that is named may be what is not there: who serves users alone says so to keys.
        const isServed =
          isSuccess(exchange) ||
          (!takesKeys(operation) && answeredBy(await t.call(id, await again(), await tenant.main()), "UserRequired"));
        t.verify("ENV-01", isServed, {
          expected: `${method} ${path} served`,
          admits: ["success"],
          actual: summaryOf(exchange),
          exchanges: [exchange],
        });
      }
      t.control(exchange, `${method} ${exchange.request.url}`);
      judgeData(t, id, exchange);

      const input = await again();
      const unknown = { ...caller, name: "unknown key", token: unknownKey(caller.token, t.random) };
      const named = (organization: string, of: CallInput = input) => ({
        ...of,
        headers: { ...of.headers, [constants.targetOrganizationHeader]: organization },
      });
      if (!takesKeys(operation)) {
        const invalid = { ...caller, name: "invalid session", token: spoilt(caller.token, t.random) };
        t.refused("AUTH-06", await t.attempt(id, input, invalid), "Unauthorized");
      }
      const nobodys = [await t.attempt(id, input, null), await t.attempt(id, input, unknown)] as const;
      t.refused("AUTH-01", nobodys[0], "Unauthorized");
      t.refused("AUTH-04", nobodys[1], "Unauthorized");
      for (const nobody of [null, unknown]) {
        t.refused("AUTH-23", await t.attempt(id, named(randomUUID()), nobody), "Unauthorized");
        for (const bad of withFlaws(operation, input)) {
          t.refused("AUTH-09", await t.attempt(id, bad, nobody), "Unauthorized");
        }
      }

      // Who asks for what was done already is asked for credentials like anybody else.
      if (operation.idempotencyHeader !== null) {
        t.refused("AUTH-01", await t.attempt(id, served, null), "Unauthorized");
        t.refused("AUTH-04", await t.attempt(id, served, unknown), "Unauthorized");
        t.refused("AUTH-21", await t.call(id, named(randomUUID(), served), caller), "PlatformRequired");
      }

      const refusals: Exchange[] = [];
      const own = tenant.id === null ? [] : [tenant.id];
      for (const organization of [...own, randomUUID(), randomUUID(), "not-an-organization"]) {
        const refused = await t.call(id, named(organization), caller);
        t.refused("AUTH-21", refused, "PlatformRequired");
        refusals.push(refused);
      }
      sameMessage(t, "AUTH-22", "PlatformRequired", refusals);
      const malformed = { ...input, headers: { authorization: `Basic ${caller.token}` } };
      sameMessage(t, "AUTH-07", "Unauthorized", [...nobodys, await t.attempt(id, malformed, null)]);

      if (takesKeys(operation)) return;
      // Who asks nobody for a user lets users pass as well, which shows nothing.
      if (!hasCodeOf(await t.call(id, await again(), await tenant.main()), "UserRequired"))
        throw new Blocked(
          "no key was told that this takes a user",
          "see the rules on keys at this operation",
          "server",
        );
      t.verify("AUTH-20", true, isServedToUser);
    },
  };
});

/** Times that a sound call is made before an operation that fails each time is taken for one that is not served. */
const patience = 3;

/** Decides that an operation is not served where the server itself says each time that it failed. */
async function servedInTheEnd(
  t: CheckContext,
  { method, path }: ApiOperation,
  first: Exchange,
  call: () => Promise<Exchange>,
): Promise<void> {
  const failures: Exchange[] = [];
  for (let exchange = first; failures.length < patience; exchange = await call()) {
    if (!answeredBy(exchange, "InternalError")) return;
    failures.push(exchange);
  }
  t.verify("ENV-01", false, {
    expected: `${method} ${path} served`,
    admits: ["success"],
    actual: summaryOf(first),
    exchanges: failures,
  });
}

/**
 * Verifies that the data of a success has the operation's shape, by the property names of the target file. If the API
 * document does not show a property, its absence is not judged.
 */
function judgeData(t: CheckContext, id: ApiOperationId, exchange: Exchange): void {
  const { outcome } = exchange;
  if (outcome.kind === "lost") return;
  const data = t.shapeResponse(id, dataOf(exchange));
  const json = { ...objectOf(outcome.json), data };
  const absent = t.absentFields(id);
  const wrong = answerViolations({ ...exchange, outcome: { ...outcome, json } }).filter(
    ({ pointer, value }) =>
      /^\/data(\/|$)/.test(pointer) && !(value === undefined && absent.includes(fieldAt(id, pointer))),
  );
  const isOpen = Object.hasOwn(mappableFields, id);
  const lacking = isOpen ? wrong.filter(isLacking) : [];
  if (lacking.length > 0 && lacking.length === wrong.length) {
    t.undecided(
      "ENV-39",
      new Blocked(
        `the data of ${id} lacks what the contract has: ${faultsText(lacking)}`,
        `say where your server has it, or null where it has no such property: shapes of ${id} in the target file`,
      ),
      exchange,
    );
    return;
  }
  t.verify("ENV-39", data !== undefined && wrong.length === 0, {
    expected: `the data of ${id} as the contract describes it${isOpen ? ", by its names or those that shapes in the target file give" : ""}`,
    actual: data === undefined ? "no data" : faultsText(wrong),
    exchanges: [exchange],
  });
}

/** Returns true if a property is not there, or all data are of another form. */
const isLacking = ({ pointer, value }: AnswerViolation): boolean => value === undefined || pointer === "/data";

/** The contract's field at a place of `data`, as target files name fields: a star for each place of an inner list. */
function fieldAt(id: ApiOperationId, pointer: string): string {
  const [, , ...names] = pointer.split("/");
  const own = operations[id].list ? names.slice(1) : names;
  return own.map((name) => (/^\d+$/.test(name) ? "*" : name)).join(".");
}

/** What is wrong, once for all items of a list. */
function faultsText(wrong: readonly AnswerViolation[]): string {
  const alike = Map.groupBy(wrong, ({ pointer, message }) => `${pointer.replace(/\/\d+(?=\/|$)/g, "/*")} ${message}`);
  return [...alike]
    .flatMap(([text, those]) =>
      those.length > 1 ? `${text} (${those.length} times)` : those.map((one) => `${one.pointer} ${one.message}`),
    )
    .join(", ");
}

/** The answer to what is not there; with a sound input it means that the operation is not. */
const isMissing = (exchange: Exchange): boolean =>
  [rowNamed("NotFound"), rowNamed("MethodNotAllowed")].some((row) => rowAllows(row, statusOf(exchange) ?? 0));
