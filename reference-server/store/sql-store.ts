import type { Kysely } from "kysely";
import type { KeptAnswer, Retry } from "../domain/idempotency/kept-answer.ts";
import type { ApiKey } from "../domain/keys/api-keys.ts";
import type { JointDraw } from "../domain/limits/draw.ts";
import type { Lookup } from "../domain/lookups/lookup.ts";
import type { Organization, OutageKind } from "../domain/organizations/organization.ts";
import type { OrganizationResources } from "../domain/organizations/organization-digest.ts";
import type { Wallet } from "../domain/wallet/wallet.ts";
import type { DueWorkQueue } from "../domain/work/due-work.ts";
import type { WebhookStore } from "./attempts/webhook-store.ts";
import { webhooksIn } from "./attempts/webhooks.ts";
import { type CompiledRead, compiledRead, place } from "./engine/compiled-read.ts";
import type { Engine } from "./engine/engine.ts";
import { findKept } from "./idempotency/kept-answers.ts";
import { SqlLimits } from "./limits/limits.ts";
import { findLookup } from "./lookups/lookups.ts";
import { readResources } from "./organizations/read-resources.ts";
import { retentionIn } from "./retention/prune.ts";
import type { RetentionStore } from "./retention/retention-store.ts";
import { keyOf, organizationOf, rowOfOrganization, rowOfSession, sessionOf } from "./rows.ts";
import { type ServerSecretName, serverSecret } from "./secrets/server-secret.ts";
import { outageColumns, SqlUnits } from "./sql-units.ts";
import type { Drawn, Session, Store } from "./store.ts";
import type { ApiKeyRow, OrganizationRow, Tables } from "./tables.ts";
import type { UnitOfWork } from "./unit-of-work.ts";
import { walletOf } from "./wallet/ledger.ts";
import { deliveryWork } from "./work/delivery-work.ts";
import { SqlDueWork } from "./work/due-work.ts";

const keyColumns = [
  "api_keys.id",
  "api_keys.organization_id",
  "api_keys.label",
  "api_keys.prefix",
  "api_keys.secret_hash",
  "api_keys.scopes",
  "api_keys.created_at",
  "api_keys.last_used_at",
  "api_keys.revoked_at",
] as const;

/** All columns of an organization but its id, which whatever belongs to it has as `organization_id`. */
const organizationColumns = [
  "organizations.plan",
  "organizations.kind",
  "organizations.manual_clock",
  "organizations.limit_sizes",
  "organizations.outage_calls",
  "organizations.lookup_outage_calls",
] as const;

/** The store over any SQL engine that Kysely speaks to. What differs between engines is in the engine's file. */
export class SqlStore implements Store {
  readonly webhooks: WebhookStore;
  readonly retention: RetentionStore;
  readonly dueWork: DueWorkQueue;
  readonly #db: Kysely<Tables>;
  readonly #units: SqlUnits;
  readonly #limits: SqlLimits;
  readonly #readKey: CompiledRead<ApiKeyRow>;
  readonly #readKeyByHash: CompiledRead<ApiKeyRow & Omit<OrganizationRow, "id">>;

  #enqueued: () => void = () => undefined;

  constructor(db: Kysely<Tables>, engine: Engine) {
    this.#db = db;
    this.#units = new SqlUnits(db, engine, () => this.#enqueued());
    this.#limits = new SqlLimits(db, engine);
    this.webhooks = webhooksIn(db);
    this.retention = retentionIn(db, engine);
    this.dueWork = new SqlDueWork(db, engine, { delivery: deliveryWork(engine) });
    const keys = db.selectFrom("api_keys").select(keyColumns);
    this.#readKey = compiledRead(db, engine, keys.where("id", "=", place).where("organization_id", "=", place));
    this.#readKeyByHash = compiledRead(
      db,
      engine,
      keys
        .innerJoin("organizations", "organizations.id", "api_keys.organization_id")
        .select(organizationColumns)
        .where("secret_hash", "=", place),
    );
  }

  onEnqueued(listener: () => void): void {
    this.#enqueued = listener;
  }

  atomically<Result>(organizationId: string, work: (tx: UnitOfWork) => Promise<Result>): Promise<Result> {
    return this.#units.atomically(organizationId, work);
  }

  async insertOrganization(organization: Organization): Promise<void> {
    await this.#db.insertInto("organizations").values(rowOfOrganization(organization)).execute();
  }

  async organization(id: string): Promise<Organization | null> {
    const row = await this.#db.selectFrom("organizations").selectAll().where("id", "=", id).executeTakeFirst();
    return row ? organizationOf(row) : null;
  }

  async deleteOrganization(id: string): Promise<Organization | null> {
    // Most of it in portions, so that others wait for none of it longer than for any statement.
    const end = Number.MAX_SAFE_INTEGER;
    await this.retention.pruneOrganization(id, { eventsBefore: end, attemptsBefore: end, answersUntil: end });
    return this.#db.transaction().execute(async (db) => {
      const row = await db.deleteFrom("organizations").where("id", "=", id).returningAll().executeTakeFirst();
      // With its deliveries gone, no further attempt is recorded.
      await db.deleteFrom("delivery_attempts").where("organization_id", "=", id).execute();
      return row ? organizationOf(row) : null;
    });
  }

  async takeOutage(organizationId: string, kind: OutageKind): Promise<boolean> {
    const column = outageColumns[kind];
    const row = await this.#db
      .updateTable("organizations")
      .set((at) => ({ [column]: at(column, "-", 1) }))
      .where("id", "=", organizationId)
      .where(column, ">", 0)
      .returning("id")
      .executeTakeFirst();
    return row !== undefined;
  }

  wallet(organizationId: string): Promise<Wallet> {
    return walletOf(this.#db, organizationId);
  }

  lookup(organizationId: string, id: string): Promise<Lookup | null> {
    return findLookup(this.#db, organizationId, id);
  }

  keptAnswer(organizationId: string, retry: Retry, now: number): Promise<KeptAnswer | null> {
    return findKept(this.#db, organizationId, retry, now);
  }

  async key(organizationId: string, id: string): Promise<ApiKey | null> {
    const row = await this.#readKey(id, organizationId);
    return row ? keyOf(row) : null;
  }

  async keyByHash(secretHash: string): Promise<{ key: ApiKey; organization: Organization } | null> {
    const row = await this.#readKeyByHash(secretHash);
    return row ? { key: keyOf(row), organization: organizationOf({ ...row, id: row.organization_id }) } : null;
  }

  async noteKeyUse(id: string, at: number, unlessAfter: number): Promise<void> {
    await this.#db
      .updateTable("api_keys")
      .set({ last_used_at: at })
      .where("id", "=", id)
      .where((is) => is.or([is("last_used_at", "is", null), is("last_used_at", "<=", unlessAfter)]))
      .execute();
  }

  async resources(organizationId: string): Promise<OrganizationResources | null> {
    // By default PostgreSQL shows each statement of a transaction another instant; SQLite has but this level.
    const transaction = this.#db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
    return transaction.execute((db) => readResources(db, organizationId));
  }

  async insertSession(session: Session): Promise<void> {
    await this.#db.insertInto("sessions").values(rowOfSession(session)).execute();
  }

  async sessionByHash(tokenHash: string): Promise<{ session: Session; organization: Organization } | null> {
    const row = await this.#db
      .selectFrom("sessions")
      .innerJoin("organizations", "organizations.id", "sessions.organization_id")
      .selectAll("sessions")
      .select(organizationColumns)
      .where("token_hash", "=", tokenHash)
      .executeTakeFirst();
    return row ? { session: sessionOf(row), organization: organizationOf({ ...row, id: row.organization_id }) } : null;
  }

  draw(organizationId: string, joint: JointDraw): Promise<Drawn> {
    return this.#limits.draw(organizationId, joint);
  }

  giveBack(organizationId: string, joint: JointDraw): Promise<void> {
    return this.#limits.giveBack(organizationId, joint);
  }

  serverSecret(name: ServerSecretName, first: Uint8Array): Promise<Uint8Array> {
    return serverSecret(this.#db, name, first);
  }

  async ping(): Promise<void> {
    await this.#db.selectFrom("organizations").select("id").limit(1).execute();
  }

  async close(): Promise<void> {
    await this.#db.destroy();
  }
}
