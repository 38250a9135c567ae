import { expect, test } from "vitest";
import { Blocked } from "../outcome/verdict.ts";
import { newWaiting } from "./wait.ts";

test("what the leave does not cover blocks, with a leave that would have been enough", async () => {
  const waiting = newWaiting({ maxSeconds: 0.02 });
  await waiting.wait(0.01, "room for a key");
  const blocked: unknown = await waiting.wait(61, "a full bucket").catch((error: unknown) => error);
  expect(blocked).toBeInstanceOf(Blocked);
  expect(blocked).toMatchObject({
    message: "a full bucket takes more waiting than the 20 ms that were allowed",
    unblock: "allow more waiting: --max-wait 2m or more",
  });
  await expect(newWaiting({ maxSeconds: 0 }).wait(1, "room for a key")).rejects.toThrow(
    "room for a key takes waiting, and none was",
  );
  await waiting.wait(0.01, "room for a key");
  expect(waiting.waited()).toBeCloseTo(0.02);
});

test("only a check that measures a limit may use the reserved time", async () => {
  const waiting = newWaiting({ maxSeconds: 0.03, reservedSeconds: 0.02, enoughSeconds: 180 });
  await waiting.wait(0.01, "room for a key");
  await expect(waiting.wait(0.01, "room for a key")).rejects.toMatchObject({
    unblock: "allow more waiting: --max-wait 3m or more",
  });
  await waiting.measuring(() => waiting.wait(0.02, "a full bucket"));
  expect(waiting.waited()).toBeCloseTo(0.03);
});
