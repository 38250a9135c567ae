import { callerOf } from "../../context/caller-of.ts";
import type { Check } from "../../context/check.ts";
import { callDraws, sumOfDraws } from "../../context/draws.ts";
import { forEachOperation } from "../../context/for-each-operation.ts";
import { dataOf, type Exchange, errorOf, isSuccess, objectOf, statusOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked, NotApplicable } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { requiresProperty, takesBody } from "../../steps/flaws.ts";
import { roomyLimits } from "../../steps/roomy-limits.ts";
import { soundCall } from "../../steps/sound-call.ts";
import { soundInput, soundInputCost } from "../../steps/sound-input.ts";
import { memberNames, shows, type WrongMember, wrongMembers } from "../../steps/wrong-members.ts";
import { dispensableFields, mappableFields } from "../../target/mappable-fields.ts";
import { envelopeFlaws } from "./envelope-flaws.ts";

/** More members than any sound body has. */
const mostMembers = 16;

/** A name that may stand for the body as a whole (Q9). */
const wholeBody = "body";

/** A sound call of every operation that takes a body, then the same with every member in turn of another kind. */
export const wrongMembersRefused: readonly Check[] = forEachOperation((operation) => {
  if (!takesBody(operation)) return null;
  const { id, method, path, draws } = operation;
  const inputs = soundInputCost(operation, 3);
  // Members that the document does not show may mean nothing to a server, which then reads none of their values.
  const isDocumented = !Object.hasOwn(mappableFields, id);
  return {
    id: "envelope.wrong-members",
    title: `A member of the wrong kind for ${method} ${path} is refused, and nobody is told that another one is wrong`,
    rules: ["ENV-42", "ENV-43"],
    kind: "scenario",
    needs: ["key"],
    effects: ["creates"],
    draws: sumOfDraws([inputs.draws, callDraws(draws, 3 + 2 * mostMembers)]),
    sharedKeys: inputs.sharedKeys,
    async run(t) {
      const tenant = await t.tenant(roomyLimits(operation));
      const { caller, exchange: sound, input, again } = await soundCall(t, operation, tenant);
      t.control(sound, `${method} ${sound.request.url}`);
      const isShown = (index: number): boolean => {
        const sent = wrongMembers(input.body)[index];
        return sent !== undefined && shows(dataOf(sound), sent);
      };
      let { body, ...rest } = await again();
      const names = memberNames(body);
      if (names.length === 0) throw new NotApplicable(`a sound body of ${id} has no members`);
      const judge = (wrong: WrongMember, exchange: Exchange): void => {
        // A server may store the other records of a batch, and report this one in a success (Q161).
        if (isSuccess(exchange) && wrong.isOfRecord) {
          t.observe("ENV-42", `a batch is taken whose record has ${wrong.path.join(".")} of another kind`, exchange);
          return;
        }
        const isRefused = (statusOf(exchange) ?? 0) < 500 && envelopeFlaws(exchange).length === 0;
        t.verify("ENV-42", !isSuccess(exchange) && isRefused, {
          expected: `a refusal where ${wrong.path.join(".")} is of another kind: ${JSON.stringify(wrong.body)}`,
          actual: summaryOf(exchange),
          exchanges: [exchange],
        });
      };
      let areRead = false;
      let unread: { readonly wrong: WrongMember; readonly exchange: Exchange } | null = null;
      let judged = 0;
      for (let index = 0; index < wrongMembers(body).length; index += 1) {
        const wrong = wrongMembers(body)[index];
        if (wrong === undefined) continue;
        const where = wrong.path.join(".");
        const exchange = await t.call(id, { ...rest, body: wrong.body }, caller);
        // What was taken must not come again: a server may want every creation to be another.
        if (isSuccess(exchange)) ({ body, ...rest } = await again());
        if (isSuccess(exchange) && !isDocumented && !isShown(index)) {
          const without = await t.call(id, { ...rest, body: wrongMembers(body)[index]?.missing }, caller);
          if (isSuccess(without)) {
            unread ??= { wrong, exchange };
            ({ body, ...rest } = await again());
            continue;
          }
        }
        areRead = true;
        judge(wrong, exchange);
        // What the wrong member lacks now may be called missing.
        const its = [...wrong.path, ...memberNames(wrong.sound)];
        const others = names.filter((name) => !its.includes(name));
        if (!isFailedValidation(exchange)) continue;
        if (!blames(exchange, wrong.path, others)) {
          judged += 1;
          t.verify("ENV-43", true, {
            expected: `no other member than ${where} in the details`,
            actual: summaryOf(exchange),
            exchanges: [exchange],
          });
          continue;
        }
        // It may mind something else, such as a name that was there before: not where nothing was done before.
        const fresh = await t.tenant(roomyLimits(operation));
        const first = await soundInput(id, t, fresh);
        const as = await callerOf(operation, fresh);
        const repeated = await t.call(id, { ...first, body: wrongMembers(first.body)[index]?.body }, as);
        const twin = await t.call(id, first, as);
        if (!isSuccess(twin) || !blames(repeated, wrong.path, others)) continue;
        t.verify("ENV-43", false, {
          expected: `details that name ${where}, or none of ${others.join(", ")}`,
          actual: JSON.stringify(errorOf(repeated)?.details),
          exchanges: [repeated, twin],
        });
        return;
      }
      // If the contract requires properties that the document does not show, the server must at least read one of them.
      if (unread !== null && !areRead && requiresProperty(operation) && dispensableFields[id] === undefined)
        judge(unread.wrong, unread.exchange);
      else if (!areRead) {
        const why = `${id} succeeds without each of ${names.join(", ")}, and shows none of them`;
        t.undecided("ENV-42", new Blocked(why, `say what your fields of ${id} are called: shapes in the target file`));
      }
      if (judged === 0) throw new NotApplicable(`${id} answers no wrong member with details`);
    },
  };
});

const isFailedValidation = (exchange: Exchange): boolean =>
  answeredBy(exchange, "ValidationFailed") || answeredBy(exchange, "ValidationFailed400");

/** Whether the details of a failed validation name one of the other members, and none on the way to the wrong one. */
function blames(exchange: Exchange, path: readonly string[], others: readonly string[]): boolean {
  const keys = Object.keys(objectOf(errorOf(exchange)?.details) ?? {});
  if (keys.some((key) => path.some((name) => key.includes(name)))) return false;
  const named = keys.flatMap((key) => key.split(/\W+/));
  return others.some((name) => name !== wholeBody && named.includes(name));
}
