import { afterEach, describe, expect, it } from "vitest";
import type { Delivery } from "../domain/deliveries/delivery.ts";
import { usualSchedule } from "../domain/deliveries/retry-schedule.ts";
import { madeUpDelivery, madeUpEndpoint } from "../testing/made-up-delivery.ts";
import { endAll, eventually, receiverThat, started, type TestCourierOptions } from "../testing/test-courier.ts";
import { type Behaviour, hang, ok, status } from "../testing/test-receiver.ts";

const start = Date.UTC(2031, 0, 1);
const organizationId = "organization";
afterEach(endAll);

/** An organization with a manual clock, an endpoint of its own, and a courier that was started. */
async function manual(behaviour: Behaviour, options: TestCourierOptions = {}) {
  const receiver = await receiverThat(behaviour);
  const test = started({ schedule: usualSchedule, ...options });
  if (options.queue === undefined) test.queue.clocks.set(organizationId, { mode: "manual", at: start });
  const endpoint = madeUpEndpoint({ url: receiver.url });
  function add(dueAt: number): Delivery {
    const delivery = madeUpDelivery(endpoint, { dueAt });
    test.queue.add(delivery);
    return delivery;
  }
  const advance = (seconds: number, within?: number) =>
    test.courier.advance(organizationId, start + seconds * 1000, within);
  const clock = () => test.queue.clocks.get(organizationId);
  const records = () => test.queue.attempts.map(({ occurredAt, outcome }) => [(occurredAt - start) / 1000, outcome]);
  return { ...test, receiver, endpoint, add, advance, clock, records };
}

const day = 86_400;

describe("advancing a manual clock", () => {
  it("runs every retry at its own instant, as the organization counts time", async () => {
    const { add, advance, clock, records, receiver } = await manual(status(500));
    add(start);
    expect(await advance(2 * day)).toEqual({ settled: true });
    const hour = 3_600;
    const times = [0, 5, 305, 2_105, 2_105 + 2 * hour, 2_105 + 7 * hour, 2_105 + 17 * hour, 2_105 + 27 * hour];
    expect(records()).toEqual(times.map((time, index) => [time, index === 7 ? "dead" : "retry"]));
    expect(clock()).toEqual({ mode: "manual", at: start + 2 * day * 1000 });
    const signed = receiver.received.map(({ headers }) => String(headers["x-svc-signature"]).split(",", 1)[0]);
    expect(signed).toEqual(times.map((time) => `t=${start / 1000 + time}`));
  });

  it("runs what is due to the second, and not a second more", async () => {
    const { add, advance, records } = await manual(status(500));
    add(start);
    expect(await advance(4)).toEqual({ settled: true });
    expect(records()).toHaveLength(1);
    expect(await advance(5)).toEqual({ settled: true });
    expect(records()).toHaveLength(2);
  });

  it("is the only thing that runs its deliveries", async () => {
    const { add, advance, records, receiver } = await manual(ok);
    add(start - 1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(receiver.received).toEqual([]);
    expect(await advance(0)).toEqual({ settled: true });
    expect(records()).toEqual([[0, "success"]]);
  });

  it("runs those of one instant side by side, and those of a later one behind them", async () => {
    let open = 0;
    let mostOpen = 0;
    const { add, advance, receiver } = await manual((response) => {
      mostOpen = Math.max(mostOpen, ++open);
      setTimeout(() => {
        open--;
        response.end("ok");
      }, 50);
    });
    const later = add(start + 2_000);
    for (let count = 0; count < 10; count++) add(start + 1_000);
    expect(await advance(3)).toEqual({ settled: true });
    expect(mostOpen).toBeGreaterThan(1);
    expect(receiver.received.at(-1)?.headers["x-svc-event-id"]).toBe(later.event.id);
  });

  it("runs more at one instant than it may at once", async () => {
    const { add, advance, records } = await manual(ok, { pace: { mostPerAdvance: 3 } });
    for (let count = 0; count < 10; count++) add(start);
    expect(await advance(0)).toEqual({ settled: true });
    expect(records()).toHaveLength(10);
  });

  it("ends when its time is up; what is under way is recorded later, and another advance goes on", async () => {
    const { add, advance, queue, records } = await manual(hang, { patience: { total: 300 } });
    add(start);
    add(start + 1_000);
    expect(await advance(2, 50)).toEqual({ settled: false });
    await eventually(() => queue.attempts).toHaveLength(1);
    expect(await advance(2)).toEqual({ settled: true });
    expect(records()).toEqual([
      [0, "retry"],
      [1, "retry"],
    ]);
  });

  it("waits for what another process is sending", async () => {
    const first = await manual((response) => void setTimeout(() => response.end("ok"), 150));
    const second = await manual(ok, { queue: first.queue });
    first.add(start);
    first.add(start + 1_000);
    const both = await Promise.all([first.advance(2), second.advance(2)]);
    expect(both).toEqual([{ settled: true }, { settled: true }]);
    expect(first.records()).toEqual([
      [0, "success"],
      [1, "success"],
    ]);
  });

  it("tells when the queue fails", async () => {
    const claimNext = () => Promise.reject(new Error("The database is away."));
    const { advance } = await manual(ok, { seen: { claimNext } });
    await expect(advance(1)).rejects.toThrow("The database is away.");
  });

  it("does nothing once the courier is closed", async () => {
    const { add, advance, courier, receiver } = await manual(ok);
    add(start);
    await courier.close();
    expect(await advance(1, 3_600_000)).toEqual({ settled: false });
    expect(receiver.received).toEqual([]);
  });
});
