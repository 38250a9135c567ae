import { isRead } from "../story/changes.ts";
import { recipientsIn } from "../story/names.ts";
import { secondsOf } from "../story/passed.ts";
import { asBefore } from "../story/states.ts";
import type { ToldStep, ToldStory } from "../story/step.ts";
import { type Owner, ownersOf } from "../story/step-owners.ts";

/** Why a step is aside of what a story is told of: whose it is, or that it only looks. */
export type Aside = "organization" | "recipient" | "look";

/** What a story is told of, by the numbers of its steps, from 1. */
export interface Focus {
  /** Steps that show the failure, and the one that it is held against. */
  readonly about: readonly number[];
  /** Steps that something else in the report refers to. */
  readonly named: ReadonlySet<number>;
  /** Whether what one organization does may be what is shown to another: none is aside then. */
  readonly isAcross: boolean;
}

/**
 * Of each step of a story why it is aside, null for those that belong to it: what fails and what is referred to, all that
 * either was made with, and what else was done for the organizations and the recipients that it is about.
 */
export function asidesOf({ steps }: ToldStory, { about, named, isAcross }: Focus): readonly (Aside | null)[] {
  const ownerOf = ownersOf(steps);
  const stepsAt = (numbers: Iterable<number>): readonly ToldStep[] => [...numbers].flatMap((at) => steps[at - 1] ?? []);
  const shown = stepsAt(about);
  if (shown.length === 0) return steps.map(() => null);
  const kept = withGivers(steps, [...shown, ...stepsAt(named)], ownerOf);
  const owners = new Set(shown.map(ownerOf));
  const recipients = new Set(shown.flatMap(recipientsOf));
  const asked = new Map(shown.map(({ request }) => [request?.url, request?.headers.authorization]));
  // What one caller was shown of a record may be kept for another.
  const isOfOther = ({ request }: ToldStep): boolean =>
    request !== null && asked.has(request.url) && asked.get(request.url) !== request.headers.authorization;
  return steps.map((step) => {
    if (kept.has(step)) return null;
    const owner = ownerOf(step);
    if (!isAcross && owner !== null && !owners.has(owner)) return "organization";
    if (secondsOf(step) > 0) return null;
    if (isLook(step)) return isOfOther(step) ? null : "look";
    if (isByOtherKey(step, shown)) return null;
    const own = recipientsOf(step);
    const isOfOthers = recipients.size > 0 && own.length > 0 && !own.some((one) => recipients.has(one));
    return isOfOthers ? "recipient" : null;
  });
}

/** Whether another key of the organization did the same as what is shown: what keys have in common goes beyond recipients. */
const isByOtherKey = ({ operation, request }: ToldStep, shown: readonly ToldStep[]): boolean =>
  operation != null &&
  shown.some(
    (one) => one.operation === operation && one.request?.headers.authorization !== request?.headers.authorization,
  );

/** These steps with those that gave what they were made with, and those that made their organizations. */
function withGivers(
  steps: readonly ToldStep[],
  these: readonly ToldStep[],
  ownerOf: (step: ToldStep) => Owner,
): ReadonlySet<ToldStep> {
  const kept = new Set(these);
  for (const step of kept) {
    const owner = ownerOf(step);
    if (owner !== null && typeof owner !== "string") kept.add(owner);
    const sent = JSON.stringify(step.request);
    const isUsed = ({ value }: ToldStep["gives"][number]): boolean => sent.includes(value);
    for (const giver of steps.slice(0, steps.indexOf(step))) {
      // Of pages that follow each other the one before is enough.
      const isPageBefore = isRead(giver) && isRead(step) && !these.includes(step);
      if (!isPageBefore && giver.gives.some(isUsed)) kept.add(giver);
    }
  }
  return kept;
}

/** Whether a step only reads, or a look at a state sees what the one before saw. */
const isLook = (step: ToldStep): boolean => isRead(step) || step.tells === asBefore;

/** Numbers that a step is about. */
const recipientsOf = ({ request }: ToldStep): readonly string[] => (request === null ? [] : recipientsIn(request));
