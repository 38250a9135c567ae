import { expect, test } from "vitest";
import { Blocked } from "../outcome/verdict.ts";
import { judgeEach } from "./judge-each.ts";

test("what keeps one variant from being judged comes when all were", async () => {
  const judged: number[] = [];
  const judging = judgeEach([1, 2, 3], async (variant) => {
    judged.push(variant);
    if (variant < 3) throw new Blocked(`variant ${variant}`, "mend it");
  });
  await expect(judging).rejects.toThrow("variant 1");
  expect(judged).toEqual([1, 2, 3]);
});

test("any other problem ends it at once", async () => {
  const judged: number[] = [];
  const judging = judgeEach([1, 2], async (variant) => {
    judged.push(variant);
    throw new Error("a fault of the kit");
  });
  await expect(judging).rejects.toThrow("a fault of the kit");
  expect(judged).toEqual([1]);
});
