import { expect, it } from "vitest";
import { Alarm } from "./alarm.ts";

const hour = 3_600_000;

it("an alarm ends a wait when it is rung, or when the time is up", async () => {
  const alarm = new Alarm();
  const waiting = alarm.wait(hour);
  alarm.ring();
  await waiting;
  await alarm.wait(1);
});

it("an alarm keeps one ring for the next wait", async () => {
  const alarm = new Alarm();
  alarm.ring();
  alarm.ring();
  await alarm.wait(hour);
  const short = alarm.wait(20).then(() => "time");
  expect(await Promise.race([short, new Promise((resolve) => setTimeout(resolve, 5, "still waiting"))])).toBe(
    "still waiting",
  );
});
