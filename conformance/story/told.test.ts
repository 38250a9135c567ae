import { describe, expect, test } from "vitest";
import { newSecrets } from "../exchange/redaction.ts";
import type { Step, StorySoFar } from "./step.ts";
import { newStory, stepOf, storySoFar, tellStep } from "./stories.ts";
import { redactedStory, toldStory } from "./told.ts";

let at = 0;

/** A call that was made with this key, of this path and body, and what its answer held. */
function called(path: string, key: string, json: unknown, body: unknown = null): Step {
  at += 1;
  return stepOf({
    number: at,
    operation: null,
    request: {
      method: body === null ? "GET" : "POST",
      url: `http://127.0.0.1:1${path}`,
      headers: { authorization: `Bearer ${key}` },
      body: body === null ? null : JSON.stringify(body),
    },
    outcome: { kind: "response", status: 200, headers: {}, text: "", json, truncated: false },
    sentAt: at,
    answeredAt: at,
  });
}

const nobody = (): null => null;
const only = (...steps: readonly Step[]): StorySoFar => ({ steps, before: [] });

describe("a story as it is told", () => {
  const first = "key-of-org-1";
  const made = called(
    "/keys",
    first,
    { data: { id: "key-0001", plaintext: "secret-of-1", label: "label-77" } },
    {
      label: "label-77",
    },
  );

  test("says of each answer what later requests were made with, and where it stands", () => {
    const read = called("/keys/key-0001", "secret-of-1", { data: { id: "key-0001" } });
    const listed = called("/things?of=key-0001", first, {}, { nested: [{ for: "key-0001" }] });
    const { steps, omitted } = toldStory(only(made, read, listed), nobody);
    expect(steps.map(({ gives }) => gives)).toEqual([
      [
        { pointer: "/data/id", value: "key-0001" },
        { pointer: "/data/plaintext", value: "secret-of-1" },
      ],
      [],
      [],
    ]);
    expect(omitted).toBe(0);
  });

  test("takes what the kit chose itself for nothing that an answer gave", () => {
    const again = called("/keys", first, {}, { label: "label-77" });
    expect(toldStory(only(made, again), nobody).steps[0]?.gives).toEqual([]);
  });

  test("begins with the step that gave what it was made with, and with what that was made with", () => {
    const owner = called("/organizations", "token", { data: { key: first } });
    const use = called("/things", "secret-of-1", {});
    const issuer = (value: string): Step | null => ({ "secret-of-1": made, [first]: owner })[value] ?? null;
    expect(toldStory(only(use), issuer).steps.map(({ exchange }) => exchange)).toEqual(
      [made, owner, use].map(({ exchange }) => exchange).sort((a = 0, b = 0) => Number(a) - Number(b)),
    );
    expect(toldStory({ steps: [use], before: [made] }, nobody).steps).toHaveLength(2);
  });

  test("leaves out the middle of a long one, and says so", () => {
    const many = Array.from({ length: 500 }, () => called("/things", first, {}));
    const { steps, omitted } = toldStory(only(...many), nobody);
    expect([steps.length + omitted, steps[0]?.exchange, steps.at(-1)?.exchange]).toEqual([
      500,
      many[0]?.exchange,
      many.at(-1)?.exchange,
    ]);
  });

  test("shows no secret and no answer", () => {
    const secrets = newSecrets();
    secrets.learn("secret-of-1", "SECRET_1", null);
    const use = called("/things/secret-of-1", "secret-of-1", {});
    const told = redactedStory(toldStory(only(made, use), nobody), secrets);
    expect(JSON.stringify(told)).not.toContain("secret-of-1");
    expect(told.steps[0]).toMatchObject({ gives: [{ pointer: "/data/plaintext", value: "$" + "{SECRET_1}" }] });
    expect(told.steps[0]?.outcome).toEqual({ kind: "response", status: 200, json: undefined });
  });
});

test("each story has what is done in its own course, and of values that of the last one", async () => {
  const [one, other] = [newStory(), newStory()];
  const [arranged, tried, triedThen] = [called("/a", "k", {}), called("/b", "k", {}), called("/c", "k", {})];
  await Promise.all([
    one.run(async () => {
      tellStep(arranged);
      one.nextValue();
      await null;
      tellStep(tried);
      one.nextValue();
      tellStep(triedThen);
      expect(storySoFar()).toEqual(one.soFar());
    }),
    other.run(async () => {
      await null;
      expect(storySoFar()?.steps).toEqual([]);
    }),
  ]);
  expect(one.soFar()).toEqual({ steps: [arranged, triedThen], before: [tried] });
  expect(storySoFar()).toBeUndefined();
});

test("an answer is told with what a record was, and the code of a refusal, without its secrets", () => {
  const secrets = newSecrets();
  secrets.learn("sk-secret-of-a-key", "KEY", null);
  const shown = (status: number, json: unknown) => {
    const step = called("/v1/things/1", "key", json);
    const answered: Step = { ...step, outcome: { kind: "response", status, json } };
    return redactedStory(toldStory(only(answered), nobody), secrets).steps[0]?.outcome;
  };
  expect(shown(200, { data: { status: "canceled" } })).toMatchObject({ state: "canceled" });
  expect(shown(200, { data: { status: "sk-secret-of-a-key" } })).toMatchObject({ state: `\${KEY}` });
  expect(shown(200, { data: [{ status: "canceled" }] })).not.toHaveProperty("state");
  expect(shown(409, { error: { code: "BUSY" }, data: { status: "x" } })).toMatchObject({ code: "BUSY" });
});
