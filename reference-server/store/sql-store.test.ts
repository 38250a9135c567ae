import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { type ApiKey, newKey } from "../domain/keys/api-keys.ts";
import { newCustomer, type Organization } from "../domain/organizations/organization.ts";
import { newLease, now } from "../testing/queue-bench.ts";
import { queueCases } from "../testing/queue-cases.ts";
import { answerCases } from "./cases/answer-cases.ts";
import { attemptCases } from "./cases/attempt-cases.ts";
import { countCases } from "./cases/count-cases.ts";
import { doubleOptInCases } from "./cases/double-opt-in-cases.ts";
import { endpointCases } from "./cases/endpoint-cases.ts";
import { hostedFormCases } from "./cases/hosted-form-cases.ts";
import { ledgerCases } from "./cases/ledger-cases.ts";
import { drawOf, limitCases } from "./cases/limit-cases.ts";
import { messageCases } from "./cases/message-cases.ts";
import { metricCases } from "./cases/metric-cases.ts";
import { outboxCases } from "./cases/outbox-cases.ts";
import { phoneNumberCases } from "./cases/phone-number-cases.ts";
import { openQueueBench } from "./cases/queue-bench.ts";
import { unitCases } from "./cases/unit-cases.ts";
import { unitsOf } from "./cases/units.ts";
import { openSqlite } from "./engine/sqlite.ts";
import { openTestStore } from "./open-test-store.ts";
import type { Store } from "./store.ts";

const scratch = mkdtempSync(join(tmpdir(), "bylaw-store-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let files = 0;

/** Every place that the project's engine can keep a store in. */
const places: Readonly<Record<string, () => Promise<Store>>> = {
  sqlite: {
    "SQLite in memory": openTestStore,
    "SQLite in a file": () => openSqlite(join(scratch, `${files++}.db`)),
  },
  postgresql: { PostgreSQL: openTestStore },
}[inject("engine")];

describe.each(Object.entries(places))("the store on %s", (_place, open) => {
  let store: Store;
  let units: ReturnType<typeof unitsOf>;
  let ours: Organization;
  let ids = 0;
  const newId = () => `id-${ids++}`;

  const organization = async (more: Partial<Organization> = {}): Promise<Organization> => {
    const made = { ...newCustomer({ newId }), ...more };
    await store.insertOrganization(made);
    return made;
  };
  const key = async (more: Partial<ApiKey> = {}): Promise<ApiKey> => {
    const id = newId();
    const wanted = { id, organizationId: ours.id, label: "ü", scopes: ["a:b", "c:d"], createdAt: 5, ...more };
    const made = { ...newKey(wanted, secretOf(id)), ...more };
    await units.insertKey(made);
    return made;
  };
  const secretOf = (name: string) => ({
    plaintext: "never stored",
    prefix: `prefix-${name}`,
    secretHash: `hash-${name}`,
  });

  beforeEach(async () => {
    store = await open();
    units = unitsOf(store);
    ours = await organization();
  });
  afterEach(() => store.close());

  it("gives back an organization as it was put in", async () => {
    const made = await organization({
      kind: "personal",
      plan: "growth",
      clock: { mode: "manual", at: Date.UTC(2199, 11, 31) },
      limits: { apiKeyWrites: { capacity: 3, periodSeconds: 5 } },
    });
    expect(await store.organization(made.id)).toEqual(made);
    expect(await store.organization("unknown")).toBeNull();
  });

  it("gives back a key to its own organization only, and by its hash with its organization", async () => {
    const made = await key();
    const other = await organization();
    expect(await store.key(ours.id, made.id)).toEqual(made);
    expect(await store.key(other.id, made.id)).toBeNull();
    expect(await store.keyByHash(made.secretHash)).toEqual({ key: made, organization: ours });
    expect(await store.keyByHash("unknown")).toBeNull();
  });

  it("gives back a label as it was put in, whatever characters are in it", async () => {
    for (const label of ["", "\u0000", "a\u0000b\r\n\t\u007f", "'; --", '"', "\\u0000", "\u{1f600}\ufffe\u202e"]) {
      const made = await key({ label });
      expect(await store.key(ours.id, made.id)).toEqual(made);
    }
  });

  it("gives back a session with its organization", async () => {
    const session = {
      id: newId(),
      organizationId: ours.id,
      userId: newId(),
      tokenHash: "t",
      staff: true,
      createdAt: 1,
    };
    await store.insertSession(session);
    expect(await store.sessionByHash("t")).toEqual({ session, organization: ours });
    expect(await store.sessionByHash("u")).toBeNull();
  });

  it("keeps no plaintext", async () => {
    const made = await key();
    await units.replaceSecret(ours.id, made.id, { ...secretOf("next"), plaintext: "svc_live_shown" }, made.id);
    expect(JSON.stringify(await store.resources(ours.id))).not.toContain("svc_live_shown");
  });

  it("replaces a secret, and with it the id if wanted, but not of a revoked or foreign key", async () => {
    const made = await key();
    const other = await organization();
    const next = await units.replaceSecret(ours.id, made.id, secretOf("next"), "next-id");
    expect(next).toEqual({ ...made, id: "next-id", prefix: "prefix-next", secretHash: "hash-next" });
    expect(await store.keyByHash(made.secretHash)).toBeNull();
    expect(await units.replaceSecret(other.id, "next-id", secretOf("x"), "next-id")).toBeNull();
    expect(await units.revokeKey(ours.id, "next-id", 7)).toMatchObject({ revokedAt: 7 });
    expect(await units.replaceSecret(ours.id, "next-id", secretOf("x"), "next-id")).toBeNull();
    expect((await store.key(ours.id, "next-id"))?.secretHash).toBe("hash-next");
  });

  it("revokes a key once", async () => {
    const made = await key();
    expect(await units.revokeKey("unknown", made.id, 7)).toBeNull();
    const revoked = await Promise.all([7, 8, 9].map((at) => units.revokeKey(ours.id, made.id, at)));
    expect(revoked.filter((one) => one !== null)).toHaveLength(1);
  });

  it("notes a use unless a later one is noted", async () => {
    const { id } = await key();
    const noted = async (at: number, unlessAfter: number) => {
      await store.noteKeyUse(id, at, unlessAfter);
      return (await store.key(ours.id, id))?.lastUsedAt;
    };
    expect(await noted(100, 40)).toBe(100);
    expect(await noted(150, 90)).toBe(100);
    expect(await noted(160, 100)).toBe(160);
    expect((await key()).lastUsedAt).toBeNull();
  });

  it("moves the clock of an organization", async () => {
    const manual = await organization({ clock: { mode: "manual", at: 1000 } });
    await store.atomically(manual.id, async (tx) => {
      if (tx.organization?.clock.mode === "manual") await tx.moveClock(tx.organization.clock.at + 40);
    });
    expect((await store.organization(manual.id))?.clock).toEqual({ mode: "manual", at: 1040 });
    expect(await store.organization(ours.id)).toEqual(ours);
  });

  it("uses up an outage exactly", async () => {
    for (const kind of ["unhandled_error", "lookup"] as const) {
      await store.atomically(ours.id, (tx) => tx.setOutage(kind, 3));
      const taken = await Promise.all(Array.from({ length: 10 }, () => store.takeOutage(ours.id, kind)));
      expect(taken.filter(Boolean)).toHaveLength(3);
    }
  });

  it("deletes an organization with all that is its own", async () => {
    const made = await key();
    const other = await organization();
    await store.insertSession({
      id: newId(),
      organizationId: ours.id,
      userId: newId(),
      tokenHash: "t",
      staff: false,
      createdAt: 1,
    });
    await store.draw(ours.id, drawOf({ b: 1 }, { now: 0 }));
    expect(await store.deleteOrganization(ours.id)).toEqual(ours);
    expect(await store.deleteOrganization(ours.id)).toBeNull();
    expect(await store.keyByHash(made.secretHash)).toBeNull();
    expect(await store.sessionByHash("t")).toBeNull();
    expect(await store.resources(ours.id)).toBeNull();
    expect(await store.organization(other.id)).toEqual(other);
  });

  it("refuses a key of an organization that is gone", async () => {
    await expect(key({ organizationId: "gone" })).rejects.toThrow();
  });

  it("has all keys of an organization among its resources", async () => {
    const made = [await key(), await key()];
    const resources = await store.resources(ours.id);
    expect(resources?.organization).toEqual(ours);
    expect(resources?.keys.toSorted((one, two) => (one.id < two.id ? -1 : 1))).toEqual(made);
  });

  describe("units of work", () => unitCases(() => store));
  describe("the ledger", () => ledgerCases(() => store));
  describe("messages", () => messageCases(() => store));
  describe("metrics", () => metricCases(() => store));
  describe("double opt-ins", () => doubleOptInCases(() => store));
  describe("hosted forms", () => hostedFormCases(() => store));
  describe("phone numbers", () => phoneNumberCases(() => store));
  describe("answers for retries", () => answerCases(() => store));
  describe("webhook endpoints", () => endpointCases(() => store));
  describe("events", () => outboxCases(() => store));
  describe("attempts", () => attemptCases(() => store));
  describe("numbers of attempts", () => countCases(() => store));

  describe("limits", () => limitCases(() => store));
});

describe("the store's queue of deliveries", () => {
  queueCases(openQueueBench);

  it("is asked in less than 2 ms where nothing is due, however many partitions wait for their time", async () => {
    const { queue, organization, addWaiting } = await openQueueBench();
    await addWaiting(await organization({ mode: "real" }), 100_000, now + 60_000);
    const times: number[] = [];
    for (let count = 0; count < 50; count++) {
      const from = performance.now();
      const { claims } = await queue.claimDue({ ...newLease(), most: 20, mostPerPartition: 10, taken: new Map() });
      times.push(performance.now() - from);
      expect(claims).toEqual([]);
    }
    // The quickest, since whatever else the machine does only adds to them.
    expect(Math.min(...times)).toBeLessThan(2);
  });
});
