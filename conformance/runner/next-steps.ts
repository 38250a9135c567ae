import { isDeepStrictEqual } from "node:util";
import type { RuleId } from "../../generated/rules.ts";
import { allOffers, bothText, giveText, type Means, type Offer } from "../arrangements/offers.ts";
import type { Check } from "../context/check.ts";
import { durationFlag, durationText } from "../target/duration.ts";
import { type Lack, lackOf } from "./lack.ts";
import type { NextStep } from "./run-result.ts";
import { fillWaitOf } from "./waits.ts";

/** Offers that together unlock something, none of them to spare. */
type Way = readonly Offer[];

/** Offers that are tried together. */
const mostTogether = 3;

/** Combinations that are told, besides each offer by itself. */
const mostCombinations = 3;

/** Ways that are told for one check. */
const mostWays = 4;

/** What the next steps are worked out from. */
export interface Outlook {
  /** All checks that were asked for and that the target serves, whatever they need, in the order of a run. */
  readonly checks: readonly Check[];
  readonly means: Means;
  /** Whether a check belongs to the profile of the run; the steps are those of a full one. */
  readonly inProfile: (check: Check) => boolean;
}

/** What to give the kit next, by the rules that it would add. */
export function nextStepsOf({ checks, means, inProfile }: Outlook): NextStep[] {
  const open = checks.filter((check) => lackOf(check, means) === null);
  const known = rulesOf(open);
  const locked = checks
    .filter((check) => !open.includes(check))
    .map((check) => ({ check, ways: waysOf(check, means) }));
  const unlockedBy = (way: Way): readonly Check[] =>
    locked.flatMap(({ check, ways }) => (ways.some((w) => isPartOf(w, way)) ? [check] : []));
  const gainOf = (way: Way): number => countMore(rulesOf(unlockedBy(way)), known);
  const stepOf = (way: Way, says = bothText(way.map(saysOf))): NextStep => {
    const { target } = withAll(means, way);
    const waitSeconds = sumOf(unlockedBy(way).map((check) => fillWaitOf(check, target)));
    const advice = says + waitText(waitSeconds, means);
    return { gives: way.map(({ name }) => name), advice, rules: gainOf(way), waitSeconds };
  };

  const offers = allOffers.filter((offer) => locked.some(({ ways }) => ways.some((way) => way.includes(offer))));
  const ofKind = (...kinds: readonly Offer["kind"][]): Way => offers.filter(({ kind }) => kinds.includes(kind));
  const needed = (way: Way): Way =>
    way.filter((one) => one.kind !== "leave" || gainOf(way.filter((other) => other !== one)) < gainOf(way));
  const hooks = ofKind("hook").length < 2 ? [] : [needed(ofKind("leave", "hook", "receiver"))];
  /** What adds nothing to that which is given with it is told as that. */
  const isWorthIt = (offer: Offer): boolean =>
    offer.includes === undefined || gainOf([offer]) > gainOf([offer.includes]);
  const all = [
    ...offers.filter(isWorthIt).map((offer) => [offer]),
    ...combinations(offers, gainOf),
    ofKind("sandbox", "receiver"),
  ];
  const told = new Set(hooks.map(nameOf));
  const ways = new Map(all.filter((way) => !told.has(nameOf(way))).map((way) => [nameOf(way), way]));
  return [
    {
      gives: ["profile"],
      advice: "nothing more than --profile full",
      rules: countMore(known, rulesOf(open.filter(inProfile))),
      waitSeconds: 0,
    },
    ...[...ways.values()].map((way) => stepOf(way)),
    ...hooks.map((way) => stepOf(way, allHooksText(way))),
  ]
    .filter(({ rules }) => rules > 0)
    .sort((a, b) => b.rules - a.rules || a.gives.length - b.gives.length);
}

/** Where the hooks are shown at work. */
const exampleOfHooks = "conformance/examples/hooks.yaml";

const allHooksText = (way: Way): string =>
  bothText([
    `all hooks (as in ${exampleOfHooks})`,
    ...way.filter(({ kind }) => kind !== "hook").map(({ says }) => says),
  ]);

const nameOf = (way: Way): string => way.map(({ name }) => name).join();

/** What waiting comes with a step: the flag that grants it, on top of what is granted already. */
function waitText(seconds: number, { target }: Means): string {
  if (seconds === 0) return "";
  const flag = durationFlag((target.timing.maxWait + seconds) * 1000);
  return `, with --max-wait ${flag}: adds up to ${durationText(seconds * 1000)}`;
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

/** How much time to wait is told by what it is for. */
const saysOf = ({ kind, says }: Offer): string => (kind === "time" ? "time to wait" : says);

/** What to give the kit so that it can run a check that lacks something; null when nothing helps. */
export function unlockText(check: Check, means: Means): string | null {
  const ways = waysOf(check, means).slice(0, mostWays);
  return ways.length === 0 ? null : giveText(ways);
}

/** Offers that add more together than apart, those with the most to gain by it first. */
function combinations(offers: readonly Offer[], gainOf: (way: Way) => number): readonly Way[] {
  const gains = new Map<string, number>();
  const gain = (way: Way): number => {
    const found = gains.get(nameOf(way)) ?? gainOf(way);
    gains.set(nameOf(way), found);
    return found;
  };
  const apart = (way: Way): number =>
    Math.max(...way.map((one) => gain([one]) + gain(way.filter((other) => other !== one))));
  const ways = Array.from({ length: mostTogether - 1 }, (_, index) => choices(offers, index + 2))
    .flat()
    .map((way) => ({ way, surplus: gain(way) - apart(way) }))
    .filter(({ surplus }) => surplus > 0)
    .sort((a, b) => b.surplus - a.surplus || gain(b.way) - gain(a.way));
  // Of ways that differ in a setting of a hook alone, the one with the most to gain stands for all.
  const unlike = Map.groupBy(ways, ({ way }) => nameOf(way.map((offer) => offer.includes ?? offer)));
  return [...unlike.values()].flatMap(([best]) => (best === undefined ? [] : [best.way])).slice(0, mostCombinations);
}

/** Every choice of so many of the offers. */
function choices(offers: readonly Offer[], size: number): readonly Way[] {
  if (size === 0) return [[]];
  return offers.flatMap((offer, index) => choices(offers.slice(index + 1), size - 1).map((rest) => [offer, ...rest]));
}

/** Things that a way to run a check can be made of, at most. */
const longestWay = 7;

/** The ways in which a check can be unlocked, the shortest first: whatever it lacks, one thing after the other. */
function waysOf(check: Check, means: Means): readonly Way[] {
  const found: Way[] = [];
  let begun: readonly Way[] = [[]];
  while (begun.length > 0) {
    const longer = new Map<string, Way>();
    for (const way of begun) {
      const lack = lackOf(check, withAll(means, way));
      if (lack === null) found.push(way);
      else for (const next of furtherWays(check, means, way, lack)) longer.set(nameOf(next), next);
    }
    begun = [...longer.values()].filter((way) => way.length <= longestWay && !found.some((w) => isPartOf(w, way)));
  }
  const least = found.filter((way) => !found.some((other) => other !== way && isPartOf(other, way)));
  return least.sort((a, b) => a.length - b.length);
}

/** The way with one thing more that ends the lack, or with two where no single one does. */
function furtherWays(check: Check, means: Means, way: Way, lack: Lack): readonly Way[] {
  const ends = (more: Way): boolean => !isDeepStrictEqual(lackOf(check, withAll(means, joined(way, more))), lack);
  const single = allOffers.filter((offer) => ends([offer]));
  const needed = single.filter(({ includes }) => includes === undefined || !single.includes(includes));
  const more = single.length > 0 ? needed.map((offer) => [offer]) : choices(allOffers, 2).filter(ends);
  return more.map((offers) => joined(way, offers));
}

/** Both together, in the order in which they are told and without what others include. */
function joined(way: Way, more: Way): Way {
  const both = allOffers.filter((offer) => way.includes(offer) || more.includes(offer));
  return both.filter((offer) => !both.some(({ includes }) => includes === offer));
}

const withAll = (means: Means, way: Way): Means => way.reduce((now, { addedTo }) => addedTo(now), means);

const isPartOf = (part: Way, whole: Way): boolean =>
  part.every((offer) => whole.some((one) => one === offer || one.includes === offer));

const rulesOf = (checks: readonly Check[]): ReadonlySet<RuleId> => new Set(checks.flatMap(({ rules }) => rules));

const countMore = (then: ReadonlySet<RuleId>, before: ReadonlySet<RuleId>): number =>
  [...then].filter((rule) => !before.has(rule)).length;
