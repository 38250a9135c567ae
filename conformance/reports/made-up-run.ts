import { constants } from "../../generated/constants.ts";
import type { Rule } from "../../generated/runtime/rule.ts";
import type { DeliverySeen } from "../exchange/delivery.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Finding, ToldFinding, Verdict } from "../outcome/verdict.ts";
import type { RuleResult, RunResult } from "../runner/run-result.ts";
import type { ToldStep, ToldStory } from "../story/step.ts";

/** Text of a server that means harm: a terminal escape, the end of a CDATA section, a script, a direction override. */
export const hostile = "\u001b[2J\u0007 ]]> <script>alert(1)</script> & \"'` | \u202egpj.exe \ud800 \u0000";

/** A rule that says this. */
export const rule = (says: string, level: Rule["level"] = "must"): Rule => ({
  ...{ about: "createApiKey", says, level },
  ...{ basis: "explicit", why: null, unobservable: null, questions: [] },
  ...{ operations: [], rows: [], demands: null },
});

/** A creation of a key. */
export const exchange = (number: number, status: number, text: string): Exchange => ({
  number,
  operation: "createApiKey",
  request: {
    method: "POST",
    url: "http://127.0.0.1:8080/v1/api-keys",
    // Redaction writes secrets in this form.
    headers: { authorization: `Bearer \${BYLAW_API_KEY}`, "content-type": "application/json", host: "127.0.0.1:8080" },
    body: '{"label":"it\'s a test","scopes":["nope:read"]}',
  },
  outcome: {
    kind: "response",
    status,
    headers: {
      "content-type": "application/json",
      [constants.requestIdHeader.toLowerCase()]: `req-${number}`,
      date: "today",
    },
    text,
    json: undefined,
    truncated: false,
  },
  sentAt: 1000 + 20 * number,
  answeredAt: 1012 + 20 * number,
});

/** What a check found of a rule. */
export const finding = (
  ruleId: Finding["rule"],
  check: string,
  verdict: Verdict,
  more: Partial<ToldFinding> = {},
): ToldFinding => ({
  ...{ rule: ruleId, check, verdict, message: "", expected: null, actual: null },
  ...{
    exchanges: [],
    deliveries: [],
    unblock: null,
    origin: null,
    question: null,
    counterexample: null,
    told: null,
    tally: null,
    likely: [],
    askedAgain: [],
    at: [],
    ...more,
  },
});

const breach: Partial<ToldFinding> = {
  likely: [{ probe: "other-unit", says: `the value is another one: ${hostile}` }],
  askedAgain: ["201 success as well: the same call", `without ${hostile}: 400 INVALID_INPUT, as was to come`],
  tally: {
    ...{
      what: "calls",
      failed: 3,
      of: 7,
      apart: `all that failed (3) had ${hostile}; none of the others (4) did`,
      steps: [],
      held: [],
    },
    rows: [
      { holds: false, says: `scopes ["${hostile}"] → 201`, times: 3 },
      { holds: true, says: "scopes [] → 400", times: 4 },
    ],
  },
  message: "expected 400 INVALID_INPUT, got 201 success",
  expected: "400 INVALID_INPUT",
  actual: "201 success",
  at: [
    { in: { kind: "exchange", number: 7 }, part: { kind: "status" }, admitted: "400 INVALID_INPUT", seen: "201" },
    {
      ...{ in: { kind: "exchange", number: 7 }, part: { kind: "member", pointer: "/data/scopes/0" } },
      ...{ admitted: null, seen: `"${hostile}"` },
    },
    {
      ...{ in: { kind: "exchange", number: 7 }, part: { kind: "member", pointer: "/data/label" } },
      ...{ admitted: '"it\'s a test"', seen: null },
    },
  ],
};
const envelope =
  '{"success":true,"data":{"id":"0190a1b2-0000-7000-8000-000000000001","scopes":["nope:read"],"created_at":"2025-01-01T00:00:00Z"}}';
/** How it came to a breach: an organization with a key, calls of which one is repeated, a wait, and what shows it. */
const story: ToldStory = {
  omitted: 3,
  steps: [
    step({
      through: "sandbox",
      what: `create an organization ${hostile}`,
      gives: [{ pointer: "/data/id", value: "org-1" }],
    }),
    step({ through: "hook", what: "hook create_key", request: null, outcome: null }),
    ...[3, 4].map((number) => step({ exchange: number })),
    step({ through: "wait", what: "wait 2 s: a full bucket", request: null, outcome: null, seconds: 2 }),
    step({ exchange: 5, outcome: { kind: "response", status: 201, json: undefined } }),
  ],
};

function step(more: Partial<ToldStep>): ToldStep {
  return {
    ...{ through: "api", what: null, exchange: null, seconds: null, at: 1000, gives: [] },
    request: exchange(0, 0, "").request,
    outcome: { kind: "response", status: 200, json: undefined },
    ...more,
  };
}

const twice = [exchange(6, 201, envelope), exchange(7, 201, envelope)];

const results: readonly RuleResult[] = [
  {
    ...ruleResult("AUTH-12", rule("A key that lacks the scope of an operation gets 403 `FORBIDDEN` there."), "pass", [
      finding("AUTH-12", "auth.callers.createApiKey", "pass"),
    ]),
    coverage: {
      decided: 7,
      of: 10,
      missing: [
        { operation: "testWebhookEndpoint", message: "an endpoint was refused", unblock: "give the kit a receiver" },
        { operation: "deleteWebhookEndpoint", message: "an endpoint was refused", unblock: "give the kit a receiver" },
        { operation: "replayDelivery", message: `no attempt was in the feed, ${hostile}`, unblock: null },
      ],
    },
  },
  ruleResult("ENV-02", rule("Every success response is JSON with media type `application/json`."), "pass", [
    finding("ENV-02", "monitor", "pass"),
  ]),
  ruleResult("ENV-03", rule("Every error response is JSON."), "fail", [
    finding("ENV-03", "monitor", "fail", {
      message: `expected application/json, got ${hostile} (2 of 9 answers)`,
      expected: "application/json",
      actual: hostile,
      exchanges: [exchange(3, 404, `<!doctype html>${hostile}`)],
    }),
  ]),
  ruleResult("KEYC-15", rule("An unknown scope gives 400 `INVALID_INPUT`."), "fail", [
    finding("KEYC-15", "keyc.unknown-scope", "fail", {
      ...breach,
      exchanges: [exchange(5, 201, envelope), ...twice],
      told: story,
    }),
  ]),
  ruleResult("KEYC-16", rule("A refused creation creates nothing."), "fail", [
    finding("KEYC-16", "keyc.unknown-scope", "fail", { ...breach, exchanges: twice }),
  ]),
  ruleResult(
    "KEYC-27",
    { ...rule("Missing or wrong-typed `scopes` gives a validation error.", "should"), questions: ["Q14"] },
    "warn",
    [
      finding("KEYC-27", "keyc.wrong-types", "warn", {
        message: "expected a 4xx, got 500 INTERNAL_ERROR",
        expected: "a 4xx",
        actual: "500 INTERNAL_ERROR",
        question: "Q14",
        exchanges: [
          {
            ...exchange(8, 0, ""),
            outcome: { kind: "lost", reason: "timeout", message: "no complete answer in time" },
          },
        ],
        counterexample: { seed: 42, path: "3:1:0", value: '{"scopes":null}' },
      }),
    ],
  ),
  ruleResult("KEYC-29", rule("A full bucket admits ten creations within a minute."), "blocked", [
    finding("KEYC-29", "keyc.burst", "blocked", {
      message: "the check exhausts and was not allowed to",
      unblock: "allow it: --allow exhausts",
      origin: "target file",
    }),
  ]),
  ruleResult("KEYC-33", rule("A label may be left out."), "kit_error", [
    finding("KEYC-33", "keyc.labels", "kit_error", {
      message: "Cannot read properties of undefined (at labels.ts:3:1)",
    }),
  ]),
  ruleResult("KEYG-02", rule("Reading a key tells when it was used last.", "observe"), "observed", [
    finding("KEYG-02", "keyg.last-use", "observed", { message: "last_used_at was null" }),
  ]),
  ruleResult("KEYR-01", rule("Rotation is offered."), "not_applicable", [
    finding("KEYR-01", "keyr.rotation", "not_applicable", { message: "the target does not serve rotateApiKey" }),
  ]),
];

/** What was found of a rule in all. */
export function ruleResult(id: string, of: Rule, verdict: Verdict, findings: readonly ToldFinding[]): RuleResult {
  const message = findings.find((f) => f.verdict === verdict)?.message ?? "";
  return { id, rule: of, verdict, message, coverage: null, findings };
}

/** A run with every verdict in it, for tests of the reports. */
export const madeUpRun: RunResult = {
  format: 1,
  kitVersion: "0.0.0",
  contract: { title: "Messaging Platform API", version: "1.0.0", digest: "0".repeat(64) },
  target: {
    baseUrl: "http://127.0.0.1:8080",
    sandbox: false,
    implements: null,
    flags: ["--url", "http://127.0.0.1:8080"],
  },
  profile: "core",
  ...{ allow: [], only: [], skip: [] },
  seed: 42,
  runs: 5,
  jobs: 1,
  startedAt: "2025-01-01T00:00:00.000Z",
  durationMs: 2345,
  requests: 34,
  sandboxCalls: 21,
  waitedSeconds: 0,
  interrupted: null,
  scope: null,
  rules: results,
  checks: [
    ["keyc.labels", "Labels are kept as they were given", "kit_error"],
    ["keyc.unknown-scope", "A key with an unknown scope is refused", "fail"],
    ["keyc.wrong-types", "Scopes of a wrong type are refused", "warn"],
    ["keyg.last-use", "Reading a key tells of its last use", "observed"],
  ].map(([id = "", title = "", verdict]) => ({
    ...{ id, title, operation: null, durationMs: 12, requests: 2 },
    verdict: verdict === "fail" || verdict === "warn" || verdict === "observed" ? verdict : "kit_error",
  })),
  leftBehind: [{ kind: "api-key", id: "0190a1b2-0000-7000-8000-000000000001", organizationId: null }],
  nextSteps: [
    { gives: ["other-key"], advice: "a second organization's key (BYLAW_OTHER_API_KEY)", rules: 14, waitSeconds: 0 },
    { gives: ["allow-exhausts"], advice: "leave to use up limits (--allow exhausts)", rules: 1, waitSeconds: 0 },
  ],
  baseline: null,
};

const delivery = (number: number, receivedAt: number, more: Partial<DeliverySeen["answer"]>): DeliverySeen => ({
  ...{ number, receivedAt },
  request: {
    method: "POST",
    url: "http://127.0.0.1:9100/n0bodyGuessesThisPathOfTheReceiver",
    headers: {
      ...{ host: "127.0.0.1:9100", "User-Agent": "made-up/1", "Content-Type": "application/json" },
      [constants.eventIdHeader]: `${constants.eventIdPrefix}0190a1b2-0000-7000-8000-000000000002`,
      // Redaction cuts signatures short.
      [constants.signatureHeader]: "t=1767225600,v1=0f1e2d3c…",
    },
    body: `{"id":"${constants.eventIdPrefix}0190a1b2-0000-7000-8000-000000000002"}`,
    bytes: 49,
    truncated: false,
  },
  answer: { ...{ status: 503, remark: null, body: "", how: "given", endedAt: receivedAt + 3 }, ...more },
});

const undelivered = {
  message: "expected the first event id, got another one",
  ...{ expected: "the first event id", actual: "another one" },
  exchanges: [
    { ...exchange(2, 202, envelope), sentAt: 1000, answeredAt: 1012 },
    { ...exchange(3, 200, envelope), sentAt: 61_000, answeredAt: 61_004 },
  ],
  deliveries: [
    delivery(1, 1005, {}),
    delivery(2, 6008, {
      status: null,
      remark: "no answer: the connection was held",
      how: "abandoned",
      endedAt: 21_010,
    }),
    delivery(3, 60_500, { status: 200, remark: "held back for 300 ms", body: "thanks", endedAt: 60_801 }),
  ],
} satisfies Partial<Finding>;

/** A run in which what reached the receiver shows a breach. */
export const deliveredRun: RunResult = {
  ...madeUpRun,
  rules: [
    ruleResult("KEYG-02", rule("Attempts of one event keep its id."), "fail", [
      finding("KEYG-02", "keyg.last-use", "fail", undelivered),
    ]),
  ],
  ...{ nextSteps: [], leftBehind: [] },
};

/** The same run without anything to complain of. */
export const cleanRun: RunResult = {
  ...madeUpRun,
  rules: results.filter((r) => r.verdict === "pass" || r.verdict === "blocked" || r.verdict === "observed"),
  checks: madeUpRun.checks.slice(3),
};
