import type { Choices } from "../../generated/choices.ts";
import { refuse } from "../../generated/error-rows.ts";
import type * as wire from "../../generated/models/sandbox-organizations.ts";
import { operationList } from "../../generated/operations.ts";
import { scopes } from "../../generated/scopes.ts";
import type { SandboxOrganizationsHandlers } from "../../generated/server/sandbox-organizations.ts";
import { latestInstant, timeOf, timestamp } from "../domain/clock.ts";
import { organizationContents, organizationDigest } from "../domain/digest/organization-digest.ts";
import { keyEvent } from "../domain/events/new-event.ts";
import { hashSecret, newSecret } from "../domain/keys/api-key-secret.ts";
import { type ApiKey, isKnownScope, newKey, newKeySecret } from "../domain/keys/api-keys.ts";
import type { Organization } from "../domain/organizations/organization.ts";
import { openingEntries } from "../domain/wallet/wallet.ts";
import type { World } from "../domain/world.ts";
import type { Store } from "../store/store.ts";
import { clockAdvance, type RunDue } from "./advance-clock.ts";
import { arrangeable, filled, newOrganization } from "./arrangements.ts";
import type { SandboxCaller } from "./sandbox-path.ts";
import { unknownOrganization } from "./unknown-organization.ts";

export interface SandboxParts {
  readonly store: Store;
  readonly world: World;
  readonly choices: Choices;
  readonly runDue: RunDue;
}

export function sandboxOrganizationsHandlers(parts: SandboxParts): SandboxOrganizationsHandlers<SandboxCaller> {
  const { store, world, choices } = parts;
  const advance = clockAdvance(parts);
  const nowOf = (organization: Organization) => timeOf(organization.clock, world.now());
  const wireOrganization = (organization: Organization): wire.Organization => ({
    id: organization.id,
    plan: organization.plan,
    kind: organization.kind,
    clock: organization.clock.mode,
    now: timestamp(nowOf(organization)),
  });

  /** A key of whichever organization, and how it is shown, once. */
  const newSandboxKey = (label: string, granted: readonly string[]) => {
    const secret = newKeySecret(world, choices);
    const [id, now] = [world.newId(), world.now()];
    return {
      of: ({ id: organizationId, clock }: Organization): ApiKey =>
        newKey({ id, organizationId, label, scopes: granted, createdAt: timeOf(clock, now) }, secret),
      shown: { id, scopes: [...granted], plaintext: secret.plaintext },
    };
  };

  return {
    async getCapabilities() {
      const operations = operationList.filter(({ service }) => service === "sandbox").map(({ id }) => id);
      return { operations, ...arrangeable };
    },

    async createOrganization({ body }) {
      const organization = newOrganization(body, world);
      if ("row" in organization) return organization;
      const opening = {
        balance: filled(body.wallet_micros, "wallet_micros"),
        spend: filled(body.lifetime_spend_micros, "lifetime_spend_micros"),
      };
      const entries = openingEntries(opening, nowOf(organization), world);
      const key = newSandboxKey("first key", scopes);
      await store.insertOrganization(organization);
      await store.atomically(organization.id, async (tx) => {
        for (const entry of entries) await tx.ledger.append(entry);
        await tx.keys.insert(key.of(organization));
      });
      return { ...wireOrganization(organization), key: key.shown };
    },

    async deleteOrganization({ path }) {
      const deleted = await store.deleteOrganization(path.id);
      return deleted === null ? unknownOrganization() : wireOrganization(deleted);
    },

    async createOrganizationKey({ path, body }) {
      const unknown = body.scopes.find((scope) => !isKnownScope(scope));
      if (unknown !== undefined)
        return refuse.UnknownArrangement("A scope does not exist.", { scopes: "names a scope that does not exist" });
      const key = newSandboxKey(filled(body.label, "label"), body.scopes);
      return store.atomically(path.id, async (tx) => {
        if (tx.organization === null) return unknownOrganization();
        await tx.keys.insert(key.of(tx.organization));
        return key.shown;
      });
    },

    async revokeOrganizationKey({ path }) {
      const now = world.now();
      return store.atomically(path.id, async (tx) => {
        if (tx.organization === null) return unknownOrganization();
        const key = await tx.keys.find(path.key_id);
        if (key === null) return refuse.SandboxNotFound("The organization has no such key.");
        if (key.revokedAt !== null) return refuse.IllegalTransition("The key is revoked already.");
        const at = timeOf(tx.organization.clock, now);
        await tx.keys.update(key.id, { ...key, revokedAt: at });
        const event = keyEvent("revoked", key, at, world, choices);
        if (event !== null) await tx.enqueue(event, "subscribed");
        return { id: key.id, revoked_at: timestamp(at) };
      });
    },

    async createSession({ path, body }) {
      const organization = await store.organization(path.id);
      if (organization === null) return unknownOrganization();
      const token = newSecret("session", world.randomBytes);
      const userId = body.user_id ?? world.newId();
      await store.insertSession({
        id: world.newId(),
        userId,
        organizationId: organization.id,
        tokenHash: hashSecret(token),
        staff: filled(body.staff, "staff"),
        createdAt: nowOf(organization),
      });
      return { token, user_id: userId };
    },

    async advanceClock({ path, body }) {
      const advanced = await advance(path.id, Math.round(body.seconds * 1000));
      switch (advanced.kind) {
        case "advanced":
          return { now: timestamp(advanced.now), settled: advanced.settled };
        case "unknown":
          return unknownOrganization();
        case "real":
          return refuse.IllegalTransition("The organization lives by real time. Create one with a manual clock.");
        case "too-far":
          return refuse.InvalidArrangement("The clock cannot go that far.", {
            seconds: `must leave the clock at or before ${timestamp(latestInstant)}`,
          });
      }
    },

    async getOrganizationState({ path }) {
      // Most who ask want to know what it comes to in the end: a call less for each of them.
      const advanced = await advance(path.id, 0);
      const resources = await store.resources(path.id);
      if (resources === null) return unknownOrganization();
      const { organization, wallet } = resources;
      return {
        now: timestamp(nowOf(organization)),
        wallet_micros: wallet.balance,
        lifetime_spend_micros: wallet.spend,
        digest: organizationDigest(resources),
        contents: organizationContents(resources),
        ...(advanced.kind === "advanced" ? { settled: advanced.settled } : {}),
      };
    },

    async setOutage({ path, body }) {
      return store.atomically(path.id, async (tx) => {
        if (tx.organization === null) return unknownOrganization();
        await tx.setOutage(body.kind, body.calls);
        return { kind: body.kind, calls: body.calls };
      });
    },
  };
}
