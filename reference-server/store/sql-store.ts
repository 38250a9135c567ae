import type { Kysely, UpdateObject } from "kysely";
import type { ApiKey, NewSecret } from "../domain/api-keys.ts";
import type { Draw } from "../domain/draw.ts";
import type { DueWorkQueue } from "../domain/due-work.ts";
import type { Event } from "../domain/event.ts";
import type { Organization } from "../domain/organization.ts";
import type { OrganizationResources } from "../domain/organization-digest.ts";
import { type CompiledRead, compiledRead, place } from "./compiled-read.ts";
import { limitReturn, limitUpdate } from "./limit-update.ts";
import { readResources } from "./read-resources.ts";
import type { RowLocks } from "./row-locks.ts";
import { keyOf, organizationOf, rowOfKey, rowOfOrganization, rowOfSession, sessionOf } from "./rows.ts";
import { deliveryWork } from "./sql-delivery-work.ts";
import { SqlDueWork } from "./sql-due-work.ts";
import { SqlOutbox } from "./sql-outbox.ts";
import { sqlWebhooks } from "./sql-webhooks.ts";
import type { Drawn, Session, Store } from "./store.ts";
import type { ApiKeyRow, OrganizationRow, Tables } from "./tables.ts";
import type { WebhookStore } from "./webhook-store.ts";

/** All columns of an organization but its id, which whatever belongs to it has as `organization_id`. */
const organizationColumns = [
  "organizations.plan",
  "organizations.kind",
  "organizations.lifetime_spend_cents",
  "organizations.wallet_cents",
  "organizations.manual_clock",
  "organizations.limit_sizes",
  "organizations.outage_calls",
] as const;

const keyColumns = [
  "id",
  "organization_id",
  "label",
  "prefix",
  "secret_hash",
  "scopes",
  "created_at",
  "last_used_at",
  "revoked_at",
] as const satisfies readonly (keyof ApiKeyRow)[];

/** The store over any SQL engine that Kysely speaks to. What differs between engines is in the engine's file. */
export class SqlStore implements Store {
  readonly webhooks: WebhookStore;
  readonly dueWork: DueWorkQueue;
  readonly #db: Kysely<Tables>;
  readonly #outbox: SqlOutbox;
  readonly #readKey: CompiledRead<ApiKeyRow>;
  readonly #readKeyByHash: CompiledRead<ApiKeyRow & Omit<OrganizationRow, "id">>;

  constructor(db: Kysely<Tables>, locks: RowLocks) {
    this.#db = db;
    this.#outbox = new SqlOutbox(db, locks);
    this.webhooks = sqlWebhooks(db, locks, this.#outbox);
    this.dueWork = new SqlDueWork(db, locks, { delivery: deliveryWork(locks) });
    const keys = db.selectFrom("api_keys").selectAll("api_keys");
    this.#readKey = compiledRead(db, keys.where("id", "=", place).where("organization_id", "=", place));
    this.#readKeyByHash = compiledRead(
      db,
      keys
        .innerJoin("organizations", "organizations.id", "api_keys.organization_id")
        .select(organizationColumns)
        .where("secret_hash", "=", place),
    );
  }

  onEnqueued(listener: () => void): void {
    this.#outbox.onEnqueued(listener);
  }

  async insertOrganization(organization: Organization): Promise<void> {
    await this.#db.insertInto("organizations").values(rowOfOrganization(organization)).execute();
  }

  async organization(id: string): Promise<Organization | null> {
    const row = await this.#db.selectFrom("organizations").selectAll().where("id", "=", id).executeTakeFirst();
    return row ? organizationOf(row) : null;
  }

  async deleteOrganization(id: string): Promise<Organization | null> {
    return this.#db.transaction().execute(async (db) => {
      const row = await db.deleteFrom("organizations").where("id", "=", id).returningAll().executeTakeFirst();
      // With its deliveries gone, no further attempt is recorded.
      await db.deleteFrom("delivery_attempts").where("organization_id", "=", id).execute();
      return row ? organizationOf(row) : null;
    });
  }

  async advanceClock(id: string, milliseconds: number, latest: number): Promise<Organization | null> {
    const row = await this.#db
      .updateTable("organizations")
      .set((at) => ({ manual_clock: at("manual_clock", "+", milliseconds) }))
      .where("id", "=", id)
      .where("manual_clock", "<=", latest - milliseconds)
      .returningAll()
      .executeTakeFirst();
    return row ? organizationOf(row) : null;
  }

  async setOutage(organizationId: string, calls: number): Promise<boolean> {
    const row = await this.#db
      .updateTable("organizations")
      .set({ outage_calls: calls })
      .where("id", "=", organizationId)
      .returning("id")
      .executeTakeFirst();
    return row !== undefined;
  }

  async takeOutage(organizationId: string): Promise<boolean> {
    const row = await this.#db
      .updateTable("organizations")
      .set((at) => ({ outage_calls: at("outage_calls", "-", 1) }))
      .where("id", "=", organizationId)
      .where("outage_calls", ">", 0)
      .returning("id")
      .executeTakeFirst();
    return row !== undefined;
  }

  async insertKey(key: ApiKey, event?: Event): Promise<void> {
    const row = rowOfKey(key);
    await this.#outbox.tell(event, async (db, condition) => {
      const inserted = await db
        .insertInto("api_keys")
        .columns(keyColumns)
        .expression(
          db.selectNoFrom(({ val }) => keyColumns.map((column) => val(row[column]).as(column))).where(condition),
        )
        .returning("id")
        .executeTakeFirst();
      return inserted ?? null;
    });
  }

  async key(organizationId: string, id: string): Promise<ApiKey | null> {
    const row = await this.#readKey(id, organizationId);
    return row ? keyOf(row) : null;
  }

  async keyByHash(secretHash: string): Promise<{ key: ApiKey; organization: Organization } | null> {
    const row = await this.#readKeyByHash(secretHash);
    return row ? { key: keyOf(row), organization: organizationOf({ ...row, id: row.organization_id }) } : null;
  }

  async replaceSecret(
    organizationId: string,
    id: string,
    secret: NewSecret,
    nextId: string,
    event?: Event,
  ): Promise<ApiKey | null> {
    const changes = { id: nextId, prefix: secret.prefix, secret_hash: secret.secretHash };
    return this.#changeLivingKey(organizationId, id, changes, event);
  }

  async revokeKey(organizationId: string, id: string, at: number, event?: Event): Promise<ApiKey | null> {
    return this.#changeLivingKey(organizationId, id, { revoked_at: at }, event);
  }

  /** Null when there is no such key that is not revoked. */
  async #changeLivingKey(
    organizationId: string,
    id: string,
    changes: UpdateObject<Tables, "api_keys">,
    event: Event | undefined,
  ): Promise<ApiKey | null> {
    const row = await this.#outbox.tell(event, async (db, condition) => {
      const changed = await db
        .updateTable("api_keys")
        .set(changes)
        .where("id", "=", id)
        .where("organization_id", "=", organizationId)
        .where("revoked_at", "is", null)
        .where(condition)
        .returningAll()
        .executeTakeFirst();
      return changed ?? null;
    });
    return row ? keyOf(row) : null;
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

  async draw(organizationId: string, bucket: string, draw: Draw): Promise<Drawn> {
    const name = limitName(bucket, draw);
    const { fresh, next, admitted } = limitUpdate(draw);
    const drawn = await this.#db
      .insertInto("limits")
      .values({ organization_id: organizationId, name, ...fresh })
      .onConflict((conflict) => conflict.columns(["organization_id", "name"]).doUpdateSet(next).where(admitted))
      .returning("mark")
      .executeTakeFirst();
    if (drawn) return { admitted: true };
    // Only tells how long to wait: nothing is decided by it.
    const level = await this.#db
      .selectFrom("limits")
      .select(["mark", "used", "earlier"])
      .where("organization_id", "=", organizationId)
      .where("name", "=", name)
      .executeTakeFirst();
    return { admitted: false, level: level ?? fresh };
  }

  async giveBack(organizationId: string, bucket: string, draw: Draw): Promise<void> {
    const { next, where } = limitReturn(draw);
    await this.#db
      .updateTable("limits")
      .set(next)
      .where("organization_id", "=", organizationId)
      .where("name", "=", limitName(bucket, draw))
      .where(where)
      .execute();
  }

  async ping(): Promise<void> {
    await this.#db.selectFrom("organizations").select("id").limit(1).execute();
  }

  async close(): Promise<void> {
    await this.#db.destroy();
  }
}

const limitName = (bucket: string, draw: Draw): string => `${draw.algorithm}:${bucket}`;
