import { refuse } from "../../../generated/error-rows.ts";
import { operations } from "../../../generated/operations.ts";
import type { Mutant } from "../edit.ts";
import { drawing, sized } from "../port-changes.ts";
import {
  inPlaceOf,
  isRefusal,
  onAnswer,
  onRequest,
  onRetryAfter,
  parsed,
  refusedWith,
  type Wire,
  withBody,
} from "../wire.ts";
import { bodyOf, withRequestBody } from "../wire-requests.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const { path } = operations.captureConsent;

/** The refusals for the plan with another error. */
const onPlanRefusal = (change: (error: Readonly<Record<string, unknown>>) => object): Wire =>
  onAnswer("captureConsent", (answer) => {
    if (!isRefusal(answer, "PlanRequired")) return answer;
    const { error, ...others } = Object(parsed(answer.bytes));
    return withBody(answer, { ...others, error: change(error) });
  });

/** Servers that capture consent wrongly. */
export const consentMutants: readonly Mutant[] = [
  mutant(
    "AUTH-26",
    "captured",
    "has any plan capture consent",
    "http/authorize.ts",
    'operation.shortages.includes("plan")',
    'operation.shortages.includes("plan") && operation.id !== "captureConsent"',
  ),
  wireMutant(
    "AUTH-26",
    "forbidden",
    "calls a plan that is too low a missing permission",
    inPlaceOf("captureConsent", "PlanRequired", refuse.Forbidden("Not with this plan.")),
  ),
  wireMutant("AUTH-28", "first", "looks at the plan before the scope", (serve) => {
    let isTold = false;
    return async (request) => {
      const answer = await serve(request);
      if (request.operation !== "captureConsent") return answer;
      isTold ||= isRefusal(answer, "PlanRequired");
      return isTold && isRefusal(answer, "Forbidden")
        ? refusedWith(answer, refuse.PlanRequired("By double opt-in or the hosted form."))
        : answer;
    };
  }),
  wireMutant(
    "AUTH-29",
    "terse",
    "names no other way beside a higher plan",
    onPlanRefusal((error) => ({ ...error, message: "The plan is too low." })),
  ),
  wireMutant(
    "AUTH-29",
    "half",
    "names one other way beside a higher plan",
    onPlanRefusal((error) => ({ ...error, message: "The plan is too low for this platform. Use double opt-in." })),
  ),
  wireMutant(
    "AUTH-30",
    "details",
    "gives details of a plan that is too low",
    onPlanRefusal((error) => ({ ...error, details: { plan: "is too low" } })),
  ),
  mutant(
    "AUTH-31",
    "payg",
    "wants a plan of everybody",
    "domain/organizations/organization.ts",
    'plan.startsWith("legacy_")',
    'plan.startsWith("legacy_") || plan === "payg"',
  ),
  mutantOf("LIM-15", "boundless", "has no limit on consents", [
    drawing(
      "consentRecords",
      sized(() => ({ capacity: 10_000 })),
    ),
  ]),
  wireMutant(
    "LIM-15",
    "conflict",
    "calls too many consents a conflict",
    onAnswer("captureConsent", (answer) =>
      isRefusal(answer, "RateLimited") ? refusedWith(answer, refuse.Conflict("Too many.")) : answer,
    ),
  ),
  wireMutant(
    "LIM-21",
    "half",
    "says half of the time until a consent is captured",
    onRetryAfter("captureConsent", (seconds) => String(Math.ceil(seconds / 2))),
  ),
  mutantOf("LIM-21", "day", "counts consents by the day and not by the minute, and says to wait a minute", [
    drawing(
      "consentRecords",
      sized(() => ({ periodSeconds: 86_400 })),
    ),
    { wire: onRetryAfter("captureConsent", () => "60") },
  ]),
  wireMutant(
    "CON-06",
    "whatever",
    `takes whatever text ${path} is given for a number`,
    onRequest("captureConsent", (request) => {
      const body = bodyOf(request);
      const { phone_number: number } = Object(body);
      const isOdd = typeof number === "string" && !/^\+[1-9]/.test(number);
      return isOdd ? withRequestBody(request, { ...Object(body), phone_number: "+12025550199" }) : request;
    }),
  ),
];
