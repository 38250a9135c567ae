import { afterEach, describe, expect, it } from "vitest";
import { madeUpDelivery, madeUpEndpoint } from "../testing/made-up-delivery.ts";
import { endAll, eventually, outcomes, quickSchedule, receiverThat, started } from "../testing/test-courier.ts";
import { drip, hang, ok, reset, status } from "../testing/test-receiver.ts";

afterEach(endAll);

describe("a courier", () => {
  it("delivers what is due and records it as the receiver saw it", async () => {
    const receiver = await receiverThat(ok);
    const { queue } = started();
    const delivery = madeUpDelivery(madeUpEndpoint({ url: receiver.url }));
    queue.add(delivery);
    await eventually(() => queue.attempts).toHaveLength(1);
    const [received] = receiver.received;
    const [attempt] = queue.attempts;
    expect(attempt).toMatchObject({
      organizationId: "organization",
      deliveryId: delivery.id,
      endpointId: delivery.endpoint.id,
      eventId: delivery.event.id,
      eventType: "lookup.completed",
      url: receiver.url,
      attempt: 1,
      outcome: "success",
      responseStatus: 200,
      responseBodyExcerpt: "ok",
      requestBodyBytes: received?.body.length,
      error: null,
    });
    for (const [name, value] of Object.entries(attempt?.requestHeaders ?? {}))
      expect(received?.headers[name.toLowerCase()]).toBe(value);
  });

  it("tries again until the receiver takes the event, with the same id and body and no gap in the count", async () => {
    const receiver = await receiverThat((response, number) => (number < 3 ? status(503) : ok)(response, number));
    const { queue } = started();
    queue.add(madeUpDelivery(madeUpEndpoint({ url: receiver.url })));
    await expect
      .poll(() => outcomes(queue))
      .toEqual([
        [1, "retry"],
        [2, "retry"],
        [3, "success"],
      ]);
    expect(new Set(receiver.received.map(({ headers }) => headers["x-svc-event-id"])).size).toBe(1);
    expect(new Set(receiver.received.map(({ body }) => String(body))).size).toBe(1);
    expect(new Set(queue.attempts.map(({ requestBodySha256 }) => requestBodySha256)).size).toBe(1);
  });

  it("gives up after the last attempt, and sends nothing more", async () => {
    const receiver = await receiverThat(reset);
    const { queue } = started();
    queue.add(madeUpDelivery(madeUpEndpoint({ url: receiver.url })));
    await eventually(() => outcomes(queue).at(-1)).toEqual([4, "dead"]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(receiver.received).toHaveLength(quickSchedule.waits.length);
    expect(queue.attempts.at(-1)).toMatchObject({ responseStatus: null, responseBodyExcerpt: "" });
  });

  it("begins at once when it is woken", async () => {
    const receiver = await receiverThat(ok);
    const { queue, courier } = started({ pace: { poll: 3_600_000 } });
    await new Promise((resolve) => setTimeout(resolve, 50));
    queue.add(madeUpDelivery(madeUpEndpoint({ url: receiver.url })));
    courier.wake();
    await eventually(() => queue.attempts).toHaveLength(1);
  });

  it("goes on with what had no room, without being woken again", async () => {
    const receiver = await receiverThat(ok);
    const { queue, courier } = started({ pace: { poll: 3_600_000, most: 3, mostPerPartition: 2 } });
    await new Promise((resolve) => setTimeout(resolve, 50));
    const [one, other] = [madeUpEndpoint({ url: receiver.url }), madeUpEndpoint({ url: receiver.url })];
    for (let count = 0; count < 10; count++) queue.add(madeUpDelivery(count < 7 ? one : other));
    courier.wake();
    await eventually(() => queue.attempts).toHaveLength(10);
  });

  it("records a forced answer and sends nothing", async () => {
    const receiver = await receiverThat(ok);
    const { queue } = started();
    const endpoint = madeUpEndpoint({ url: receiver.url });
    queue.force(endpoint.id, { status: 410, body: "gone" });
    queue.add(madeUpDelivery(endpoint));
    await eventually(() => outcomes(queue)).toEqual([[1, "dead"]]);
    expect(queue.attempts[0]).toMatchObject({ responseStatus: 410, responseBodyExcerpt: "gone", error: null });
    expect(receiver.received).toEqual([]);
  });

  it("writes one line for each attempt, and no secret", async () => {
    const receiver = await receiverThat((response, number) => (number === 1 ? status(500) : ok)(response, number));
    const { queue, logged } = started();
    const endpoint = madeUpEndpoint({ url: `${receiver.url}?token=hidden` });
    queue.add(madeUpDelivery(endpoint));
    await eventually(() => queue.attempts).toHaveLength(2);
    await eventually(() => logged).toHaveLength(2);
    expect(logged.join("")).not.toContain("hidden");
    expect(logged.join("")).not.toContain(endpoint.secret);
  });
});

describe("receivers that hang, drip, reset or are not there", () => {
  it("hold up no others, and get no more connections at once than they may have", async () => {
    const bad = await Promise.all([hang, drip, reset].map(receiverThat));
    const healthy = await receiverThat(ok);
    const { queue } = started({ patience: { total: 60_000 }, pace: { poll: 10 } });
    const urls = [...bad.map(({ url }) => url), "http://127.0.0.1:1/closed"];
    for (const url of urls) {
      const endpoint = madeUpEndpoint({ url });
      for (let count = 0; count < 20; count++) queue.add(madeUpDelivery(endpoint));
    }
    const endpoint = madeUpEndpoint({ url: healthy.url });
    const wanted = Array.from({ length: 40 }, () => madeUpDelivery(endpoint, { dueAt: 1 }));
    for (const delivery of wanted) queue.add(delivery);
    await eventually(() => healthy.received.length).toBe(wanted.length);
    const [hanging, dripping] = bad;
    await eventually(() => [hanging?.received.length, dripping?.received.length]).toEqual([2, 2]);
  });

  it("hold up no other organization, however many of them hang", async () => {
    const hanging = await receiverThat(hang);
    const healthy = await receiverThat(ok);
    const most = 30;
    const { queue, courier } = started({
      patience: { total: 60_000 },
      pace: { most, mostPerPartition: 5, poll: 3_600_000 },
    });
    for (const organizationId of ["hanging", "hanging too"])
      for (let count = 0; count < 50; count++) {
        const endpoint = madeUpEndpoint({ url: hanging.url, organizationId });
        for (let each = 0; each < 5; each++) queue.add(madeUpDelivery(endpoint));
      }
    courier.wake();
    // Each has a third of the places, and leaves as many free.
    await eventually(() => hanging.received.length).toBe((2 * most) / 3);
    const endpoint = madeUpEndpoint({ url: healthy.url, organizationId: "healthy" });
    for (let count = 0; count < 40; count++) queue.add(madeUpDelivery(endpoint));
    courier.wake();
    await eventually(() => queue.attempts.length).toBe(40);
    expect(healthy.received).toHaveLength(40);
    expect(hanging.received).toHaveLength((2 * most) / 3);
  });

  it("hold up no more than the bound in all", async () => {
    const hanging = await receiverThat(hang);
    const { queue } = started({ patience: { total: 60_000 }, pace: { most: 3 } });
    for (let count = 0; count < 9; count++)
      queue.add(madeUpDelivery(madeUpEndpoint({ url: hanging.url, organizationId: `organization-${count}` })));
    await eventually(() => hanging.received.length).toBe(3);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(hanging.received.length).toBe(3);
  });
});
