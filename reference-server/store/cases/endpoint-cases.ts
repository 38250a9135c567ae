import { expect, it } from "vitest";
import { mostEndpoints } from "../../domain/endpoints/new-endpoint.ts";
import type { Store } from "../store.ts";
import { attemptOf, endpointWith, eventOf, firstPage, otherType, present, storeBench } from "./store-bench.ts";

/** What holds of endpoints in every store; each case closes over the store that `open` gives at its beginning. */
export function endpointCases(current: () => Store): void {
  async function begin() {
    const bench = storeBench(current());
    return { ...bench, ours: await bench.organization() };
  }

  it("gives back an endpoint as it was put in, to its own organization only", async () => {
    const { units, webhooks, endpoint, organization, ours } = await begin();
    const made = await endpoint({ organizationId: ours.id });
    const other = await organization();
    expect(await units.endpoint(ours.id, made.id)).toEqual(made);
    expect(await units.endpoint(other.id, made.id)).toBeNull();
    expect(await webhooks.endpointExists(ours.id, made.id)).toBe(true);
    expect(await webhooks.endpointExists(other.id, made.id)).toBe(false);
  });

  it("admits exactly as many active endpoints as an organization may have, however many come at once", async () => {
    const { units, store, ours } = await begin();
    const made = Array.from({ length: 60 }, () => endpointWith({ organizationId: ours.id }));
    const admitted = await Promise.all(made.map((endpoint) => units.insertEndpoint(endpoint)));
    expect(admitted.filter(Boolean)).toHaveLength(mostEndpoints);
    const stored = (await store.resources(ours.id))?.webhooks.endpoints ?? [];
    const kept = made.filter((_, index) => admitted[index]).map(({ id }) => id);
    expect(stored.map(({ id }) => id).toSorted()).toEqual(kept.toSorted());
  });

  it("counts only active endpoints of the organization, and those that become active again", async () => {
    const { units, endpoint, organization, ours } = await begin();
    const other = await organization();
    await endpoint({ organizationId: other.id });
    const [deleted, passive] = [
      await endpoint({ organizationId: ours.id }),
      await endpoint({ organizationId: ours.id, active: false }),
    ];
    expect(await units.countActive(ours.id)).toBe(1);
    await units.changeEndpoint(ours.id, passive.id, { active: true }, 5);
    expect(await units.countActive(ours.id)).toBe(2);
    await units.deleteEndpoint(ours.id, deleted.id, 5);
    expect(await units.countActive(ours.id)).toBe(1);
  });

  it("changes what is asked for and nothing else", async () => {
    const { units, endpoint, organization, ours } = await begin();
    const made = await endpoint({ organizationId: ours.id });
    const change = (changes: object, at: number) => units.changeEndpoint(ours.id, made.id, changes, at);
    expect(await change({ active: false }, 5)).toEqual({ ...made, active: false, updatedAt: 5 });
    const events = [otherType] as const;
    expect(await change({ events }, 6)).toEqual({ ...made, active: false, events, updatedAt: 6 });
    const secret = "bmV3";
    const rotated = { ...made, active: false, events, secret, updatedAt: 7 };
    expect(await units.replaceEndpointSecret(ours.id, made.id, secret, 7)).toEqual(rotated);
    expect(await units.endpoint(ours.id, made.id)).toEqual(rotated);
    const other = await organization();
    expect(await units.changeEndpoint(other.id, made.id, { events }, 8)).toBeNull();
    expect(await units.replaceEndpointSecret(other.id, made.id, "x", 8)).toBeNull();
    expect(await units.deleteEndpoint(other.id, made.id, 8)).toBeNull();
    expect(await units.endpoint(ours.id, made.id)).toEqual(rotated);
  });

  it("deletes an endpoint once, with what is on its way, and what was on its way to it is never given", async () => {
    const { units, webhooks, endpoint, due, ours, settle } = await begin();
    const made = await endpoint({ organizationId: ours.id });
    for (let count = 0; count < 3; count++) await units.emit(eventOf({ organizationId: ours.id }), "subscribed");
    const [underway] = await due({ most: 1 });
    const deleted = { ...made, active: false, updatedAt: 5, deletedAt: 5 };
    expect(await units.deleteEndpoint(ours.id, made.id, 5)).toEqual(deleted);
    expect(await units.deleteEndpoint(ours.id, made.id, 6)).toBeNull();
    expect(await units.endpoint(ours.id, made.id)).toBeNull();
    expect(await webhooks.endpointExists(ours.id, made.id)).toBe(true);
    expect(await units.changeEndpoint(ours.id, made.id, { active: true }, 7)).toBeNull();
    expect(await units.replaceEndpointSecret(ours.id, made.id, "x", 7)).toBeNull();
    expect(await units.forceAnswers(ours.id, made.id, [], false)).toBe(false);
    expect(await units.emit(eventOf({ organizationId: ours.id }), "subscribed")).toBe(0);
    expect(await units.emit(eventOf({ organizationId: ours.id }), { endpointId: made.id })).toBe(0);
    // The attempt that was under way is recorded all the same.
    if (underway === undefined) throw new Error("Nothing was due.");
    expect(await settle(underway, attemptOf(underway, { outcome: "retry" }), present)).toBe(true);
    expect(await due({ now: present + 10, leaseUntil: present + 11 })).toEqual([]);
    const { total } = await webhooks.attempts(ours.id, { endpointId: made.id, unanswered: "kept" }, firstPage);
    expect(total).toBe(1);
  });

  it("keeps the organization's secrets: the first as given, replaced ones for their time", async () => {
    const { units, ours } = await begin();
    expect(await units.organizationSecrets(ours.id)).toBeNull();
    const replace = (secret: string, at: number, until: number) =>
      units.replaceOrganizationSecret(ours.id, secret, at, until);
    expect(await replace("c", 0, 300)).toEqual({ current: "c", previous: [] });
    const second = { current: "d", previous: [{ secret: "c", validUntil: 300 }] };
    expect(await replace("d", 0, 300)).toEqual(second);
    const third = { current: "e", previous: [{ secret: "d", validUntil: 310 }, ...second.previous] };
    expect(await replace("e", 10, 310)).toEqual(third);
    expect(await units.organizationSecrets(ours.id)).toEqual(third);
    const fourth = { current: "f", previous: [{ secret: "e", validUntil: 605 }, third.previous[0]] };
    expect(await replace("f", 305, 605)).toEqual(fourth);
  });

  it("loses no rotation of many at once, and keeps a bounded number", async () => {
    const { units, ours } = await begin();
    const names = Array.from({ length: 30 }, (_, index) => `secret-${index}`);
    await Promise.all(names.map((name) => units.replaceOrganizationSecret(ours.id, name, 0, 300)));
    const secrets = await units.organizationSecrets(ours.id);
    expect(secrets?.previous).toHaveLength(10);
    expect(new Set([secrets?.current, ...(secrets?.previous ?? []).map(({ secret }) => secret)]).size).toBe(11);
  });

  it("gives every server the same key of cursors", async () => {
    const { store } = await begin();
    const given = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte));
    const [first, ...others] = await Promise.all(given.map((key) => store.serverSecret("cursor-key", key)));
    expect(given.map((key) => [...key])).toContainEqual([...(first ?? [])]);
    for (const other of others) expect(other).toEqual(first);
  });

  it("shows secrets among the resources as hashes only", async () => {
    const { units, store, endpoint, ours } = await begin();
    const made = await endpoint({ organizationId: ours.id });
    await units.replaceOrganizationSecret(ours.id, "bXkgc2VjcmV0", 0, 0);
    const text = JSON.stringify(await store.resources(ours.id));
    expect(text).toContain(made.id);
    for (const secret of [made.secret, "bXkgc2VjcmV0"]) expect(text).not.toContain(secret);
  });
}
