import type { LeftBehind } from "./left-behind.ts";

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

/** What may be compared before and after. */
export interface TenantState {
  readonly walletCents: number;
  readonly lifetimeSpendCents: number;
  /** Equal as long as no resource and no money of the organization changed. */
  readonly digest: string;
}

/** One organization of the target, as far as the kit can arrange it. Whatever it cannot throws `Blocked`. */
export interface Tenant {
  /** Null when the kit was not told. */
  readonly id: string | null;
  /** Used for nothing else, so that its buckets are full and its state is known. */
  readonly fresh: boolean;
  /** Its time moves only when the kit moves it. */
  readonly manualClock: boolean;
  /** A credential with every scope that the kit can get. */
  main(): Promise<Credential>;
  /** A key with exactly these scopes; cached unless `unused` asks for one that never authenticated. */
  keyWith(scopes: readonly string[], options?: { readonly unused?: boolean }): Promise<Credential>;
  /** A key that was revoked. */
  revokedKey(): Promise<Credential>;
  /** Whether `revoke` works. */
  readonly canRevoke: boolean;
  revoke(credential: Credential): Promise<void>;
  session(): Promise<Credential>;
  /** Moves the organization's time: its manual clock, or real waiting within the run's leave. */
  advance(seconds: number, why: string): Promise<void>;
  state(): Promise<TenantState>;
  /** Makes the next `calls` calls of the organization fail inside the server. */
  failNextCalls(calls: number): Promise<void>;
  /** Ends its use and tells what stays behind. */
  dispose(): Promise<readonly LeftBehind[]>;
}

/** What an organization is wanted for. */
export interface TenantWish {
  /** Time that only the kit moves, where the target can give it; real time otherwise. */
  readonly manualClock?: boolean;
  /** Bucket name to another size. */
  readonly limits?: Readonly<Record<string, { readonly capacity: number; readonly periodSeconds: number }>>;
}
