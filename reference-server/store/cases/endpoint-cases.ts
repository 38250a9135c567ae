import { expect, it } from "vitest";
import type { Store } from "../store.ts";
import { attemptOf, endpointWith, eventOf, otherType, plenty, present, storeBench } from "./store-bench.ts";

/** What holds of endpoints in every store; each case closes over the store that `open` gives at its beginning. */
export function endpointCases(current: () => Store): void {
  async function begin() {
    const bench = storeBench(current());
    return { ...bench, ours: await bench.organization() };
  }

  it("gives back an endpoint as it was put in, to its own organization only", async () => {
    const { webhooks, endpoint, organization, ours } = await begin();
    const made = await endpoint({ organizationId: ours.id });
    const other = await organization();
    expect(await webhooks.endpoint(ours.id, made.id)).toEqual(made);
    expect(await webhooks.endpoint(other.id, made.id)).toBeNull();
    expect(await webhooks.endpointExists(ours.id, made.id)).toBe(true);
    expect(await webhooks.endpointExists(other.id, made.id)).toBe(false);
  });

  it("admits exactly as many active endpoints as an organization may have, however many come at once", async () => {
    const { store, webhooks, ours } = await begin();
    const made = Array.from({ length: 60 }, () => endpointWith({ organizationId: ours.id }));
    const admitted = await Promise.all(made.map((endpoint) => webhooks.insertEndpoint(endpoint, plenty)));
    expect(admitted.filter(Boolean)).toHaveLength(plenty);
    const stored = (await store.resources(ours.id))?.webhooks.endpoints ?? [];
    const kept = made.filter((_, index) => admitted[index]).map(({ id }) => id);
    expect(stored.map(({ id }) => id).toSorted()).toEqual(kept.toSorted());
  });

  it("counts only active endpoints of the organization, and those that become active again", async () => {
    const { webhooks, endpoint, organization, ours } = await begin();
    const other = await organization();
    await endpoint({ organizationId: other.id });
    const [deleted, passive] = [
      await endpoint({ organizationId: ours.id }),
      await endpoint({ organizationId: ours.id, active: false }),
    ];
    const one = () => webhooks.insertEndpoint(endpointWith({ organizationId: ours.id }), 1);
    expect(await one()).toBe(false);
    expect(await webhooks.changeEndpoint(ours.id, passive.id, { active: true }, 5, 1)).toBe("too-many");
    expect(await webhooks.changeEndpoint(ours.id, deleted.id, { active: true }, 5, 1)).toMatchObject({ active: true });
    await webhooks.deleteEndpoint(ours.id, deleted.id, 5);
    const [changed, ...inserted] = await Promise.all([
      webhooks.changeEndpoint(ours.id, passive.id, { active: true }, 5, 1),
      one(),
      one(),
    ]);
    const admitted = [changed !== "too-many", ...inserted];
    expect(admitted.filter(Boolean)).toHaveLength(1);
  });

  it("changes what is asked for and nothing else", async () => {
    const { webhooks, endpoint, organization, ours } = await begin();
    const made = await endpoint({ organizationId: ours.id });
    const change = (changes: object, at: number) => webhooks.changeEndpoint(ours.id, made.id, changes, at, plenty);
    expect(await change({ active: false }, 5)).toEqual({ ...made, active: false, updatedAt: 5 });
    const events = [otherType] as const;
    expect(await change({ events }, 6)).toEqual({ ...made, active: false, events, updatedAt: 6 });
    const secret = "bmV3";
    const rotated = { ...made, active: false, events, secret, updatedAt: 7 };
    expect(await webhooks.replaceEndpointSecret(ours.id, made.id, secret, 7)).toEqual(rotated);
    expect(await webhooks.endpoint(ours.id, made.id)).toEqual(rotated);
    const other = await organization();
    expect(await webhooks.changeEndpoint(other.id, made.id, { events }, 8, plenty)).toBeNull();
    expect(await webhooks.replaceEndpointSecret(other.id, made.id, "x", 8)).toBeNull();
    expect(await webhooks.deleteEndpoint(other.id, made.id, 8)).toBeNull();
    expect(await webhooks.endpoint(ours.id, made.id)).toEqual(rotated);
  });

  it("deletes an endpoint once, with what is on its way, and what was on its way to it is never given", async () => {
    const { webhooks, endpoint, due, settle, ours } = await begin();
    const made = await endpoint({ organizationId: ours.id });
    for (let count = 0; count < 3; count++) await webhooks.emit(eventOf({ organizationId: ours.id }), "subscribed");
    const [underway] = await due({ most: 1 });
    const deleted = { ...made, active: false, updatedAt: 5, deletedAt: 5 };
    expect(await webhooks.deleteEndpoint(ours.id, made.id, 5)).toEqual(deleted);
    expect(await webhooks.deleteEndpoint(ours.id, made.id, 6)).toBeNull();
    expect(await webhooks.endpoint(ours.id, made.id)).toBeNull();
    expect(await webhooks.endpointExists(ours.id, made.id)).toBe(true);
    expect(await webhooks.changeEndpoint(ours.id, made.id, { active: true }, 7, plenty)).toBeNull();
    expect(await webhooks.replaceEndpointSecret(ours.id, made.id, "x", 7)).toBeNull();
    expect(await webhooks.forceAnswers(ours.id, made.id, [], false)).toBe(false);
    expect(await webhooks.emit(eventOf({ organizationId: ours.id }), "subscribed")).toBe(0);
    expect(await webhooks.emit(eventOf({ organizationId: ours.id }), { endpointId: made.id })).toBe(0);
    // The attempt that was under way is recorded all the same.
    if (underway === undefined) throw new Error("Nothing was due.");
    expect(await settle(underway, attemptOf(underway, { outcome: "retry" }), present)).toBe(true);
    expect(await due({ now: present + 10, leaseUntil: present + 11 })).toEqual([]);
    expect(await webhooks.countAttempts(ours.id, { endpointId: made.id, unanswered: "kept" })).toBe(1);
  });

  it("keeps the organization's secrets: the first as given, replaced ones for their time", async () => {
    const { webhooks, ours } = await begin();
    const first = await Promise.all(["a", "b", "c"].map((secret) => webhooks.organizationSecrets(ours.id, secret)));
    const [{ current } = { current: "" }] = first;
    expect(["a", "b", "c"]).toContain(current);
    expect(first).toEqual(Array(3).fill({ current, previous: [] }));
    const second = { current: "d", previous: [{ secret: current, validUntil: 300 }] };
    expect(await webhooks.replaceOrganizationSecret(ours.id, "d", 0, 300)).toEqual(second);
    const third = { current: "e", previous: [{ secret: "d", validUntil: 310 }, ...second.previous] };
    expect(await webhooks.replaceOrganizationSecret(ours.id, "e", 10, 310)).toEqual(third);
    expect(await webhooks.organizationSecrets(ours.id, "x")).toEqual(third);
    const fourth = { current: "f", previous: [{ secret: "e", validUntil: 605 }, third.previous[0]] };
    expect(await webhooks.replaceOrganizationSecret(ours.id, "f", 305, 605)).toEqual(fourth);
  });

  it("has no previous secret after the first rotation of an organization that never used one", async () => {
    const { webhooks, organization } = await begin();
    const { id } = await organization();
    expect(await webhooks.replaceOrganizationSecret(id, "a", 0, 300)).toEqual({ current: "a", previous: [] });
  });

  it("loses no rotation of many at once, and keeps a bounded number", async () => {
    const { webhooks, ours } = await begin();
    const names = Array.from({ length: 30 }, (_, index) => `secret-${index}`);
    await Promise.all(names.map((name) => webhooks.replaceOrganizationSecret(ours.id, name, 0, 300)));
    const { current, previous } = await webhooks.organizationSecrets(ours.id, "x");
    expect(previous).toHaveLength(10);
    expect(new Set([current, ...previous.map(({ secret }) => secret)]).size).toBe(11);
  });

  it("gives every server the same key of cursors", async () => {
    const { webhooks } = await begin();
    const given = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte));
    const [first, ...others] = await Promise.all(given.map((key) => webhooks.cursorKey(key)));
    expect(given.map((key) => [...key])).toContainEqual([...(first ?? [])]);
    for (const other of others) expect(other).toEqual(first);
  });

  it("shows secrets among the resources as hashes only", async () => {
    const { store, webhooks, endpoint, ours } = await begin();
    const made = await endpoint({ organizationId: ours.id });
    await webhooks.organizationSecrets(ours.id, "bXkgc2VjcmV0");
    const text = JSON.stringify(await store.resources(ours.id));
    expect(text).toContain(made.id);
    for (const secret of [made.secret, "bXkgc2VjcmV0"]) expect(text).not.toContain(secret);
  });
}
