import { expect, test } from "vitest";
import { newShared } from "./shared.ts";

test("a value is made once for all who ask, also at the same time", async () => {
  const shared = newShared<string, number>();
  let made = 0;
  const make = async (): Promise<number> => {
    made += 1;
    return made;
  };
  expect(await Promise.all([shared.get("a", make), shared.get("a", make)])).toEqual([1, 1]);
  expect(await shared.get("a", make)).toBe(1);
  expect(await shared.get("b", make)).toBe(2);
});

test("a failure is thrown to its asker alone: the next one makes the value", async () => {
  const shared = newShared<string, string>();
  await expect(shared.get("a", () => Promise.reject(new Error("500")))).rejects.toThrow("500");
  expect(await shared.get("a", async () => "made")).toBe("made");
});

test("who waited for a value that failed makes it anew, and only one of them", async () => {
  const shared = newShared<string, string>();
  const first = Promise.withResolvers<string>();
  const outcomes = Promise.allSettled([
    shared.get("a", () => first.promise),
    shared.get("a", async () => "made by the second"),
    shared.get("a", async () => "made by the third"),
  ]);
  first.reject(new Error("500"));
  expect(await outcomes).toEqual([
    { status: "rejected", reason: new Error("500") },
    { status: "fulfilled", value: "made by the second" },
    { status: "fulfilled", value: "made by the second" },
  ]);
});

test("an asker who meets its own failure after another's is told its own", async () => {
  const shared = newShared<string, string>();
  const first = Promise.withResolvers<string>();
  const outcomes = Promise.allSettled([
    shared.get("a", () => first.promise),
    shared.get("a", () => Promise.reject(new Error("503"))),
  ]);
  first.reject(new Error("500"));
  expect(await outcomes).toMatchObject([{ reason: new Error("500") }, { reason: new Error("503") }]);
});
