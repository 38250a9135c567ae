import { expect, test } from "vitest";
import type { Check } from "../context/check.ts";
import { madeUpCheck } from "../context/made-up-check.ts";
import { madeUpTarget } from "../target/made-up-target.ts";
import { scheduleOf } from "./schedule.ts";

const target = (maxWait: number) => ({ ...madeUpTarget, timing: { ...madeUpTarget.timing, maxWait } });
const idsOf = (checks: readonly Check[], maxWait: number): readonly string[] =>
  [...scheduleOf(checks, target(maxWait), () => 1).fitting].map(({ id }) => id).sort();

const many = madeUpCheck({ id: "many", rules: ["KEYC-01"], draws: { apiKeyWrites: 8 } });
const few = madeUpCheck({ id: "few", rules: ["KEYC-03", "KEYC-04"], draws: { apiKeyWrites: 4 } });
const free = madeUpCheck({ id: "free", rules: ["KEYC-05"], draws: {} });

test("what a bucket has room for goes to the checks that decide most for it, whatever their order", () => {
  expect(idsOf([many, few, free], 0)).toEqual(["few", "free"]);
  expect(idsOf([free, few, many], 0)).toEqual(["few", "free"]);
});

test("time to wait makes room for more", () => {
  expect(idsOf([many, few, free], 60)).toEqual(["few", "free", "many"]);
  expect(scheduleOf([many, few], target(0), () => 1).waitSeconds).toBe(60);
});

test("a key that checks share is drawn for once", () => {
  const sharing = ["a", "b", "c"].map((id) =>
    madeUpCheck({ id, draws: { apiKeyWrites: 3 }, sharedKeys: [["apikeys:read", "apikeys:write"]] }),
  );
  expect(idsOf(sharing, 0)).toEqual(["a", "b", "c"]);
  const apart = sharing.map((check, index) => ({ ...check, sharedKeys: [[`scope-${index}`]] }));
  expect(idsOf(apart, 0)).toHaveLength(2);
});

test("where each check has an organization of its own, none takes room from another", () => {
  const hooks = { new_organization: { kind: "url", url: "http://127.0.0.1:1" } } as const;
  const { fitting } = scheduleOf([many, few, free], { ...target(0), hooks }, () => 1);
  expect(fitting.size).toBe(3);
});
