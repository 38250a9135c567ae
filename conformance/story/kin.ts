import { routeOf } from "./contrast.ts";
import { namedWithoutHeaders } from "./names.ts";
import { parsedBody } from "./parsed-body.ts";
import type { ToldStep, ToldStory } from "./step.ts";

/** A call of another operation that was refused as this one should have been, over the same record. */
export interface Kin {
  /** Number of its step, from 1. */
  readonly step: number;
  /** Such as "POST /v1/phone-numbers/orders". */
  readonly route: string;
  /** What both name, such as "the same campaign_id", or "the same record" where the address alone names it. */
  readonly shares: string;
}

/** The nearest call of another operation that was answered as admitted, such as "409 BRAND_NOT_VERIFIED"; null for none. */
export function kinOf({ steps }: ToldStory, exchange: number, admitted: string): Kin | null {
  const at = steps.findIndex((step) => step.exchange === exchange);
  const shown = steps[at]?.request;
  if (shown == null) return null;
  const own = namedWithoutHeaders(shown);
  const shared = (step: ToldStep): readonly string[] =>
    step.request === null ? [] : namedWithoutHeaders(step.request).filter((name) => own.includes(name));
  const found = steps
    .flatMap((step, index) =>
      step.exchange !== null &&
      step.request !== null &&
      routeOf(step.request) !== routeOf(shown) &&
      answerOf(step) === admitted &&
      shared(step).length > 0
        ? [{ step, index }]
        : [],
    )
    .toSorted((a, b) => Math.abs(a.index - at) - Math.abs(b.index - at))
    .at(0);
  if (found?.step.request == null) return null;
  const member = memberWith(found.step.request.body, shared(found.step));
  return {
    step: found.index + 1,
    route: routeOf(found.step.request).replaceAll("·", "{id}"),
    shares: member === null ? "the same record" : `the same ${member}`,
  };
}

/** The name of the member of a body that holds one of these; null for none. */
const memberWith = (body: string | null, names: readonly string[]): string | null =>
  Object.entries(Object(parsedBody(body))).find(
    ([, value]) => typeof value === "string" && names.includes(value),
  )?.[0] ?? null;

const answerOf = ({ outcome }: ToldStep): string | null =>
  outcome?.kind === "response" && outcome.code !== undefined ? `${outcome.status} ${outcome.code}` : null;
