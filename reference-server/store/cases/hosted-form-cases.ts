import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { formBucket, type HostedForm, hashFormToken, newHostedForm } from "../../domain/consent/hosted-form.ts";
import type { Store } from "../store.ts";
import { storeBench } from "./store-bench.ts";

/** What holds of hosted forms in every store. */
export function hostedFormCases(current: () => Store): void {
  function begin() {
    const { store, organization } = storeBench(current());
    return {
      ...{ store, organization },
      async insert(organizationId: string, tokenHash = hashFormToken(randomUUID())): Promise<HostedForm> {
        const wish = { id: randomUUID(), organizationId, phoneNumber: "+12025550130", tokenHash };
        const form = newHostedForm({ ...wish, source: "a\u0000ü", senderName: "\u0000<ü>" }, 5);
        await store.atomically(organizationId, (tx) => tx.hostedForms.insert(form));
        return form;
      },
      find: (organizationId: string, id: string) => store.atomically(organizationId, (tx) => tx.hostedForms.find(id)),
      submit: (organizationId: string, id: string) =>
        store.atomically(organizationId, (tx) => tx.hostedForms.submit(id, 7)),
    };
  }

  it("are found by whoever has the token, and by their id in their organization alone", async () => {
    const { store, organization, insert, find } = begin();
    const [ours, other] = [await organization(), await organization()];
    const form = await insert(ours.id);
    expect(await store.hostedFormByHash(form.tokenHash)).toEqual(form);
    expect(await store.hostedFormByHash(hashFormToken("another"))).toBeNull();
    expect([await find(ours.id, form.id), await find(other.id, form.id)]).toEqual([form, null]);
  });

  it("have a token of their own", async () => {
    const { organization, insert } = begin();
    const [ours, other] = [await organization(), await organization()];
    const { tokenHash } = await insert(ours.id);
    await expect(insert(other.id, tokenHash)).rejects.toThrow();
  });

  it("are submitted in their organization alone", async () => {
    const { store, organization, insert, submit } = begin();
    const [ours, other] = [await organization(), await organization()];
    const form = await insert(ours.id);
    await submit(other.id, form.id);
    expect(await store.hostedFormByHash(form.tokenHash)).toEqual(form);
    await submit(ours.id, form.id);
    expect((await store.resources(ours.id))?.hostedForms).toEqual([{ ...form, submittedAt: 7 }]);
  });

  it("are removed for their number in their organization alone", async () => {
    const { store, organization, insert } = begin();
    const [ours, other] = [await organization(), await organization()];
    const [form, foreign] = [await insert(ours.id), await insert(other.id)];
    await store.atomically(ours.id, (tx) => tx.hostedForms.remove("+12025550131"));
    expect(await store.hostedFormByHash(form.tokenHash)).toEqual(form);
    await store.atomically(ours.id, (tx) => tx.hostedForms.remove(form.phoneNumber));
    expect(await store.hostedFormByHash(form.tokenHash)).toBeNull();
    expect(await store.hostedFormByHash(foreign.tokenHash)).toEqual(foreign);
  });

  it("are pruned a while after they have expired, with the limits on their use", async () => {
    const { store, organization, insert, find } = begin();
    const [ours, manual] = [await organization(), await organization({ clock: { mode: "manual", at: 5 } })];
    const [form, foreign] = [await insert(ours.id), await insert(manual.id)];
    const draw = (bucket: string) => {
      const draws = [{ bucket, size: { capacity: 1, periodSeconds: 60 }, units: 1 }];
      return store.draw(ours.id, { algorithm: "token-bucket", now: 5, draws });
    };
    for (const bucket of [formBucket(form.id), "other"]) expect((await draw(bucket)).admitted).toBe(true);
    const retention = { eventsBefore: 0, attemptsBefore: 0, answersUntil: 0 };
    expect(await store.retention.prune({ ...retention, consentRequestsBefore: form.expiresAt }, 1000)).toBe(0);
    expect((await draw(formBucket(form.id))).admitted).toBe(false);
    const all = { ...retention, consentRequestsBefore: form.expiresAt + 1 };
    expect(await store.retention.prune(all, 1000)).toBe(1);
    expect([await find(ours.id, form.id), await find(manual.id, foreign.id)]).toEqual([null, foreign]);
    expect((await draw(formBucket(form.id))).admitted).toBe(true);
    expect((await draw("other")).admitted).toBe(false);
    await store.retention.pruneOrganization(manual.id, all);
    expect(await find(manual.id, foreign.id)).toBeNull();
  });

  it("go with their organization", async () => {
    const { store, organization, insert } = begin();
    const ours = await organization();
    const { tokenHash } = await insert(ours.id);
    await store.deleteOrganization(ours.id);
    expect(await store.hostedFormByHash(tokenHash)).toBeNull();
  });
}
