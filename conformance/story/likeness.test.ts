import { expect, test } from "vitest";
import { othersBetween, unheededOf, unmovedOf } from "./likeness.ts";
import type { ToldStep } from "./step.ts";

const base = "http://127.0.0.1:1";

const answered = (status: number, code?: string): ToldStep["outcome"] => ({
  ...{ kind: "response", status, json: undefined },
  ...(code === undefined ? {} : { code }),
});

function called(exchange: number, path: string, body: object, outcome = answered(202), as = "KEY_1"): ToldStep {
  return {
    ...{ through: "api", what: null, exchange, seconds: null, at: exchange, gives: [], outcome },
    request: {
      method: "POST",
      url: base + path,
      headers: { authorization: `Bearer ${as}` },
      body: JSON.stringify(body),
    },
  };
}

const sandbox = (what: string, body: object): ToldStep => ({
  ...{ through: "sandbox", what, exchange: null, seconds: null, at: 0, gives: [], outcome: answered(200) },
  request: { method: "POST", url: `${base}/organizations`, headers: {}, body: JSON.stringify(body) },
});

const story = (...steps: readonly ToldStep[]) => ({ steps, omitted: 0 });
const send = (exchange: number, more: object = {}, outcome?: ToldStep["outcome"], as?: string): ToldStep =>
  called(exchange, "/v1/messages", { to: "+12025550141", body: "hello", ...more }, outcome, as);

test("the same call is told that was answered alike before something changed, whenever it is to be", () => {
  const told = story(
    send(1, { scheduled_at: "2030-01-01T00:00:00Z" }),
    called(2, "/v1/lookup", { phone_number: "+12025550142" }),
    sandbox("receive a text", { from: "+12025550141", text: "STOP" }),
    send(4, { scheduled_at: "2030-01-01T00:00:02Z" }),
    send(5, { scheduled_at: "2030-01-01T00:00:02Z" }),
  );
  expect(unmovedOf(told, 5)).toEqual({ step: 1, without: null, since: [3] });
});

test("none is told where nothing changed, for another caller, or where it was answered otherwise", () => {
  const stop = sandbox("receive a text", { from: "+12025550141", text: "STOP" });
  expect(unmovedOf(story(send(1), send(2)), 2)).toBeNull();
  expect(unmovedOf(story(send(1), sandbox("read the organization's state", {}), send(2)), 2)).toBeNull();
  expect(unmovedOf(story(send(1, {}, answered(202), "KEY_2"), stop, send(2)), 2)).toBeNull();
  expect(unmovedOf(story(send(1, {}, answered(422, "A")), stop, send(2, {}, answered(422, "B"))), 2)).toBeNull();
  expect(unmovedOf(story(send(1), sandbox("move the clock", { seconds: 2 }), send(2)), 2)).toMatchObject({
    since: [2],
  });
});

test("the call that has one thing less is told where it was refused alike", () => {
  const quiet = answered(422, "QUIET_HOURS");
  const later = { scheduled_at: "2030-01-01T08:00:00Z" };
  expect(
    unheededOf(story(send(1, {}, quiet), send(2, { ...later, urgent: true }, quiet), send(3, later, quiet)), 3),
  ).toEqual({
    ...{ step: 1, without: "without scheduled_at", since: [] },
  });
  expect(unheededOf(story(send(1, {}, answered(422, "OTHER")), send(3, later, quiet)), 3)).toBeNull();
});

test("calls that served another caller the very same in between are told", () => {
  const refused = answered(404, "GONE");
  const told = story(
    send(1, {}, refused),
    send(2, {}, refused, "KEY_2"),
    send(3, {}, answered(202), "KEY_2"),
    send(4, { urgent: true }, answered(202), "KEY_2"),
    send(5, {}, answered(202)),
  );
  expect(othersBetween(told, 1, 5)).toEqual([3]);
  expect(othersBetween(told, 3, 5)).toEqual([]);
});
