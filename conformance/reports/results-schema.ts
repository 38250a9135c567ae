import type { JsonSchema } from "../../generated/runtime/json.ts";
import { redClasses } from "./red-class.ts";

const text: JsonSchema = { type: "string" };
const count: JsonSchema = { type: "integer", minimum: 0 };
const textOrNull: JsonSchema = { type: ["string", "null"] };
const texts: JsonSchema = { type: "array", items: text };
const headers: JsonSchema = { type: "object", additionalProperties: text };
const verdict: JsonSchema = {
  enum: ["pass", "fail", "warn", "blocked", "not_applicable", "observed", "kit_error"],
};

/** Every member is required; a later format may add members, so others are admitted. */
const object = (properties: { readonly [name: string]: JsonSchema }, description?: string): JsonSchema => ({
  type: "object",
  ...(description === undefined ? {} : { description }),
  required: Object.keys(properties),
  properties,
});

const withOptional = (schema: JsonSchema, properties: { readonly [name: string]: JsonSchema }): JsonSchema => ({
  ...schema,
  properties: { ...Object(schema.properties), ...properties },
});

const list = (items: JsonSchema, description: string): JsonSchema => ({ type: "array", items, description });

const described = (schema: JsonSchema, description: string): JsonSchema => ({ ...schema, description });

const countsByVerdict = {
  rules: described(count, "Rules that the run set out to decide."),
  decided: described(count, "Rules that passed, failed, warned or were observed."),
  partial: described(count, "Those of them that were not decided for every operation that they bind."),
  ...{ pass: count, fail: count, warn: count, blocked: count },
  ...{ not_applicable: count, observed: count, kit_error: count },
};

const request = withOptional(object({ method: text, url: text, headers, body: textOrNull }), {
  repeatedHeaders: described(
    { type: "array", items: { type: "array", items: text, minItems: 2, maxItems: 2 } },
    "Name and value of headers that were sent a second time.",
  ),
  bodyBase64: described(text, "The bytes of the body, where they are no UTF-8."),
});

const exchange = object({
  number: described(count, "Position in the run, from 1."),
  operation: described(textOrNull, "Id of the contract's operation."),
  request,
  outcome: {
    oneOf: [
      object({
        kind: { const: "response" },
        status: { type: "integer", minimum: 100, maximum: 999 },
        headers,
        text,
        truncated: described({ type: "boolean" }, "The body was longer than what is kept here."),
      }),
      object({ kind: { const: "lost" }, reason: text, message: text }),
    ],
  },
  sentAt: described({ type: "number" }, "Milliseconds since the epoch."),
  answeredAt: described({ type: "number" }, "Milliseconds since the epoch."),
  curl: described(text, "The request as a command; secrets are names of environment variables."),
});

const step = withOptional(
  object({
    through: described(
      { enum: ["api", "sandbox", "hook", "wait"] },
      "Who was asked; wait where nobody was, and time passed.",
    ),
    what: described(textOrNull, "What for; null for a call of the API."),
    exchange: described({ type: ["integer", "null"] }, "Position in the run of a call of the API."),
    seconds: described({ type: ["number", "null"] }, "That were waited; null for anything but waiting."),
    request: described({ oneOf: [{ type: "null" }, request] }, "What was sent; null where nothing was."),
    status: described({ type: ["integer", "null"] }, "Of the answer; null where none came."),
    lost: described(textOrNull, "Why no answer came."),
    gives: list(
      object({
        pointer: described(text, "Where the value stands in the body of the answer: a JSON Pointer."),
        value: described(text, "The value; for a secret the name that stands for it."),
      }),
      "What of the answer later steps were made with.",
    ),
  }),
  {
    atOnce: described({ const: true }, "It was under way while another call was; not there where it was not."),
    tells: described(
      text,
      "For a look at an organization's state: its money, or what of it is another since the look before.",
    ),
  },
);

const delivery = object({
  number: described(count, "Position among the deliveries of the run, from 1."),
  receivedAt: described({ type: "number" }, "Milliseconds since the epoch, on the clock of exchanges."),
  request: object({
    method: text,
    url: text,
    headers,
    body: text,
    bytes: described(count, "Bytes of the body that came in all."),
    truncated: described({ type: "boolean" }, "The body was longer than what is kept here, or broke off."),
  }),
  answer: object(
    {
      status: described({ type: ["integer", "null"] }, "Null when the receiver meant to send none."),
      remark: described(textOrNull, "What was out of the ordinary about it."),
      body: text,
      how: described(
        { enum: ["open", "given", "abandoned", "cut"] },
        "How it ended: not yet; as meant; the sender went away before; the kit ended it.",
      ),
      endedAt: described({ type: ["number", "null"] }, "Milliseconds since the epoch."),
    },
    "What the receiver answered.",
  ),
});

const place = object({
  in: {
    description: "What of the evidence has it; null for a value that the kit made of several.",
    oneOf: [{ type: "null" }, object({ kind: { enum: ["exchange", "delivery"] }, number: count })],
  },
  part: {
    oneOf: [
      object({ kind: { const: "status" } }),
      object({ kind: { const: "header" }, name: described(text, "In lower case.") }),
      object({ kind: { const: "member" }, pointer: described(text, "JSON Pointer into the body, or the value.") }),
    ],
  },
  admitted: described(textOrNull, "In JSON or in words; null where nothing is admitted."),
  seen: described(textOrNull, "In JSON or in words; null where nothing is there."),
});

const failure = object({
  check: text,
  verdict: { enum: ["fail", "warn", "kit_error"] },
  message: text,
  expected: described(textOrNull, "What the rule admits."),
  actual: described(textOrNull, "What was seen."),
  at: list(place, "Where it shows; empty where no single place does."),
  exchanges: list(exchange, "What shows it, in order; without secrets."),
  deliveries: list(delivery, "What reached the kit's receiver and shows it; signatures are cut short."),
  curl: described(textOrNull, "The last exchange's request as a command."),
  story: list(step, "How it came to this: what was done in the check, in order."),
  storyOmitted: described(count, "Steps in the middle of a long story that are left out."),
  likely: list(
    object({ probe: described(text, "What guesses."), says: text }),
    "What is likely wrong: guesses, on which no verdict rests.",
  ),
  askedAgain: list(
    text,
    "What came when the call was made again after the check, as it was and otherwise; empty where it was not.",
  ),
  contrast: described(textOrNull, "The same call where it went the other way; null where the check made none."),
  tally: {
    description:
      "How calls like the one that shows it fared: of the same operation, against the same that is admitted; or deliveries, where no call shows it. Null where that is not known.",
    oneOf: [
      { type: "null" },
      object({
        what: described({ enum: ["calls", "deliveries"] }, "What is counted."),
        failed: count,
        of: described(count, "All of them."),
        apart: described(
          textOrNull,
          "What sets those that failed apart, or that nothing known does; null where too few calls could show it.",
        ),
        rows: list(
          object({
            holds: described({ type: "boolean" }, "Whether these were answered as they are to be."),
            says: described(text, "By what they differ from the others, and what came."),
            times: described(count, "Calls that fared so."),
          }),
          "How calls fared, by what they differ in; empty where nothing that is known tells them apart.",
        ),
      }),
    ],
  },
  replay: described(text, "A command that runs the check again with the same values."),
  counterexample: {
    oneOf: [
      { type: "null" },
      object({
        seed: described({ type: "integer" }, "Seed of the run."),
        path: described(text, "Where the value lies among those that the check tries with that seed, such as 3:1:0."),
        value: described(text, "The value in writing; commands as the calls that they make."),
      }),
    ],
    description: "The value of a property that shows it; null where no value was chosen by one.",
  },
});

const ruleIds: JsonSchema = { type: "array", items: { type: "string", pattern: "^[A-Z]+-[0-9]+$" }, minItems: 1 };

const sight = object(
  {
    verdict: { enum: ["fail", "warn", "kit_error"] },
    rules: ruleIds,
    check: described(text, "The check whose evidence shows it best; the evidence stands with its rules."),
    times: described(count, "How often it was seen."),
    message: text,
    expected: described(textOrNull, "What the rules admit."),
    actual: described(textOrNull, "What was seen."),
  },
  "What checks saw in one way.",
);

const cause = object({
  verdict: described({ enum: ["fail", "warn", "kit_error"] }, "The worst of what was found."),
  possibleLeak: described({ type: "boolean" }, "An organization may have got at what is another's."),
  rules: described(ruleIds, "Every rule that is affected, that which says it best first."),
  primary: described(sight, "What says most exactly what is wrong."),
  consequences: list(sight, "What seems to follow from the same."),
});

const rule = object({
  id: { type: "string", pattern: "^[A-Z]+-[0-9]+$" },
  area: text,
  about: text,
  level: { enum: ["must", "should", "observe"] },
  basis: { enum: ["explicit", "entailed", "assumed", "observed"] },
  says: text,
  why: textOrNull,
  questions: texts,
  verdict,
  class: described(
    { enum: [...redClasses, null] },
    "Where to look first; null for a rule that is green, or that nothing stood in the way of.",
  ),
  openQuestions: list(
    object({ id: text, asks: text, tolerates: described(text, "What the kit lets pass.") }),
    "For a warning that hangs on how the document is read: the open questions, under another reading of which it passes.",
  ),
  message: described(text, "Why the verdict is what it is; empty for a pass."),
  coverage: {
    description: "For a rule that is decided operation by operation: for how many it was; null for any other.",
    oneOf: [
      { type: "null" },
      object({
        decided: described(count, "Operations for which the rule was decided."),
        of: described(count, "Operations that it binds and the target serves."),
        missing: list(
          object({
            operation: text,
            message: described(text, "Why it was not decided."),
            unblock: described(textOrNull, "What would decide it."),
          }),
          "Those for which it was not decided.",
        ),
      }),
    ],
  },
  unblock: described(textOrNull, "For a blocked rule: what would decide it."),
  checks: described(texts, "Ids of the checks that spoke about the rule."),
  failures: list(failure, "Breaches, warnings among them, and faults of the kit."),
  observations: list(object({ check: text, message: text }), "What was recorded without judging it."),
});

const entryMembers = {
  rule: text,
  checks: described(texts, "Checks that see it; empty for all."),
  operations: described(texts, "Operations at which it is seen; empty for all."),
  reason: text,
  owner: text,
  expires: described(text, "The last day on which it holds, in UTC: YYYY-MM-DD."),
  where: described(text, "File, line and column of the entry."),
};

const baseline = object({
  file: text,
  rules: described(texts, "Broken rules of which every failure is known; they do not fail the run."),
  known: list(
    object({
      ...entryMembers,
      daysLeft: { type: "integer" },
      possibleLeak: described({ type: "boolean" }, "One organization may be shown what belongs to another."),
    }),
    "Entries whose failure is still there.",
  ),
  stale: list(object({ ...entryMembers, why: text, fix: text }), "Entries that are to be changed; they fail the run."),
  untried: list(object({ ...entryMembers, why: text }), "Entries of which the run cannot tell; they fail nothing."),
});

/** The published schema of results.json. */
export const resultsSchema: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Results of the conformance kit",
  ...object({
    format: { const: 1 },
    summary: described(text, "The run in one line."),
    exitCode: described(
      { enum: [0, 1, 2] },
      "0: no new violation; 1: one, or a stale entry of the baseline; 2: the run itself failed.",
    ),
    kitVersion: described(text, "Version of the kit."),
    contract: object({
      title: text,
      version: text,
      digest: described(text, "SHA-256 of the contract, in hexadecimal."),
    }),
    target: object({
      baseUrl: text,
      sandbox: { type: "boolean" },
      implements: described(
        { type: ["array", "null"], items: text },
        "Names of the resources that it serves; null for all of them.",
      ),
      flags: described(texts, "Flags that name it on a command line."),
    }),
    profile: { enum: ["core", "full"] },
    allow: described(texts, "Leave that was given for what is not harmless."),
    only: described(texts, "Ids of checks or rules, or areas, to which the run was narrowed; empty for none."),
    skip: described(texts, "The same of what was left out."),
    seed: { type: "integer" },
    runs: described(count, "Values tried for each property."),
    jobs: described(count, "Checks at a time."),
    startedAt: described(text, "RFC 3339."),
    durationMs: { type: "number", minimum: 0 },
    requests: count,
    sandboxCalls: described(count, "What was asked of the sandbox besides."),
    waitedSeconds: described({ type: "number", minimum: 0 }, "Seconds spent waiting on purpose."),
    interrupted: described(textOrNull, "Why the run ended before all was done."),
    scope: described(textOrNull, "What was run and judged; null where nothing was asked for in particular."),
    counts: object(countsByVerdict),
    areas: list(object({ area: text, ...countsByVerdict }), "The same for each area of rules."),
    causes: list(cause, "What was found, by probable cause: leaks first, then breaches, then warnings."),
    rules: list(rule, "One for each rule that the run set out to decide."),
    checks: list(
      object({
        id: text,
        title: text,
        operation: described(textOrNull, "The operation for which it decides its rules; null for none in particular."),
        verdict,
        durationMs: { type: "number", minimum: 0 },
        requests: count,
      }),
      "One for each check that was run.",
    ),
    leftBehind: described(texts, "What stays behind on the target."),
    nextSteps: list(
      object({
        gives: described(texts, "Names of what is given, all together."),
        advice: text,
        rules: count,
        waitSeconds: described({ type: "number", minimum: 0 }, "Seconds of waiting that come with it, at most."),
      }),
      "What to give the kit, and how many more rules it would decide.",
    ),
    baseline: described(
      { oneOf: [{ type: "null" }, baseline] },
      "What the run says of the failures that were known before; null where no baseline was given.",
    ),
  }),
};
