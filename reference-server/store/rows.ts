import type { ApiKey } from "../domain/keys/api-keys.ts";
import type { LimitSize } from "../domain/limits/draw.ts";
import type { AutoTopUp } from "../domain/organizations/auto-top-up.ts";
import type { Organization, OrganizationKind } from "../domain/organizations/organization.ts";
import { isQuietHoursMode, type QuietHours } from "../domain/quiet-hours/quiet-hours.ts";
import type { Session } from "./store.ts";
import type { ApiKeyRow, OrganizationRow, SessionRow } from "./tables.ts";

export const rowOfOrganization = (organization: Organization): OrganizationRow => ({
  id: organization.id,
  plan: organization.plan,
  min_topup_cents: organization.minTopUpCents,
  auto_top_up: organization.autoTopUp && JSON.stringify(organization.autoTopUp),
  kind: organization.kind,
  is_reseller: organization.isReseller ? 1 : 0,
  manual_clock: organization.clock.mode === "manual" ? organization.clock.at : null,
  limit_sizes: JSON.stringify(organization.limits),
  quiet_hours: organization.quietHours && JSON.stringify(organization.quietHours),
  outage_calls: organization.outages.unhandled_error,
  lookup_outage_calls: organization.outages.lookup,
  portal_outage_calls: organization.outages.billing_portal,
});

/** Rows of what belongs to an organization have its id as another column. */
export const organizationOf = (row: Omit<OrganizationRow, "id">, id: string): Organization => ({
  id,
  plan: row.plan,
  minTopUpCents: row.min_topup_cents,
  autoTopUp: row.auto_top_up === null ? null : autoTopUpOf(row.auto_top_up),
  kind: kindOf(row.kind),
  isReseller: row.is_reseller === 1,
  clock: row.manual_clock === null ? { mode: "real" } : { mode: "manual", at: row.manual_clock },
  limits: limitsOf(row.limit_sizes),
  quietHours: row.quiet_hours === null ? null : quietHoursOf(row.quiet_hours),
  outages: {
    unhandled_error: row.outage_calls,
    lookup: row.lookup_outage_calls,
    billing_portal: row.portal_outage_calls,
  },
});

export const rowOfKey = (key: ApiKey): ApiKeyRow => ({
  id: key.id,
  organization_id: key.organizationId,
  label: JSON.stringify(key.label),
  prefix: key.prefix,
  secret_hash: key.secretHash,
  scopes: JSON.stringify(key.scopes),
  created_at: key.createdAt,
  last_used_at: key.lastUsedAt,
  revoked_at: key.revokedAt,
});

export const keyOf = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  organizationId: row.organization_id,
  label: labelOf(row.label),
  prefix: row.prefix,
  secretHash: row.secret_hash,
  scopes: scopesOf(row.scopes),
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  revokedAt: row.revoked_at,
});

export const rowOfSession = (session: Session): SessionRow => ({
  id: session.id,
  organization_id: session.organizationId,
  user_id: session.userId,
  token_hash: session.tokenHash,
  staff: session.staff ? 1 : 0,
  created_at: session.createdAt,
});

export const sessionOf = (row: SessionRow): Session => ({
  id: row.id,
  organizationId: row.organization_id,
  userId: row.user_id ?? row.id,
  tokenHash: row.token_hash,
  staff: row.staff === 1,
  createdAt: row.created_at,
});

function kindOf(text: string): OrganizationKind {
  if (text === "personal" || text === "commercial") return text;
  throw new Error(`The database holds an organization of unknown kind ${JSON.stringify(text)}.`);
}

function quietHoursOf(text: string): QuietHours {
  const { mode, start, end } = Object(JSON.parse(text));
  if (isQuietHoursMode(mode) && typeof start === "string" && typeof end === "string") return { mode, start, end };
  throw new Error("The database holds an organization with unreadable quiet hours.");
}

function autoTopUpOf(text: string): AutoTopUp {
  const { productId, threshold } = Object(JSON.parse(text));
  if (typeof productId === "string" && typeof threshold === "number") return { productId, threshold };
  throw new Error("The database holds an organization with an unreadable auto top-up.");
}

function labelOf(text: string): string {
  const label: unknown = JSON.parse(text);
  if (typeof label === "string") return label;
  throw new Error("The database holds a key whose label is no text.");
}

/** Written by `rowOfKey`, so only the shape of the list is looked at again. */
function scopesOf(text: string): readonly string[] {
  const list: unknown = JSON.parse(text);
  if (Array.isArray(list) && list.every((scope) => typeof scope === "string")) return list;
  throw new Error("The database holds a key whose scopes are no list of names.");
}

function limitsOf(text: string): Readonly<Record<string, LimitSize>> {
  const map: unknown = JSON.parse(text);
  if (typeof map !== "object" || map === null) throw new Error("The database holds limits that are no object.");
  return Object.fromEntries(Object.entries(map).map(([name, size]) => [name, sizeOf(size)]));
}

function sizeOf(size: unknown): LimitSize {
  if (typeof size === "object" && size !== null && "capacity" in size && "periodSeconds" in size) {
    const { capacity, periodSeconds } = size;
    if (typeof capacity === "number" && typeof periodSeconds === "number") return { capacity, periodSeconds };
  }
  throw new Error("The database holds a limit without capacity and period.");
}
