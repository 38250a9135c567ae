import { expect, test } from "vitest";
import { documentedScopes } from "../../generated/scopes.ts";
import type { ToldStep } from "../story/step.ts";
import { storyLines, storyLineText } from "./story-lines.ts";

const usual = { authorization: "Bearer key-1", "content-type": "application/json", "accept-encoding": "identity" };

/** A call that was refused, with these headers besides the usual ones. */
const called = (exchange: number, headers: Readonly<Record<string, string>>): ToldStep => ({
  ...{ through: "api", what: null, exchange, seconds: null, at: exchange, gives: [] },
  request: { method: "POST", url: "http://127.0.0.1:1/v1/things", headers: { ...usual, ...headers }, body: '{"a":1}' },
  outcome: { kind: "response", status: 422, json: undefined },
});

const linesOf = (...steps: readonly ToldStep[]) =>
  storyLines({ steps, omitted: 0 }, new Set()).map(({ asked, numbers }) => `${asked} ×${numbers.length}`);

test("a call is told with the headers that make it another one, and steps alike are one line", () => {
  expect(linesOf(called(1, {}), called(2, {}), called(3, { "Idempotency-Key": "k-1" }))).toEqual([
    'POST /v1/things as key-1 {"a":1} ×2',
    'POST /v1/things as key-1, Idempotency-Key: k-1 {"a":1} ×1',
  ]);
});

test("of steps alike it is told with which headers each was made anew", () => {
  const keyed = (exchange: number, key: string): ToldStep => called(exchange, { "Idempotency-Key": key });
  const toldOf = (...steps: readonly ToldStep[]) =>
    storyLines({ steps, omitted: 0 }, new Set()).map((line) => storyLineText(line).replace(/^.* → /, ""));
  expect(toldOf(keyed(1, "k-1"), keyed(2, "k-2"))).toEqual(["422 ×2, not with the same Idempotency-Key"]);
  expect(toldOf(keyed(1, "k-1"), keyed(2, "k-1"))).toEqual(["422 ×2"]);
});

test("many scopes are told by those that are missing, and a moment that was given by what it is", () => {
  const held = documentedScopes.filter((scope) => scope !== "apikeys:read");
  const step = called(1, {});
  const made: ToldStep = {
    ...step,
    request: step.request && { ...step.request, body: JSON.stringify({ scopes: held }) },
    gives: [{ pointer: "/error/details/next_send_at", value: "2026-01-15T11:15:00.000Z" }],
  };
  const [line] = storyLines({ steps: [made], omitted: 0 }, new Set());
  expect(line?.asked).toContain('{"scopes":"every documented scope but apikeys:read"}');
  expect(line?.came).toBe("422, gives next_send_at 2026-01-15T11:15:00.000Z");
});

test("a media type is told where it is not that of JSON", () => {
  expect(linesOf(called(1, { "content-type": "text/plain" }))).toEqual([
    'POST /v1/things as key-1, content-type: text/plain {"a":1} ×1',
  ]);
});

test("a line says that it concerns what is shown: by its record, its credential, or as time passes by it", () => {
  const id = "11111111-2222-4333-8444-555555555555";
  const key = (number: number): string => `\${KEY_${number}}`;
  const step = (exchange: number, more: Partial<ToldStep>): ToldStep => ({ ...called(exchange, {}), ...more });
  const asked = (method: string, path: string, authorization = `Bearer ${key(1)}`) => ({
    request: { method, url: `http://127.0.0.1:1${path}`, headers: { authorization }, body: null },
  });
  const lines = storyLines(
    {
      omitted: 0,
      steps: [
        step(1, { ...asked("POST", "/v1/keys"), gives: [{ pointer: "/data/plaintext", value: key(2) }] }),
        step(2, { ...asked("POST", "/v1/things"), gives: [{ pointer: "/data/id", value: id }] }),
        step(3, asked("POST", "/v1/others")),
        step(4, asked("GET", `/v1/things/${id}`)),
        step(5, { through: "wait", exchange: null, request: null, outcome: null, seconds: 2, what: "wait 2 s" }),
        step(6, asked("GET", `/v1/things/${id}`, `Bearer ${key(2)}`)),
      ],
    },
    new Set([6]),
  );
  // What another caller was shown of the same concerns it, too.
  expect(lines.map(({ concerns }) => concerns)).toEqual([true, true, false, true, true, false]);
});

test("a line says that it arranges what is shown: it gave its credential, or the organization of that", () => {
  const sandbox = (path: string, value: string): ToldStep => ({
    ...called(0, {}),
    ...{ through: "sandbox", exchange: null, what: "arrange", gives: [{ pointer: "/data/id", value }] },
    request: { method: "POST", url: `http://127.0.0.1:1${path}`, headers: {}, body: null },
  });
  const [own, other] = ["1", "2"].map((digit) => `${digit.repeat(8)}-2222-4333-8444-555555555555`);
  const steps = [
    sandbox("/organizations", other ?? ""),
    sandbox("/organizations", own ?? ""),
    sandbox(`/organizations/${other}/keys`, `\${KEY_2}`),
    sandbox(`/organizations/${own}/keys`, `\${KEY_1}`),
    called(5, { authorization: `Bearer \${KEY_1}` }),
  ];
  const arranging = storyLines({ steps, omitted: 0 }, new Set([5])).filter(({ arranges }) => arranges);
  expect(arranging.map(({ number }) => number)).toEqual([2, 4]);
});

test("what the sandbox is asked for is told whole, but for what its purpose says already", () => {
  const asked = (what: string, body: unknown): ToldStep => ({
    ...called(0, {}),
    ...{ through: "sandbox", what, exchange: null },
    request: { method: "POST", url: "http://127.0.0.1:1/organizations", headers: {}, body: JSON.stringify(body) },
  });
  const settings = { clock: "manual", name: "x".repeat(100), quiet_hours: { start: "21:30" } };
  expect(
    linesOf(
      asked("create an organization", settings),
      asked("create a key with a:read, b:write", ["a:read", "b:write"]),
    ),
  ).toEqual([
    `sandbox: create an organization ${JSON.stringify(settings)} ×1`,
    "sandbox: create a key with a:read, b:write ×1",
  ]);
});

test("calls alike of what is shown are one line only where they are asked of one record", () => {
  const id = (digit: number): string => `${digit}1111111-2222-4333-8444-555555555555`;
  const asked = (exchange: number, digit: number): ToldStep => {
    const step = called(exchange, {});
    return { ...step, request: step.request && { ...step.request, url: `http://127.0.0.1:1/v1/things/${id(digit)}` } };
  };
  const times = (...steps: readonly ToldStep[]) =>
    storyLines({ steps, omitted: 0 }, new Set([9])).map(({ numbers }) => numbers.length);
  expect(times(asked(1, 1), asked(2, 2), asked(9, 2))).toEqual([1, 1, 1]);
  expect(times(asked(1, 2), asked(2, 2), asked(9, 2))).toEqual([2, 1]);
});

test("calls of two credentials, or with other parameters of the query, are no repetition", () => {
  const by = (exchange: number, key: string): ToldStep => called(exchange, { authorization: `Bearer ${key}` });
  expect(linesOf(by(1, "key-1"), by(2, "key-2"), by(3, "key-1"), by(4, "key-2"), by(5, "key-2"))).toEqual([
    'POST /v1/things as key-1 {"a":1} ×2',
    'POST /v1/things as key-2 {"a":1} ×2',
    'POST /v1/things as key-2 {"a":1} ×1',
  ]);
  const asked = (exchange: number, query: string): ToldStep => {
    const step = called(exchange, {});
    return { ...step, request: step.request && { ...step.request, url: `http://127.0.0.1:1/v1/things?${query}` } };
  };
  const lines = linesOf(asked(1, "limit=5"), asked(2, "limit=6"), asked(3, "limit=5&since=1"));
  expect(lines.map((line) => line.replace(/ as .*×/, " ×"))).toEqual([
    "POST /v1/things?limit=5 ×2",
    "POST /v1/things?limit=5&since=1 ×1",
  ]);
});

test("calls that were under way at once say so", () => {
  const timed = (at: number, until: number, more: Partial<ToldStep> = {}): ToldStep => ({
    ...called(at, {}),
    ...{ at, until, ...more },
  });
  const lines = storyLines(
    { omitted: 0, steps: [timed(1, 5), timed(5, 9), timed(9, 20), timed(10, 12), timed(15, 30), timed(30, 31)] },
    new Set(),
  );
  expect(lines.map(({ numbers, atOnce }) => [numbers.length, atOnce])).toEqual([
    [2, false],
    [3, true],
    [1, false],
  ]);
});

test("what is done again and again is told once, however many steps it has", () => {
  const asked = (path: string): ToldStep => {
    const step = called(1, {});
    return { ...step, request: step.request && { ...step.request, url: `http://127.0.0.1:1/v1/${path}` } };
  };
  const round = ["a", "b", "c", "b"].map(asked);
  expect(linesOf(...round, ...round, ...round, asked("d")).map((line) => line.replace(/.*\/(\w).*×/, "$1 ×"))).toEqual([
    ...["a ×3", "b ×3", "c ×3", "b ×3"],
    "d ×1",
  ]);
});

test("a line has the numbers of all its steps, of those that took turns too", () => {
  const asked = (path: string): ToldStep => {
    const step = called(1, {});
    return { ...step, request: step.request && { ...step.request, url: `http://127.0.0.1:1/v1/${path}` } };
  };
  const steps = ["a", "b", "a", "b", "c", "c"].map(asked);
  expect(storyLines({ steps, omitted: 0 }, new Set()).map(({ numbers }) => numbers)).toEqual([
    [1, 3],
    [2, 4],
    [5, 6],
  ]);
});

test("an answer is told with what its record was, and steps after which it was another are no repetition", () => {
  const shown = (exchange: number, state: string): ToldStep => ({
    ...called(exchange, {}),
    outcome: { kind: "response", status: 200, json: undefined, state },
  });
  const steps = [shown(1, "scheduled"), shown(2, "scheduled"), shown(3, "canceled")];
  const told = storyLines({ steps, omitted: 0 }, new Set()).map(({ came, numbers }) => `${came} ×${numbers.length}`);
  expect(told).toEqual(["200 scheduled ×2", "200 canceled ×1"]);
});

test("a step about a recipient of what is shown is not one with a step about another", () => {
  const asked = (exchange: number, to: string): ToldStep => {
    const step = called(exchange, {});
    return { ...step, request: step.request && { ...step.request, body: JSON.stringify({ to }) } };
  };
  const all = [asked(1, "+12025550143"), asked(2, "+12025550144"), asked(9, "+12025550144")];
  const concerning = (...steps: readonly ToldStep[]) =>
    storyLines({ steps, omitted: 0 }, new Set([9])).map(({ numbers, concerns }) => [numbers.length, concerns]);
  expect(concerning(...all)).toEqual([
    [1, false],
    [1, true],
    [1, true],
  ]);
});

test("a line says that nothing came of it: a look that saw what it had seen, a clock that was moved by nothing", () => {
  const sandbox = (body: unknown, tells?: string): ToldStep => ({
    ...called(0, {}),
    ...{ through: "sandbox", exchange: null, what: "do it", ...(tells && { tells }) },
    request: { method: "POST", url: "http://127.0.0.1:1/organizations", headers: {}, body: JSON.stringify(body) },
  });
  const steps = [
    sandbox({}, "messages 1 → 2"),
    sandbox({}, "as before"),
    sandbox({ seconds: 1 }),
    sandbox({ seconds: 0 }),
  ];
  expect(storyLines({ steps, omitted: 0 }, new Set()).map(({ idle }) => idle)).toEqual([false, true, false, true]);
});

test("what is tried again and again with values of its own is one line with the looks between", () => {
  const tried = (exchange: number): ToldStep => {
    const step = called(exchange, {});
    return { ...step, request: step.request && { ...step.request, body: `{"a":"${exchange}"}` } };
  };
  const look = (exchange: number): ToldStep => {
    const step = called(exchange, {});
    return { ...step, request: step.request && { ...step.request, method: "GET", body: null } };
  };
  expect(linesOf(tried(1), look(2), tried(3), look(4), tried(5), look(6))).toEqual([
    'POST /v1/things as key-1 {"a":"1"} ×3',
    "GET /v1/things as key-1 ×3",
  ]);
});

test("a line says that it altered a record of the kind that is shown", () => {
  const asked = (exchange: number, method: string, path: string, status = 200): ToldStep => ({
    ...called(exchange, {}),
    request: { method, url: `http://127.0.0.1:1${path}`, headers: usual, body: null },
    outcome: { kind: "response", status, json: undefined },
  });
  const steps = [
    asked(1, "DELETE", "/v1/things/1a"),
    asked(2, "DELETE", "/v1/things/2a", 404),
    asked(3, "PATCH", "/v1/others/3a"),
    asked(4, "POST", "/v1/things?a=1", 409),
  ];
  const lines = storyLines({ steps, omitted: 0 }, new Set([4]));
  expect(lines.map(({ alters }) => alters)).toEqual([true, false, false, false]);
});
