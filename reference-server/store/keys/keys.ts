import type { ApiKey } from "../../domain/keys/api-keys.ts";
import type { Organization } from "../../domain/organizations/organization.ts";
import { columns } from "../columns.ts";
import { onceATurn } from "../engine/once-a-turn.ts";
import { type Connection, type Given, insertion, statement } from "../engine/statement.ts";
import { together } from "../engine/together.ts";
import { organizationSettings } from "../organizations/organizations.ts";
import { keyOf, organizationOf, rowOfKey } from "../rows.ts";
import type { ApiKeyRow, OrganizationRow } from "../tables.ts";
import type { Keys } from "../unit-of-work.ts";

const insertKeys = insertion("api_keys", columns.api_keys);

const selectKey = statement((db, given: Given<{ readonly id: string; readonly organizationId: string }>) =>
  db
    .selectFrom("api_keys")
    .select(columns.api_keys)
    .where("id", "=", given("id"))
    .where("organization_id", "=", given("organizationId")),
);

const withOrganization = [
  "api_keys.id",
  "api_keys.organization_id",
  "api_keys.label",
  "api_keys.prefix",
  "api_keys.secret_hash",
  "api_keys.scopes",
  "api_keys.created_at",
  "api_keys.last_used_at",
  "api_keys.revoked_at",
  ...organizationSettings,
] as const;

const selectKeyByHash = statement((db, given: Given<{ readonly secretHash: string }>) =>
  db
    .selectFrom("api_keys")
    .innerJoin("organizations", "organizations.id", "api_keys.organization_id")
    .select(withOrganization)
    .where("secret_hash", "=", given("secretHash")),
);

const selectKeys = statement((db, given: Given<{ readonly ids: readonly string[] }>, { isOneOf }) =>
  db
    .selectFrom("api_keys")
    .select(columns.api_keys)
    .where(isOneOf("id", given("ids"))),
);

const selectKeysByHash = statement((db, given: Given<{ readonly hashes: readonly string[] }>, { isOneOf }) =>
  db
    .selectFrom("api_keys")
    .innerJoin("organizations", "organizations.id", "api_keys.organization_id")
    .select(withOrganization)
    .where(isOneOf("secret_hash", given("hashes"))),
);

// Uses are noted beside units of work: none is undone.
const updateKey = statement((db, given: Given<Omit<ApiKeyRow, "last_used_at"> & { readonly knownBy: string }>) =>
  db
    .updateTable("api_keys")
    .set({
      id: given("id"),
      label: given("label"),
      prefix: given("prefix"),
      secret_hash: given("secret_hash"),
      scopes: given("scopes"),
      created_at: given("created_at"),
      revoked_at: given("revoked_at"),
    })
    .where("id", "=", given("knownBy"))
    .where("organization_id", "=", given("organization_id")),
);

const updateLastUse = statement(
  (db, given: Given<{ readonly id: string; readonly at: number; readonly unlessAfter: number }>) =>
    db
      .updateTable("api_keys")
      .set({ last_used_at: given("at") })
      .where("id", "=", given("id"))
      .where((is) => is.or([is("last_used_at", "is", null), is("last_used_at", "<=", given("unlessAfter"))])),
);

export const keysOf = (on: Connection, organizationId: string): Keys => ({
  find: (id) => findKey(on, organizationId, id),

  async insert(key) {
    await insertKeys.run(on, { rows: [rowOfKey(key)] });
  },

  async update(id, key) {
    await updateKey.run(on, { ...rowOfKey(key), organization_id: organizationId, knownBy: id });
  },
});

export async function findKey(on: Connection, organizationId: string, id: string): Promise<ApiKey | null> {
  const row = await selectKey.first(on, { id, organizationId });
  return row ? keyOf(row) : null;
}

/** Keys as requests read them, outside of units of work. */
export interface KeyReads {
  key(organizationId: string, id: string): Promise<ApiKey | null>;
  byHash(secretHash: string): Promise<FoundKey | null>;
}

interface FoundKey {
  readonly key: ApiKey;
  readonly organization: Organization;
}

/** Every request reads a key or two: where each statement is a way to the database, those of several go together. */
export function keyReadsIn(on: Connection): KeyReads {
  return on.engine.isSynchronous ? readsAtOnce(on) : readsTogether(on);
}

function readsAtOnce(on: Connection): KeyReads {
  const turn = onceATurn();
  return {
    key: (organizationId, id) => findKey(on, organizationId, id),
    async byHash(secretHash) {
      await turn();
      const row = await selectKeyByHash.first(on, { secretHash });
      return row ? foundKey(row) : null;
    },
  };
}

function readsTogether(on: Connection): KeyReads {
  const keyOfId = together(async (ids) => {
    const rows = await selectKeys.rows(on, { ids });
    return new Map(rows.map((row) => [row.id, keyOf(row)]));
  });
  const keyOfHash = together(async (hashes) => {
    const rows = await selectKeysByHash.rows(on, { hashes });
    return new Map(rows.map((row) => [row.secret_hash, foundKey(row)]));
  });
  return {
    async key(organizationId, id) {
      const key = await keyOfId(id);
      return key?.organizationId === organizationId ? key : null;
    },
    byHash: keyOfHash,
  };
}

const foundKey = (row: ApiKeyRow & OrganizationRow): FoundKey => ({
  key: keyOf(row),
  organization: organizationOf(row, row.organization_id),
});

/** Notes a use unless one is noted after `unlessAfter`. */
export async function noteKeyUse(on: Connection, id: string, at: number, unlessAfter: number): Promise<void> {
  await updateLastUse.run(on, { id, at, unlessAfter });
}
