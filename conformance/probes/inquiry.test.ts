import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { atPart, status } from "../evidence/place.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Finding } from "../outcome/verdict.ts";
import type { Step } from "../story/step.ts";
import { stepOf } from "../story/stories.ts";
import { type Done, type InquiryOptions, openInquiry } from "./inquiry.ts";

let server: Server;
let served: number;

afterEach(() => void server.close());

/** Starts a server that answers so, by how often it was asked before, and opens an inquiry of it. */
async function inquiryOf(answer: (before: number) => number | "nothing", more: Partial<InquiryOptions> = {}) {
  served = 0;
  server = createServer((_, response) => {
    const status = answer(served);
    served += 1;
    if (status === "nothing") return;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(status < 300 ? { success: true, data: {} } : { success: false, error: { code: "X" } }));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ended = new AbortController().signal;
  return {
    baseUrl,
    inquiry: openInquiry({ baseUrl, timeout: 5000, isDisposable: false, ended, sandbox: null, ...more }),
  };
}

/** A read of a key that was refused, and had to go well. */
function refusal(baseUrl: string, rule: Finding["rule"] = "KEYR-02"): Finding {
  const exchange: Exchange = {
    ...{ number: 1, operation: "getApiKey", sentAt: Date.now(), answeredAt: Date.now() },
    request: { method: "GET", url: `${baseUrl}/v1/api-keys/1`, headers: { authorization: "Bearer a" }, body: null },
    outcome: { kind: "response", status: 401, headers: {}, text: "", json: undefined, truncated: false },
  };
  return {
    ...{ rule, check: "made.up", verdict: "fail", message: "", expected: "success", actual: "401" },
    ...{ exchanges: [exchange], deliveries: [], unblock: null, origin: null, question: null, counterexample: null },
    at: [atPart(exchange, status, "success")],
  };
}

const done = (steps: readonly Step[] = [], secrets: readonly string[] = []): Done => ({
  check: { id: "made.up" },
  story: { soFar: () => ({ before: [], steps }) },
  secrets: { known: () => secrets },
});

test("tells that a read which was refused goes well a moment later", async () => {
  const { baseUrl, inquiry } = await inquiryOf((before) => (before < 1 ? 401 : 200));
  const finding = refusal(baseUrl);
  await inquiry.ask([finding], done());
  expect(inquiry.saidOf(finding)).toEqual([
    { probe: "late-answer", says: expect.stringMatching(/asked again 0\.\d s later, .* came: 200 success$/) },
  ]);
  expect(inquiry.count()).toBe(2);
});

test("tells nothing where a later step may have changed the answer", async () => {
  const { baseUrl, inquiry } = await inquiryOf(() => 200);
  const finding = refusal(baseUrl);
  const [exchange] = finding.exchanges;
  if (exchange === undefined) throw new Error("There is no exchange.");
  const step = stepOf({
    ...exchange,
    number: 2,
    request: { ...exchange.request, method: "POST" },
    sentAt: Date.now() + 5,
  });
  const accepted = { ...step, outcome: { kind: "response", status: 201, json: undefined } } as const;
  await inquiry.ask([finding], done([accepted]));
  expect([inquiry.saidOf(finding), inquiry.againOf(finding), served]).toEqual([[], [], 1]);
});

test.each([
  { isDisposable: true, organization: "goes with its check", calls: 21 },
  { isDisposable: true, organization: "goes, and shares a stock with others", inTurn: "stock", calls: 0 },
  { isDisposable: false, organization: "stays", calls: 0 },
])("sends $calls calls that draw in an organization that $organization", async ({ isDisposable, inTurn, calls }) => {
  const { baseUrl, inquiry } = await inquiryOf(() => 201, { isDisposable });
  const secrets = ["secret-one", "secret-two"];
  const url = `${baseUrl}/v1/api-keys/1/rotate`;
  const [one, other] = secrets.map((secret, index): Exchange => {
    const headers = { authorization: `Bearer ${secret}` };
    const data = { success: true, data: {} };
    return {
      ...{ number: index + 1, operation: "rotateApiKey", sentAt: index, answeredAt: index },
      request: { method: "POST", url, headers, body: null },
      outcome: { kind: "response", status: 200, headers: {}, text: "", json: data, truncated: false },
    };
  });
  if (one === undefined || other === undefined) throw new Error("There are two callers.");
  const created = stepOf({
    ...one,
    request: { ...one.request, url: `${baseUrl}/organizations`, headers: {} },
    outcome: { ...one.outcome, json: { data: { id: "organization", secrets } } } as Exchange["outcome"],
  });
  const steps = [{ ...created, through: "sandbox" } as const, stepOf(one), stepOf(other)];
  const finding = { ...refusal(baseUrl, "TEN-17"), expected: "then refused", exchanges: [one], at: [] };
  await inquiry.ask([finding], {
    ...done(steps, secrets),
    check: { id: "made.up", ...(inTurn === undefined ? {} : { inTurn }) },
  });
  expect([inquiry.saidOf(finding), served]).toEqual([[], calls]);
});

test("gives up a target that does not answer, and leaves the rest of the run its time", async () => {
  // A target that has so long for an answer takes all the time that there is for asking.
  const { baseUrl, inquiry } = await inquiryOf(() => "nothing", { timeout: 60_000 });
  for (const rule of ["KEYR-02", "KEYC-11", "KEYG-01"] as const) await inquiry.ask([refusal(baseUrl, rule)], done());
  expect(served).toBe(1);
  await inquiry.close();
});

test("asks once about breaches of one kind, and never when the run has ended", async () => {
  const ended = new AbortController();
  const { baseUrl, inquiry } = await inquiryOf(() => 200, { ended: ended.signal });
  for (let time = 1; time <= 4; time += 1) await inquiry.ask([refusal(baseUrl)], done());
  expect(served).toBe(1);
  ended.abort();
  await inquiry.ask([refusal(baseUrl, "KEYC-11")], done());
  expect(served).toBe(1);
});

test("tells of a kept answer where all began in one millisecond", async () => {
  const { baseUrl, inquiry } = await inquiryOf(() => 200);
  const [exchange] = refusal(baseUrl).exchanges;
  if (exchange === undefined) throw new Error("There is no exchange.");
  const kept = { kind: "response", headers: {}, text: "", truncated: false, status: 200 } as const;
  const read = { ...exchange, outcome: { ...kept, json: { success: true, data: { revoked_at: null } } } };
  const change = { ...exchange, request: { ...exchange.request, method: "POST" }, outcome: read.outcome };
  const steps = [read, { ...change, number: 2 }, { ...read, number: 3 }].map(stepOf);
  const shown = { ...read, number: 3 };
  const finding: Finding = {
    ...refusal(baseUrl),
    exchanges: [shown],
    at: [atPart(shown, { kind: "member", pointer: "/data/revoked_at" }, "a time")],
  };
  await inquiry.ask([finding], done(steps));
  expect(inquiry.saidOf(finding)).toEqual([
    { probe: "kept-answer", says: expect.stringMatching(/3 is the same as 1, from before the change/) },
  ]);
});

test("tells what a breach hangs on, as often as it may ask", async () => {
  const { baseUrl, inquiry } = await inquiryOf(() => 401);
  const rules = ["KEYR-02", "KEYC-11", "KEYG-01", "KEYG-07", "KEYG-02", "KEYR-01", "KEYR-03", "KEYR-04"] as const;
  const findings = rules.map((rule) => refusal(baseUrl, rule));
  await inquiry.ask(findings, done());
  const told = findings.map((finding) => inquiry.againOf(finding));
  expect(told.filter((texts) => texts.length > 0)).toHaveLength(6);
  expect(told[0]).toEqual(["the same call: 401 X"]);
});
