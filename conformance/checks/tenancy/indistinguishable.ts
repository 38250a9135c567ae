import type { CheckContext } from "../../context/context.ts";
import { codeOf, type Exchange, errorOf, isSuccess, statusOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { type Asked, type Difference, differences } from "./differences.ts";

/**
 * Decides whether nothing tells another organization's record from one that never was, and gives the answer to the
 * first call for the foreign one. Where the first two answers differ, both are asked for again, twice, in an order that
 * no alternation of servers follows: only a difference that shows each time counts. A success is judged by itself: it may
 * have deleted the record that later calls name.
 *
 * @param made The first call for the foreign record, if the check has sent it.
 */
export async function indistinguishable(
  t: CheckContext,
  call: (id: string) => Promise<Exchange>,
  { foreign, unknown }: { readonly foreign: string; readonly unknown: string },
  made: Exchange | null = null,
): Promise<Exchange> {
  const ask = async (id: string): Promise<Asked> => ({ exchange: await call(id), id });
  const first = made === null ? await ask(foreign) : { exchange: made, id: foreign };
  const theirs = [first];
  const nobodys = [await ask(unknown)];
  if (differences(theirs, nobodys).length > 0) {
    nobodys.push(await ask(unknown));
    theirs.push(await ask(foreign), await ask(foreign));
    nobodys.push(await ask(unknown));
  }
  // Where nothing is refused, there is nothing to tell apart.
  const accepted = nobodys.find(({ exchange }) => isSuccess(exchange));
  if (accepted !== undefined) {
    const { method, url } = accepted.exchange.request;
    throw new Blocked(`${method} ${url} of what never was succeeded`, "see the rule on unknown ids first", "server");
  }
  const served = theirs.find(({ exchange }) => isSuccess(exchange));
  t.verify("TEN-05", served === undefined, {
    expected: "a refusal of each call for another organization's record, as of one that never was",
    actual: served === undefined ? "that" : summaryOf(served.exchange),
    exchanges: [served ?? first, ...nobodys.slice(0, 1)].map(({ exchange }) => exchange),
  });
  const found = differences(theirs, nobodys);
  const exchanges = [...theirs, ...nobodys].map(({ exchange }) => exchange);
  for (const [rule, told] of [
    ["TEN-05", found.filter(isOfRefusal)],
    ["TEN-19", found.filter((each) => !isOfRefusal(each))],
  ] as const) {
    t.verify(rule, told.length === 0, {
      expected: "the answer for an id that never was",
      actual: told
        .map(({ part, one, other }) => `${part} ${one ?? "(none)"} in place of ${other ?? "(none)"}`)
        .join("; "),
      exchanges,
    });
  }
  return first.exchange;
}

/** Status, code, message and details are what the refusal itself tells. */
const isOfRefusal = ({ part }: Difference): boolean =>
  part === "status" || /^(members of )?(error\.(code|message|details)|success)\b/.test(part);

/** What an answer tells, with the id that was asked for, and its own, masked wherever they are repeated. */
export function told({ exchange, id }: Asked): object {
  const { message, details, request_id } = errorOf(exchange) ?? {};
  const forms = [id, id.toLowerCase(), id.toUpperCase(), ...(typeof request_id === "string" ? [request_id] : [])];
  const masked = forms.reduce((text, form) => text.replaceAll(form, "{id}"), JSON.stringify({ message, details }));
  return { status: statusOf(exchange), code: codeOf(exchange), told: masked };
}
