import type { OrganizationRequest } from "../../generated/models/sandbox-organizations.ts";
import type { Arrangement } from "../arrangements/arrangement.ts";

/** Something to authenticate with. */
export interface Credential {
  /** How messages call it, such as "key with apikeys:read". */
  readonly name: string;
  readonly token: string;
  /** Id of the key, when known. */
  readonly id: string | null;
  /** Granted scopes; null when the kit does not know them. */
  readonly scopes: readonly string[] | null;
  readonly tenant: Tenant;
}

/** A credential of which only the secret is known. */
export const bareCredential = (name: string, token: string, tenant: Tenant): Credential => ({
  name,
  token,
  tenant,
  id: null,
  scopes: null,
});

/** One organization of the target, as far as the kit can arrange it. Whatever it cannot throws `Blocked`. */
export interface Tenant {
  /** Null when the kit was not told. */
  readonly id: string | null;
  /** Made for one check, which alone uses it. */
  readonly own: boolean;
  /** The same, with full buckets and a known state: nothing was drawn yet. */
  readonly fresh: boolean;
  /** Its time moves only when the kit moves it. */
  readonly manualClock: boolean;
  /** Its present, in milliseconds since 1970. */
  now(): Promise<number>;
  /** A credential with every scope that the kit can get. */
  main(): Promise<Credential>;
  /** A key with exactly these scopes; cached unless `unused` asks for one that never authenticated. */
  keyWith(scopes: readonly string[], options?: { readonly unused?: boolean }): Promise<Credential>;
  /** Moves the organization's time: its manual clock, or real waiting within the run's leave. */
  advance(seconds: number, why: string): Promise<void>;
  /** Whether `arrange` can do this here. */
  can(arrangement: Arrangement<never, unknown>): boolean;
  /** Does something to the organization that a client of the API cannot. */
  arrange<Input, Output>(arrangement: Arrangement<Input, Output>, input: Input): Promise<Output>;
  /** Ends its use: what can be taken back is, and struck from the ledger. */
  dispose(): Promise<void>;
}

/** What an organization is wanted for: what a sandbox is asked for when it creates one. */
export type TenantWish = OrganizationRequest;
