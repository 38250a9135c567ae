import fc from "fast-check";
import { expect, it } from "vitest";
import { constants } from "../../../generated/constants.ts";
import { eventTypes } from "../../../generated/events.ts";
import type { DeliveryAttempt } from "../../domain/deliveries/delivery.ts";
import type { Replay } from "../../domain/deliveries/replay.ts";
import type { AttemptFilters, AttemptPosition, FoundAttempts } from "../attempts/webhook-store.ts";
import type { Store } from "../store.ts";
import { passes } from "./passing-filters.ts";
import { attemptOf, eventOf, firstPage, otherType, present, storeBench } from "./store-bench.ts";

const all: AttemptFilters = { unanswered: "kept" };

/** What holds of the feed of attempts, of replays and of retention in every store. */
export function attemptCases(current: () => Store): void {
  async function begin() {
    const bench = storeBench(current());
    const ours = await bench.organization();
    const endpoint = await bench.endpoint({ organizationId: ours.id });
    const page = (filters: AttemptFilters, before: AttemptPosition | null = null, limit = 1000) =>
      bench.webhooks.attempts(ours.id, filters, { before, limit, total: "matching" });
    async function follow(filters: AttemptFilters, limit: number, between: () => Promise<unknown> = async () => {}) {
      const seen: DeliveryAttempt[] = [];
      for (let before: AttemptPosition | null = null; ; ) {
        const { attempts }: FoundAttempts = await page(filters, before, limit);
        seen.push(...attempts);
        before = attempts.at(-1) ?? null;
        if (before === null) return seen;
        await between();
      }
    }
    return { ...bench, ours, endpointThere: endpoint, page, follow };
  }

  it("gives back an attempt as it was recorded, with its event, to its own organization only", async () => {
    const { units, webhooks, record, organization, page, endpointThere, ours } = await begin();
    const failed = {
      responseStatus: null,
      error: "timed out\u0000",
      outcome: "dead",
      responseBodyExcerpt: "",
    } as const;
    const recorded = await record(endpointThere, [{}, failed]);
    expect((await page(all)).attempts.toSorted((one, other) => one.attempt - other.attempt)).toEqual(recorded);
    const other = await organization();
    for (const attempt of recorded) {
      const found = await units.attempt(ours.id, attempt.id);
      expect(found).toMatchObject({
        attempt,
        event: { id: attempt.eventId, data: { line_type: constants.mobileLine } },
      });
      expect(await units.attempt(other.id, attempt.id)).toBeNull();
    }
    expect(await webhooks.attempts(other.id, all, firstPage)).toEqual({ attempts: [], total: 0 });
  });

  it("shows what any filters let pass, newest first, on pages of any size, and counts it", async () => {
    const { endpoint, record, page, follow, endpointThere, ours } = await begin();
    const organizationId = ours.id;
    const endpoints = [endpointThere, await endpoint({ organizationId }), await endpoint({ organizationId })];
    const types = eventTypes.slice(0, 3);
    const statuses = [null, 200, 204, 404, 500, 503];
    const outcomes = ["success", "retry", "dead"] as const;
    const times = [0, 1, 1, 2, 3, 5];
    const recorded: DeliveryAttempt[] = [];
    const pick = <Value>(values: readonly [Value, ...Value[]] | readonly Value[], salt: number): Value => {
      const value = values[(salt * 7919) % values.length];
      if (value === undefined) throw new Error("There is nothing to choose from.");
      return value;
    };
    for (const [index, at] of endpoints.entries())
      recorded.push(
        ...(await record(
          at,
          Array.from({ length: 25 }, (_, count) => ({
            eventType: pick(types, count * 3 + index),
            responseStatus: pick(statuses, count * 5 + index),
            outcome: pick(outcomes, count + index),
            occurredAt: present + pick(times, count * 11 + index),
          })),
        )),
      );
    const maybe = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined });
    const bound = fc.constantFrom(100, 200, 203, 204, 404, 499, 500, 503, 599);
    const instant = fc.integer({ min: -1, max: 6 }).map((offset) => present + offset);
    const anyFilters: fc.Arbitrary<AttemptFilters> = fc.record({
      endpointId: maybe(fc.constantFrom(...endpoints.map(({ id }) => id), "unknown")),
      eventType: maybe(fc.constantFrom(...eventTypes.slice(0, 4))),
      outcome: maybe(fc.constantFrom(...outcomes)),
      since: maybe(instant),
      until: maybe(instant),
      statusMin: maybe(bound),
      statusMax: maybe(bound),
      unanswered: fc.constantFrom("kept", "left-out"),
    });
    await fc.assert(
      fc.asyncProperty(anyFilters, fc.integer({ min: 1, max: 80 }), async (filters, limit) => {
        const expected = recorded.filter((attempt) => passes(attempt, filters)).toSorted(newestFirst);
        expect(await follow(filters, limit < 5 && expected.length > 20 ? 20 : limit)).toEqual(expected);
        expect((await page(filters, null, 1)).total).toBe(expected.length);
      }),
      { numRuns: 120 },
    );
  });

  it("shows every attempt once while others are recorded, be they newer or older", async () => {
    const { record, follow, endpointThere } = await begin();
    const times = Array.from({ length: 20 }, (_, index) => present + (index % 5));
    const recorded = await record(
      endpointThere,
      times.map((occurredAt) => ({ occurredAt })),
    );
    const more = [present + 10, present + 2, present, present - 1];
    for (const filters of [all, { ...all, outcome: "success" } as const]) {
      let rounds = 0;
      const seen = await follow(filters, 3, async () => {
        if (rounds++ < 4)
          await record(
            endpointThere,
            more.map((occurredAt) => ({ occurredAt })),
          );
      });
      const ids = seen.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { id } of recorded) expect(ids).toContain(id);
      expect(seen.toSorted(newestFirst)).toEqual(seen);
    }
  });

  it("shows attempts of many different answers", async () => {
    const { record, page, endpointThere } = await begin();
    const recorded = await record(
      endpointThere,
      Array.from({ length: 130 }, (_, index) => ({ responseStatus: 200 + index, occurredAt: present + (index % 7) })),
    );
    const filters: AttemptFilters = { unanswered: "left-out", statusMin: 201, statusMax: 599 };
    const expected = recorded.filter((attempt) => passes(attempt, filters)).toSorted(newestFirst);
    const total = expected.length;
    expect(await page(filters, null, 40)).toEqual({ attempts: expected.slice(0, 40), total });
    expect(await page(filters, expected[39], 1000)).toEqual({ attempts: expected.slice(40), total });
  });

  const requestOf = (attemptId: string, given: Partial<Replay> = {}): Replay => ({
    id: crypto.randomUUID(),
    attemptId,
    eventId: eventOf({ organizationId: "" }).id,
    reason: "because\u0000",
    requestedBy: "key",
    requestedAt: present,
    ...given,
  });

  it("replays an attempt as a new event of equal data, to its endpoint though that no longer subscribes", async () => {
    const { units, store, endpoint, due, ours, endpointThere, settle } = await begin();
    await endpoint({ organizationId: ours.id, events: [otherType] });
    const event = eventOf({ organizationId: ours.id, data: { z: 1, a: [1.5, "\u0000"] } });
    await units.emit(event, { endpointId: endpointThere.id });
    const [claim] = await due();
    if (claim === undefined) throw new Error("Nothing is due.");
    const attempt = attemptOf(claim, { outcome: "dead" });
    await settle(claim, attempt, null);
    await units.changeEndpoint(ours.id, endpointThere.id, { events: [otherType] }, 5);
    let enqueued = 0;
    store.onEnqueued(() => enqueued++);
    const requests = [requestOf(attempt.id), requestOf(attempt.id, { reason: null })];
    for (const request of requests) {
      const again = { ...event, id: request.eventId, createdAt: request.requestedAt };
      expect(await units.replay(ours.id, request, 0)).toEqual({ attempt, event: again });
    }
    expect(enqueued).toBe(2);
    const claims = await due();
    expect(claims.map(({ delivery }) => delivery.event.id).toSorted()).toEqual(
      requests.map(({ eventId }) => eventId).toSorted(),
    );
    for (const { delivery } of claims) {
      expect(delivery.endpoint.id).toBe(endpointThere.id);
      expect(delivery).toMatchObject({ attempts: 0, dueAt: present });
      expect(JSON.stringify(delivery.event.data)).toBe(JSON.stringify(event.data));
    }
    expect((await units.attempt(ours.id, attempt.id))?.attempt).toEqual(attempt);
    expect((await store.resources(ours.id))?.webhooks).toMatchObject({ replays: 2, events: 3, deliveries: 2 });
  });

  it("refuses a replay that cannot be, and then stores nothing", async () => {
    const { units, store, organization, record, endpointThere, ours } = await begin();
    const [attempt] = await record(endpointThere, [{}]);
    const other = await organization();
    const id = attempt?.id ?? "";
    const before = await store.resources(ours.id);
    const replay = (organizationId: string, attemptId: string, retainedSince = 0, given: Partial<Replay> = {}) =>
      units.replay(organizationId, requestOf(attemptId, given), retainedSince);
    const [missing, expired, inactive] = [{ row: "NotFound" }, { row: "EventExpired" }, { row: "Conflict" }];
    expect(await replay(ours.id, "unknown")).toMatchObject(missing);
    expect(await replay(other.id, id)).toMatchObject(missing);
    // The event is of 1970.
    expect(await replay(ours.id, id, 1)).toMatchObject(expired);
    await expect(replay(ours.id, id, 0, { eventId: attempt?.eventId ?? "" })).rejects.toThrow();
    expect(await store.resources(ours.id)).toEqual(before);
    await units.changeEndpoint(ours.id, endpointThere.id, { active: false }, 5);
    expect(await replay(ours.id, id)).toMatchObject(inactive);
    expect(await replay(ours.id, id, 1)).toMatchObject(expired);
    await units.deleteEndpoint(ours.id, endpointThere.id, 6);
    expect(await replay(ours.id, id)).toMatchObject(missing);
    expect((await store.resources(ours.id))?.webhooks).toMatchObject({ replays: 0, events: 1 });
  });

  it("cannot replay a pruned event while the attempt is on record, nor find the attempt afterwards", async () => {
    const { units, store, record, endpointThere, ours } = await begin();
    const [attempt] = await record(endpointThere, [{ occurredAt: 10 }]);
    const id = attempt?.id ?? "";
    await store.retention.pruneOrganization(ours.id, {
      eventsBefore: 1,
      attemptsBefore: 10,
      answersUntil: 0,
      consentRequestsBefore: 0,
    });
    expect(await units.attempt(ours.id, id)).toEqual({ attempt, event: null });
    expect(await units.replay(ours.id, requestOf(id), 0)).toMatchObject({ row: "EventExpired" });
    await store.retention.pruneOrganization(ours.id, {
      eventsBefore: 1,
      attemptsBefore: 11,
      answersUntil: 0,
      consentRequestsBefore: 0,
    });
    expect(await units.attempt(ours.id, id)).toBeNull();
    expect(await units.replay(ours.id, requestOf(id), 0)).toMatchObject({ row: "NotFound" });
  });

  it("prunes what is old of real clocks, in bounded portions, with what was still on its way", async () => {
    const { units, store, endpoint, organization, due, record, endpointThere, ours } = await begin();
    const manual = await organization({ clock: { mode: "manual", at: 5 } });
    await endpoint({ organizationId: manual.id });
    await record(endpointThere, [{ occurredAt: 10 }, { occurredAt: 20 }]);
    for (const organizationId of [ours.id, manual.id])
      for (const createdAt of [1, 2, 3]) await units.emit(eventOf({ organizationId, createdAt }), "subscribed");
    const counts = async (id: string) => (await store.resources(id))?.webhooks;
    const manualBefore = await counts(manual.id);
    expect(
      await store.retention.prune(
        { eventsBefore: 3, attemptsBefore: 20, answersUntil: 0, consentRequestsBefore: 0 },
        1000,
      ),
    ).toBe(4);
    expect(await counts(ours.id)).toMatchObject({ events: 1, deliveries: 1, attempts: 1 });
    expect(await due()).toHaveLength(1);
    expect(
      await store.retention.prune(
        { eventsBefore: 3, attemptsBefore: 20, answersUntil: 0, consentRequestsBefore: 0 },
        1000,
      ),
    ).toBe(0);
    expect(await counts(manual.id)).toEqual(manualBefore);
    await store.retention.pruneOrganization(manual.id, {
      eventsBefore: 3,
      attemptsBefore: 0,
      answersUntil: 0,
      consentRequestsBefore: 0,
    });
    expect(await counts(manual.id)).toMatchObject({ events: 1, deliveries: 1 });
  });

  it("stops pruning when it was enough for once", async () => {
    const { units, store, endpoint, organization } = await begin();
    for (let count = 0; count < 3; count++) {
      const { id: organizationId } = await organization();
      await endpoint({ organizationId });
      for (const createdAt of [1, 2]) await units.emit(eventOf({ organizationId, createdAt }), "subscribed");
    }
    const retention = { eventsBefore: 3, attemptsBefore: 0, answersUntil: 0, consentRequestsBefore: 0 };
    const portions = [
      await store.retention.prune(retention, 3),
      await store.retention.prune(retention, 3),
      await store.retention.prune(retention, 3),
    ];
    expect(portions).toEqual([4, 2, 0]);
    await store.ping();
  });
}

const newestFirst = (one: AttemptPosition, other: AttemptPosition): number =>
  other.occurredAt - one.occurredAt || (one.id < other.id ? 1 : -1);
