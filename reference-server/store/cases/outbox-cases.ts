import { expect, it } from "vitest";
import type { EventType } from "../../../generated/events.ts";
import { newKey } from "../../domain/keys/api-keys.ts";
import type { Store } from "../store.ts";
import {
  attemptOf,
  endpointWith,
  eventOf,
  firstPage,
  otherType,
  present,
  storeBench,
  thirdType,
  usualType,
} from "./store-bench.ts";

/** What holds of events and their way into the queue in every store. */
export function outboxCases(current: () => Store): void {
  async function begin() {
    const bench = storeBench(current());
    const ours = await bench.organization();
    let enqueued = 0;
    bench.store.onEnqueued(() => enqueued++);
    return { ...bench, ours, enqueued: () => enqueued };
  }
  const newKeyOf = (organizationId: string, id: string) =>
    newKey(
      { id, organizationId, label: "x", scopes: [], createdAt: 1 },
      { plaintext: "", prefix: "p", secretHash: `hash-${id}` },
    );
  const countsOf = async (store: Store, id: string) => (await store.resources(id))?.webhooks;

  it("sends an event to the active endpoints that subscribe to its type", async () => {
    const { units, endpoint, organization, due, enqueued, ours } = await begin();
    const organizationId = ours.id;
    const subscribed = [await endpoint({ organizationId }), await endpoint({ organizationId })];
    await endpoint({ organizationId, events: [otherType] });
    await endpoint({ organizationId, active: false });
    await endpoint({ organizationId: (await organization()).id });
    const event = eventOf({ organizationId, data: { z: 1, a: { y: [null, 1.5, "\u0000"] } } });
    expect(await units.emit(event, "subscribed")).toBe(2);
    expect(enqueued()).toBe(1);
    const claims = await due();
    expect(claims.map(({ delivery }) => delivery.endpoint.id).toSorted()).toEqual(
      subscribed.map(({ id }) => id).toSorted(),
    );
    for (const { delivery, clock } of claims) {
      expect(delivery).toMatchObject({ event, attempts: 0, dueAt: event.createdAt });
      expect(JSON.stringify(delivery.event.data)).toBe(JSON.stringify(event.data));
      expect(clock).toEqual({ mode: "real" });
    }
    expect(new Set(claims.map(({ delivery }) => delivery.id)).size).toBe(2);
  });

  it("sends an event to one endpoint whatever it subscribes to, unless it is not active", async () => {
    const { units, endpoint, organization, due, ours } = await begin();
    const organizationId = ours.id;
    const one = await endpoint({ organizationId, events: [otherType] });
    const passive = await endpoint({ organizationId, active: false });
    const foreign = await endpoint({ organizationId: (await organization()).id });
    const emit = (endpointId: string) => units.emit(eventOf({ organizationId }), { endpointId });
    expect(await emit(one.id)).toBe(1);
    expect(await emit(passive.id)).toBe(0);
    expect(await emit(foreign.id)).toBe(0);
    expect((await due()).map(({ delivery }) => delivery.endpoint.id)).toEqual([one.id]);
  });

  it("keeps no event that nobody gets", async () => {
    const { units, store, endpoint, enqueued, ours } = await begin();
    await endpoint({ organizationId: ours.id, events: [otherType] });
    expect(await units.emit(eventOf({ organizationId: ours.id }), "subscribed")).toBe(0);
    expect(await countsOf(store, ours.id)).toMatchObject({ events: 0, deliveries: 0 });
    expect(enqueued()).toBe(0);
  });

  it("makes a change of keys and enqueues its event together, or neither", async () => {
    const { units, endpoint, due, ours } = await begin();
    const organizationId = ours.id;
    const [created, rotated, revoked] = [usualType, otherType, thirdType];
    await endpoint({ organizationId, events: [created, rotated, revoked] });
    const event = (type: EventType) => eventOf({ organizationId, type });
    const secret = { plaintext: "", prefix: "q", secretHash: "next" };
    await units.insertKey(newKeyOf(organizationId, "key"), event(created));
    await expect(units.insertKey(newKeyOf(organizationId, "key"), event(created))).rejects.toThrow();
    expect(await units.replaceSecret(organizationId, "key", secret, "next-id", event(rotated))).not.toBeNull();
    expect(await units.replaceSecret(organizationId, "key", secret, "key", event(rotated))).toBeNull();
    expect(await units.revokeKey(organizationId, "next-id", 7, event(revoked))).toMatchObject({ revokedAt: 7 });
    expect(await units.revokeKey(organizationId, "next-id", 8, event(revoked))).toBeNull();
    const types = (await due()).map(({ delivery }) => delivery.event.type);
    expect(types.toSorted()).toEqual([created, rotated, revoked].toSorted());
  });

  it("undoes the change of a key when its event cannot be stored", async () => {
    const { units, store, endpoint, ours } = await begin();
    await endpoint({ organizationId: ours.id });
    const event = eventOf({ organizationId: ours.id, type: usualType });
    await units.emit(event, "subscribed");
    await expect(units.insertKey(newKeyOf(ours.id, "key"), event)).rejects.toThrow();
    expect(await store.key(ours.id, "key")).toBeNull();
  });

  it("changes keys of organizations without endpoints and tells nobody", async () => {
    const { units, store, enqueued, ours } = await begin();
    const event = () => eventOf({ organizationId: ours.id, type: usualType });
    const key = newKeyOf(ours.id, "key");
    await units.insertKey(key, event());
    expect(await store.key(ours.id, "key")).toEqual(key);
    expect(await units.revokeKey(ours.id, "key", 7, event())).toMatchObject({ revokedAt: 7 });
    expect(await units.revokeKey(ours.id, "unknown", 7, event())).toBeNull();
    expect(await countsOf(store, ours.id)).toMatchObject({ events: 0, deliveries: 0 });
    expect(enqueued()).toBe(0);
    await expect(units.insertKey(newKeyOf("gone", "other"), event())).rejects.toThrow();
  });

  it("gives what waited while its endpoint was not active, and tells that it is due", async () => {
    const { units, endpoint, due, enqueued, ours } = await begin();
    const made = await endpoint({ organizationId: ours.id });
    const change = (active: boolean) => units.changeEndpoint(ours.id, made.id, { active }, 5);
    await units.emit(eventOf({ organizationId: ours.id }), "subscribed");
    await change(false);
    expect(await due()).toEqual([]);
    const before = enqueued();
    await change(true);
    expect(enqueued()).toBe(before + 1);
    expect(await due()).toHaveLength(1);
  });

  it("gives each delivery to one of many claimers", async () => {
    const { units, endpoint, due, ours } = await begin();
    const organizationId = ours.id;
    for (let count = 0; count < 4; count++) await endpoint({ organizationId });
    for (let count = 0; count < 10; count++) await units.emit(eventOf({ organizationId }), "subscribed");
    const given: string[] = [];
    for (let round = 0; round < 30 && given.length < 40; round++) {
      const claims = await Promise.all(Array.from({ length: 4 }, () => due({ most: 6, mostPerPartition: 20 })));
      given.push(...claims.flat().map(({ delivery }) => delivery.id));
    }
    expect(given).toHaveLength(40);
    expect(new Set(given).size).toBe(40);
  });

  it("keeps the bound of an endpoint under many claimers", async () => {
    const { units, endpoint, due, ours } = await begin();
    const organizationId = ours.id;
    await endpoint({ organizationId });
    for (let count = 0; count < 20; count++) await units.emit(eventOf({ organizationId }), "subscribed");
    const claims = await Promise.all(Array.from({ length: 8 }, () => due({ mostPerPartition: 3 })));
    expect(claims.flat()).toHaveLength(3);
  });

  it("passes by an endpoint with many deliveries that cannot be made", async () => {
    const { units, endpoint, due, ours } = await begin();
    const organizationId = ours.id;
    const [busy, passive, quiet] = [
      await endpoint({ organizationId }),
      await endpoint({ organizationId }),
      await endpoint({ organizationId }),
    ];
    for (let count = 0; count < 8; count++)
      for (const { id } of [busy, passive])
        await units.emit(eventOf({ organizationId, createdAt: present - 1000 + count }), { endpointId: id });
    await units.changeEndpoint(organizationId, passive.id, { active: false }, 5);
    await units.emit(eventOf({ organizationId }), { endpointId: quiet.id });
    const first = await due({ most: 6, mostPerPartition: 2 });
    expect(first.map(({ delivery }) => delivery.endpoint.id)).toEqual([busy.id, busy.id, quiet.id]);
  });

  it("has the last forced answer stay when it is to, and the next ones replace it", async () => {
    const { units, endpoint, due, ours, settle } = await begin();
    const { id } = await endpoint({ organizationId: ours.id });
    const next = async () => {
      await units.emit(eventOf({ organizationId: ours.id }), "subscribed");
      const [claim] = await due();
      if (claim === undefined) throw new Error("Nothing is due.");
      await settle(claim, attemptOf(claim), null);
      return claim.forced;
    };
    const [bad, worse] = [{ status: 500, body: "\u0000" }, { failure: "timed out" }];
    expect(await units.forceAnswers(ours.id, id, [bad, worse], true)).toBe(true);
    expect([await next(), await next(), await next(), await next()]).toEqual([bad, worse, worse, worse]);
    await units.forceAnswers(ours.id, id, [bad], false);
    expect([await next(), await next()]).toEqual([bad, null]);
    await units.forceAnswers(ours.id, id, [bad], true);
    await units.forceAnswers(ours.id, id, [], false);
    expect(await next()).toBeNull();
    expect(await units.forceAnswers("unknown", id, [bad], false)).toBe(false);
  });

  it("gives each of many that are due at once its own forced answer, and the rest the one that stays", async () => {
    const { units, endpoint, due, ours } = await begin();
    const { id } = await endpoint({ organizationId: ours.id });
    for (let count = 0; count < 4; count++)
      await units.emit(eventOf({ organizationId: ours.id, createdAt: present - 10 + count }), "subscribed");
    await units.forceAnswers(ours.id, id, [{ status: 500 }, { status: 204 }], true);
    const claims = await due();
    expect(claims.map(({ forced }) => forced)).toEqual([500, 204, 204, 204].map((status) => ({ status })));
  });

  it("deletes an organization with its endpoints, events, deliveries and attempts, and no others", async () => {
    const { units, store, webhooks, endpoint, organization, due, record, ours, settle } = await begin();
    const other = await organization();
    const [gone, kept] = [await endpoint({ organizationId: ours.id }), await endpoint({ organizationId: other.id })];
    const [attempt] = await record(gone, [{}]);
    await record(kept, [{}]);
    await units.forceAnswers(ours.id, gone.id, [{ status: 500 }], false);
    await units.replaceOrganizationSecret(ours.id, "a", 0, 0);
    const again = { id: "audit", attemptId: attempt?.id ?? "", eventId: eventOf({ organizationId: ours.id }).id };
    await units.replay(ours.id, { ...again, reason: null, requestedBy: "key", requestedAt: present }, 0);
    const before = await countsOf(store, other.id);
    const [underway] = (await due()).filter(({ delivery }) => delivery.endpoint.id === gone.id);
    expect(await store.deleteOrganization(ours.id)).toEqual(ours);
    if (underway === undefined) throw new Error("Nothing was due.");
    expect(await settle(underway, attemptOf(underway), null)).toBe(false);
    expect(await webhooks.attempts(ours.id, { unanswered: "kept" }, firstPage)).toEqual({ attempts: [], total: 0 });
    expect(await units.attempt(ours.id, attempt?.id ?? "")).toBeNull();
    expect(await webhooks.endpointExists(ours.id, gone.id)).toBe(false);
    expect(await units.insertEndpoint(endpointWith({ organizationId: other.id }))).toBe(true);
    expect(await countsOf(store, other.id)).toMatchObject({
      ...before,
      endpoints: [expect.anything(), expect.anything()],
    });
  });
}
