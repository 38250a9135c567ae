import type { OrganizationRequest } from "../../generated/models/sandbox-organizations.ts";
import { isOfWhole } from "../evidence/misanswer.ts";
import type { Place } from "../evidence/place.ts";
import { rowNamed } from "../exchange/admits.ts";
import { codeOf, type Exchange, isSuccess, summaryOf } from "../exchange/exchange.ts";
import { atOnceAmong } from "../story/at-once.ts";
import { operationsById } from "../story/changes.ts";
import { type Again, type Change, isMended, mayChange } from "./live-probes.ts";
import { type Case, exchangeIn, placeAmong } from "./probe.ts";
import { isBeyondLimit, untilRefused } from "./until-refused.ts";
import { freshKey, settingsOfCaller, variations } from "./variations.ts";

/** What else may be done between one time and the next. */
export interface Meanwhile {
  /** Moves the clock of the caller's organization by so many seconds; null where it moves by itself. */
  readonly move: ((seconds: number) => Promise<void>) | null;
  /** Makes an organization with these settings, and calls in its name with what is handed on; null where none can be made. */
  readonly anew: (<T>(settings: OrganizationRequest, call: (change: Change) => Promise<T>) => Promise<T>) | null;
}

/** Calls that are made for one breach. */
const mostVariants = 7;

/** Seconds that go by on a clock that can be moved, and what they are called. */
const moments = [
  { seconds: 3600, how: "an hour later" },
  { seconds: 23 * 3600, how: "a day later" },
];

/**
 * The call that shows a breach as a whole, once more and each time with one thing about it changed, and what came, such as
 * "with another phone_number: 202 success, as was to come". It tells whom and what a fault hangs on, and is no guess. Null
 * where a breach is of another kind, nothing where what the check did later may be why it is otherwise now.
 */
export function asksOtherwise(seen: Case): ((again: Again, meanwhile: Meanwhile) => Promise<readonly string[]>) | null {
  const exchange = exchangeIn(seen);
  const place = seen.finding.at?.find((one) => one.in?.kind === "exchange" && one.in.number === exchange?.number);
  if (exchange === null || exchange.outcome.kind === "lost" || place === undefined || !isOfWhole(place)) return null;
  // How many a limit lets through says which one it is.
  if (isBeyondLimit(seen, exchange)) return (again, { move }) => untilRefused(seen, exchange, again, move !== null);
  // What is carried out once is refused the second time, whatever it is asked with.
  if (isSuccess(exchange) && operationsById.get(exchange.operation ?? "")?.changes === "once") return null;
  const variants = variations.flatMap((variation) => variation.of(seen, exchange)).slice(0, mostVariants);
  // What the check did afterwards may have changed the answer.
  const at = placeAmong(exchange, seen.steps);
  const isMoved = seen.steps.slice(at + 1).some(mayChange);
  const shown = seen.steps[at];
  // What others meanwhile had to do with is another question.
  const same = shown !== undefined && atOnceAmong(seen.steps).has(shown) ? "the same call, alone" : "the same call";
  return async (again, { move, anew }) => {
    const first = await again(exchange);
    const isBesides = (answer: Exchange): boolean =>
      isOtherwise(answer) && changedFor.has(codeOf(answer)) && !isMended(place, exchange, answer);
    const isOtherwise = (answer: Exchange): boolean => summaryOf(answer) !== summaryOf(exchange);
    if (isOtherwise(first)) return isMoved ? [] : [`${same}: ${cameText(place, exchange, first)}`];
    const tries = [{ how: same, answer: first }];
    const asked = async (how: string, answer: Promise<Exchange>): Promise<void> => {
      // What could not be asked is not told, nor what is refused for what was changed.
      const came = await answer.catch(() => null);
      if (came !== null && came.outcome.kind === "response" && !isBesides(came)) tries.push({ how, answer: came });
    };
    // The first answer to an idempotency key is given again, or what differs is refused for that.
    const fresh = freshKey.of(seen, exchange).at(0)?.change.headers;
    for (const { how, change, partOf } of variants)
      if (partOf === undefined || tries.some((one) => one.how === partOf && isOtherwise(one.answer)))
        await asked(how, again(exchange, { ...change, headers: { ...fresh, ...change.headers } }));
    for (const { seconds, how } of move === null ? [] : moments)
      await asked(how, move?.(seconds).then(() => again(exchange)) ?? Promise.reject(new Error("Time stands still.")));
    const elsewhere = anew === null ? nowhere : await askedAnew({ seen, exchange, place }, again, anew);
    const { as = [], otherwise = [] } = Object.groupBy(tries, ({ answer }) =>
      isOtherwise(answer) ? "otherwise" : "as",
    );
    // Who is to be refused is so for what is its own: that something else is served says nothing, nor that it lacks the same.
    const saysNothing = isSuccess(exchange) || changedFor.has(codeOf(exchange));
    const alike = as.filter(({ how }) => !saysNothing || variants.every((variant) => variant.how !== how));
    return [
      `${summaryOf(exchange)} as well: ${[...alike.map(({ how }) => how), ...elsewhere.as].join(", ")}`,
      ...otherwise.map(({ how, answer }) => `${how}: ${cameText(place, exchange, answer)}`),
      ...elsewhere.otherwise,
    ];
  };
}

/** What came elsewhere, in words. */
interface Elsewhere {
  readonly as: readonly string[];
  readonly otherwise: readonly string[];
}

const nowhere: Elsewhere = { as: [], otherwise: [] };

/** What a breach shows, and where. */
interface Asked {
  readonly seen: Case;
  readonly exchange: Exchange;
  readonly place: Place;
}

/**
 * What comes of a call in a new organization like its caller's, where nothing was done before, and if that is the same, in
 * such ones that lack one of its settings each.
 */
async function askedAnew(
  { seen, exchange, place }: Asked,
  again: Again,
  anew: NonNullable<Meanwhile["anew"]>,
): Promise<Elsewhere> {
  const settings = settingsOfCaller(seen, exchange);
  if (settings === null) return nowhere;
  const asked = (of: OrganizationRequest): Promise<Exchange | null> =>
    anew(of, (change) => again(exchange, change)).catch(() => null);
  const how = "in a new organization";
  const like = await asked(settings);
  if (like === null || like.outcome.kind === "lost") return nowhere;
  if (summaryOf(like) !== summaryOf(exchange))
    return { as: [], otherwise: isMended(place, exchange, like) ? [`${how}: ${cameText(place, exchange, like)}`] : [] };
  const spared: string[] = [];
  const otherwise: string[] = [];
  // Time is the kit's, and limits are often set so that the kit has room.
  for (const name of Object.keys(settings).filter((one) => one !== "clock" && one !== "limits")) {
    const answer = await asked(Object.fromEntries(Object.entries(settings).filter(([one]) => one !== name)));
    if (answer === null) continue;
    if (summaryOf(answer) === summaryOf(exchange)) spared.push(name);
    // What is refused otherwise may be so for what is lacking.
    else if (isMended(place, exchange, answer))
      otherwise.push(`${how} without ${name}: ${cameText(place, exchange, answer)}`);
  }
  return { as: [spared.length === 0 ? how : `${how}, even without ${spared.join(" or ")}`], otherwise };
}

/** Codes of refusals of what a call is made of, or names. */
const changedFor: ReadonlySet<string | null> = new Set(
  (["ValidationFailed", "ValidationFailed400", "NotFound", "ConsentRequired"] as const).map(
    (row) => rowNamed(row).code,
  ),
);

const cameText = (place: Place, before: Exchange, answer: Exchange): string =>
  `${summaryOf(answer)}${isMended(place, before, answer) ? ", as was to come" : ""}`;
