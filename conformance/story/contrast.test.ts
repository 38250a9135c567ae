import { expect, test } from "vitest";
import { constants } from "../../generated/constants.ts";
import { rowNamed } from "../exchange/admits.ts";
import { contrastOf } from "./contrast.ts";
import type { ToldStep } from "./step.ts";

const base = "http://127.0.0.1:1";

function called(exchange: number, path: string, as: string, status: number, body: object | null = null): ToldStep {
  return {
    ...{ through: "api", what: null, exchange, seconds: null, at: exchange, gives: [] },
    request: {
      method: "POST",
      url: base + path,
      headers: { authorization: `Bearer ${as}` },
      body: body === null ? null : JSON.stringify(body),
    },
    outcome: { kind: "response", status, json: undefined },
  };
}

const story = (...steps: ToldStep[]) => ({ steps, omitted: 0 });

test("the call that went the other way and differs least is told with what differs", () => {
  const told = story(
    called(1, "/v1/things/a-1", "KEY_1", 403, { label: "x", size: 2 }),
    called(2, "/v1/things/a-1", "KEY_2", 403, { label: "x" }),
    called(3, "/v1/others/a-1", "KEY_1", 403),
    called(4, "/v1/things/a-1", "KEY_1", 201, { label: "x" }),
  );
  expect(contrastOf(told, 4)).toEqual({
    step: 2,
    exchange: 2,
    status: 403,
    differs: ["as KEY_2"],
    isSameInstant: false,
    standing: [],
    settings: [],
  });
});

test("what its organization was created with otherwise is told", () => {
  const created = (key: string, settings: object): ToldStep => ({
    ...called(0, "/organizations", "sandbox", 200, settings),
    ...{
      through: "sandbox",
      what: "create an organization",
      exchange: null,
      gives: [{ pointer: "/data", value: key }],
    },
  });
  const told = story(
    created("KEY_1", { wallet: 5, floor: 5000 }),
    created("KEY_2", { wallet: 5 }),
    called(3, "/v1/things", "KEY_2", 201),
    called(4, "/v1/things", "KEY_1", 402),
  );
  expect(contrastOf(told, 4)).toMatchObject({ step: 3, differs: ["as KEY_2"], settings: ["without floor"] });
});

test("members of the body, the address and the query are told", () => {
  const asked = called(2, "/v1/things/b-2?limit=1", "KEY_1", 422, { label: 7 });
  expect(contrastOf(story(called(1, "/v1/things/a-1", "KEY_1", 200, { label: "x" }), asked), 2)?.differs).toEqual([
    "at /v1/things/a-1",
    "without a query",
    'with label "x"',
  ]);
});

test("of what was made up or given for one call it is told that it is another", () => {
  const about = (digit: number, word: string): object => ({
    owner: `${digit}1111111-2222-4333-8444-555555555555`,
    note: `Tells customers of bakery ${word} that it is open.`,
  });
  const told = story(
    called(1, "/v1/things", "KEY_1", 201, about(1, "6432fb7b")),
    called(2, "/v1/things", "KEY_1", 409, about(2, "32a26899")),
  );
  expect(contrastOf(told, 2)?.differs).toEqual(["with another owner", "with another note"]);
});

test("of a query the parameters that differ are told, or all of it where they are in another order", () => {
  const asked = called(2, "/v1/things?limit=1&from=2030-01-01T00%3A00%3A00Z&kind=a", "KEY_1", 422);
  const differs = (query: string) =>
    contrastOf(story(called(1, `/v1/things?${query}`, "KEY_1", 200), asked), 2)?.differs;
  expect(differs("limit=1&from=2030-01-02T00%3A00%3A00Z")).toEqual([
    "with ?from=2030-01-02T00:00:00Z",
    "without ?kind",
  ]);
  expect(differs("kind=a&limit=1&from=2030-01-01T00%3A00%3A00Z")?.[0]).toMatch(/^with \?kind=a&limit/);
  expect(differs("limit=1&limit=1")).toEqual(["with ?limit=1&limit=1"]);
});

test("a member that has the name of what every object has is a member as any other", () => {
  const one = called(1, "/v1/things/a-1", "KEY_1", 200, { label: "x" });
  const other = called(2, "/v1/things/a-1", "KEY_1", 400, { label: "x", constructor: {} });
  expect(contrastOf(story(one, other), 2)?.differs).toEqual(["without constructor"]);
  expect(contrastOf(story(other, one), 1)?.differs).toEqual(["with constructor {}"]);
});

test("a call by the same instant in another writing comes before those by others, and says so", () => {
  const at = (exchange: number, status: number, scheduled_at: string): ToldStep =>
    called(exchange, "/v1/things", "KEY_1", status, { scheduled_at });
  const told = story(
    at(1, 201, "2026-01-15T11:15:00.000Z"),
    at(2, 201, "2026-01-15T12:15:00.000Z"),
    at(3, 422, "2026-01-15T07:45:00.000-03:30"),
  );
  expect(contrastOf(told, 3)).toMatchObject({ step: 1, isSameInstant: true });
  expect(contrastOf(story(...told.steps.slice(1)), 3)).toMatchObject({ step: 1, isSameInstant: false });
});

test("the very same call that was refused otherwise says more than another one that was served", () => {
  const told = story(
    called(1, "/v1/things/b-2", "KEY_1", 201),
    called(2, "/v1/things/a-1", "KEY_1", 429),
    called(3, "/v1/things/a-1", "KEY_1", 404),
  );
  expect(contrastOf(told, 3)).toMatchObject({ step: 2, status: 429, differs: [] });
});

test("a list that holds more or fewer is told by how many", () => {
  const listed = (exchange: number, status: number, ...records: readonly string[]) =>
    called(exchange, "/v1/things", "KEY_1", status, { records });
  expect(contrastOf(story(listed(1, 201, "a"), listed(2, 422, "a", "b", "c")), 2)?.differs).toEqual([
    "with 1 in records and not 3",
  ]);
});

test("what went the same way, or was another operation, is no contrast", () => {
  const told = story(called(1, "/v1/things/a-1", "KEY_1", 200), called(2, "/v1/things", "KEY_1", 403));
  expect(contrastOf(story(...told.steps, called(3, "/v1/things/a-1", "KEY_2", 201)), 3)).toBeNull();
  expect(contrastOf(told, 9)).toBeNull();
});

test("a call that was answered so and otherwise is no contrast to another one", () => {
  const to = (exchange: number, status: number, number: string): ToldStep =>
    called(exchange, "/v1/things", "KEY_1", status, { to: number });
  expect(contrastOf(story(to(1, 403, "a"), to(2, 201, "a"), to(3, 201, "b")), 3)).toBeNull();
  expect(contrastOf(story(to(1, 403, "a"), to(3, 201, "b")), 3)).toMatchObject({ step: 1 });
  expect(contrastOf(story(to(1, 403, "b"), to(3, 201, "b")), 3)).toMatchObject({ step: 1, differs: [] });
});

test("of a key that the sandbox made with few scopes these are told", () => {
  const made = (secret: string, scopes: readonly string[]): ToldStep => ({
    ...called(0, "/keys", "sandbox", 200),
    ...{ through: "sandbox", what: `create a key with ${scopes.join(", ")}`, exchange: null },
    gives: [{ pointer: "/data/plaintext", value: secret }],
  });
  const [one, other, many] = [1, 2, 3].map((number) => `\${KEY_${number}}`) as [string, string, string];
  const told = story(
    ...[made(one, ["a:read"]), made(other, ["a:write"]), made(many, ["a", "b", "c", "d"])],
    ...[called(1, "/v1/things", one, 403), called(2, "/v1/things", other, 200)],
  );
  expect(contrastOf(told, 2)?.differs).toEqual([`as ${one} with a:read`]);
  expect(
    contrastOf(
      story(...told.steps.slice(0, 3), called(1, "/v1/things", many, 403), called(2, "/v1/things", one, 200)),
      2,
    )?.differs,
  ).toEqual([`as ${many}`]);
});

test("a call that was refused for another reason than the one wanted is none", () => {
  const refused = (exchange: number, status: number, code: string): ToldStep => ({
    ...called(exchange, "/v1/things", `KEY_${exchange}`, status),
    outcome: { kind: "response", status, json: undefined, code },
  });
  const told = story(
    refused(1, 403, "STAFF_ONLY"),
    refused(2, 401, "UNAUTHORIZED"),
    called(3, "/v1/things", "KEY_3", 200),
  );
  expect(contrastOf(told, 3)?.step).toBe(2);
  expect(contrastOf(told, 3, ["STAFF_ONLY"])?.step).toBe(1);
  expect(contrastOf(told, 3, ["NOT_FOUND"])).toBeNull();
});

test("of a header that each call has for itself it is told that it is another, and of one for an organization which one", () => {
  const headed = (exchange: number, status: number, headers: Readonly<Record<string, string>>): ToldStep => {
    const step = called(exchange, "/v1/things", "KEY_1", status);
    return { ...step, request: step.request && { ...step.request, headers: { ...step.request.headers, ...headers } } };
  };
  const id = (digit: number): string => `${digit}1111111-2222-4333-8444-555555555555`;
  const differs = (name: string) =>
    contrastOf(story(headed(1, 200, { [name]: id(1) }), headed(2, 409, { [name]: id(2) })), 2)?.differs;
  expect(differs("Idempotency-Key")).toEqual(["with another idempotency-key"]);
  expect(differs(constants.targetOrganizationHeader)).toEqual([
    `with ${constants.targetOrganizationHeader.toLowerCase()}: ${id(1)}`,
  ]);
});

test("what was told of a record that both calls name is told where it was another", () => {
  const named = (step: ToldStep, status: string): ToldStep => ({
    ...step,
    standing: [
      ["owner's status", status],
      ["size =", "now"],
    ],
  });
  const told = story(
    named(called(1, "/v1/things", "KEY_1", 201, { owner: "a-1" }), '"DONE"'),
    named(called(2, "/v1/things", "KEY_1", 409, { owner: "b-2" }), '"DONE_TWICE"'),
  );
  expect(contrastOf(told, 2)?.standing).toEqual([`owner's status was "DONE", here "DONE_TWICE"`]);
});

test("a refusal of another caller for what that may do is no contrast where no code is wanted", () => {
  const served = called(2, "/v1/things/a-1", "KEY_1", 200);
  const refused = (as: string): ToldStep => ({
    ...called(1, "/v1/things/a-1", as, 403),
    outcome: { kind: "response", status: 403, json: undefined, code: rowNamed("Forbidden").code },
  });
  expect(contrastOf(story(refused("KEY_2"), served), 2)).toBeNull();
  expect(contrastOf(story(refused("KEY_1"), served), 2)).toMatchObject({ step: 1 });
  expect(contrastOf(story(refused("KEY_2"), served), 2, [rowNamed("Forbidden").code])).toMatchObject({ step: 1 });
});
