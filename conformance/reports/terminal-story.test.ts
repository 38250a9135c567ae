import { expect, test } from "vitest";
import type { ToldStep } from "../story/step.ts";
import { exchange, finding } from "./made-up-run.ts";
import { paintWith } from "./paint.ts";
import { storySection } from "./terminal-story.ts";

const base = "http://127.0.0.1:8080";
const org = (digit: number): string => `${digit}1111111-2222-4333-8444-555555555555`;

const created = (number: number): ToldStep => ({
  ...{ through: "sandbox", what: "create an organization", exchange: null, seconds: null, at: number },
  gives: [org(number), `\${KEY_${number}}`].map((value) => ({ pointer: "/data", value })),
  request: { method: "POST", url: `${base}/organizations`, headers: {}, body: `{"wallet":${number}}` },
  outcome: { kind: "response", status: 200, json: undefined },
});

const send = (number: number, key: number, to: string, status: number, code?: string): ToldStep => ({
  ...{ through: "api", what: null, exchange: number, seconds: null, at: number, gives: [] },
  request: {
    ...{ method: "POST", url: `${base}/v1/messages`, headers: { authorization: `Bearer \${KEY_${key}}` } },
    body: JSON.stringify({ to }),
  },
  outcome: { kind: "response", status, json: undefined, ...(code === undefined ? {} : { code }) },
});

const look = (number: number): ToldStep => {
  const step = send(number, 1, "", 200);
  return { ...step, request: step.request && { ...step.request, method: "GET", body: null } };
};

const linesOf = (steps: readonly ToldStep[], rule: Parameters<typeof finding>[0] = "KEYC-15"): readonly string[] => {
  const last = exchange(steps.findLast((step) => step.exchange !== null)?.exchange ?? 0, 402, "");
  const told = { steps, omitted: 0 };
  const at = [
    {
      ...({ in: { kind: "exchange", number: last.number }, part: { kind: "status" } } as const),
      ...{ admitted: "success", seen: "402" },
    },
  ];
  return storySection(finding(rule, "a.check", "fail", { exchanges: [last], told, at }), paintWith(false), 200)
    .slice(2)
    .map((line) => line.trim());
};

const [mine, theirs] = ["+12025550141", "+12025550142"];

test("steps of others and looks are left out, with what they are", () => {
  expect(
    linesOf([
      ...[created(1), created(2), send(3, 2, mine, 402), send(4, 2, mine, 402), send(5, 1, theirs, 402), look(6)],
      send(7, 1, mine, 402, "POOR"),
    ]),
  ).toEqual([
    `1. sandbox: create an organization {"wallet":1} → 200, gives ${org(1)}, \${KEY_1}`,
    "… 5 more steps of other organizations or about other recipients or that only looked in the report",
    `7. POST /v1/messages as \${KEY_1} {"to":"${mine}"} → 402 POOR`,
  ]);
});

test("what the contrast was made with is told too, and its recipient and organization", () => {
  const others = [send(3, 2, mine, 402), send(4, 2, theirs, 201)];
  const lines = linesOf([created(1), created(2), ...others, send(5, 1, mine, 402)]);
  expect(lines.map((line) => line.slice(0, 2))).toEqual(["1.", "2.", "3.", "4.", "5."]);
});

test("where organizations are to be kept apart all of them are told", () => {
  const steps = [created(1), created(2), send(3, 2, theirs, 402), send(5, 1, mine, 402)];
  expect(linesOf(steps)).toEqual([
    expect.stringMatching(/^1\. /),
    "… 2 more steps of other organizations in the report",
    expect.stringMatching(/^4\. /),
  ]);
  expect(linesOf(steps, "TEN-20")[1]).toMatch(/^2\. /);
});

test("who asked for the same while the failure was under way is told, whoever that is", () => {
  const read = (number: number, key: number, until: number): ToldStep => {
    const step = send(number, key, "", 200);
    const request = step.request && { ...step.request, method: "GET", body: null, url: `${base}/v1/lookup/${org(9)}` };
    return { ...step, request, until, tells: "as before" };
  };
  const lines = linesOf([created(1), created(2), read(3, 2, 4), read(5, 2, 8), read(6, 2, 8), read(7, 1, 9)]);
  const others = lines.filter((line) => line.includes("GET") && line.includes("KEY_2"));
  expect(others).toEqual([expect.stringMatching(/^4\. .* ×2 \(at once\)$/)]);
});

test("of steps that are told together it is said which one something else names", () => {
  const steps = [created(1), send(3, 1, mine, 200), send(4, 1, mine, 200), send(5, 1, mine, 402)];
  const last = exchange(5, 402, "");
  const likely = [{ probe: "probe", says: "as step 3 shows", steps: [3] }];
  const found = finding("KEYC-15", "a.check", "fail", { exchanges: [last], told: { steps, omitted: 0 }, likely });
  const lines = storySection(found, paintWith(false), 200).map((line) => line.trim());
  expect(lines.filter((line) => line.includes("→ 200 ×2"))).toEqual([
    expect.stringMatching(/^2\. .* → 200 ×2 \(step 3 among them\)$/),
  ]);
});

/** A look at the state of the first organization. */
const state = (number: number, tells: string): ToldStep => ({
  ...{
    through: "sandbox",
    what: "read the organization's state",
    exchange: null,
    seconds: null,
    at: number,
    gives: [],
  },
  request: { method: "GET", url: `${base}/organizations/${org(1)}`, headers: {}, body: null },
  outcome: { kind: "response", status: 200, json: undefined },
  tells,
});

test("what a failing call left is told, also where that is as before, and nothing that was done later", () => {
  const begun = [created(1), state(2, "wallet_micros 500"), look(3), send(4, 1, mine, 500)];
  expect(linesOf([...begun, state(5, "as before"), state(6, "as before")]).slice(-2)).toEqual([
    expect.stringMatching(/^4\. /),
    "5. sandbox: read the organization's state → 200, as before ×2",
  ]);
  const changing = { ...send(5, 1, mine, 201), exchange: null };
  expect(linesOf([...begun, changing, state(6, "as before")]).at(-1)).toBe(
    "… 1 more step that only looked in the report",
  );
});

test("that steps took turns is told where those beside it are", () => {
  const again = [3, 5, 7].flatMap((at) => [send(at, 1, mine, 470, "NO_CONSENT"), state(at + 1, "as before")]);
  const lines = linesOf([created(1), state(2, "wallet_micros 500"), ...again, send(9, 1, mine, 470, "NO_CONSENT")]);
  expect(lines.slice(-3)).toEqual([
    expect.stringMatching(/^3\. .* → 470 NO_CONSENT ×3$/),
    "… 3 more steps that only looked in the report",
    expect.stringMatching(/^9\. .* → 470 NO_CONSENT$/),
  ]);
});
