import type { EventType } from "../../generated/events.ts";

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
  /** Millionths of a US dollar. */
  readonly walletMicros: number;
  readonly lifetimeSpendMicros: number;
  /** Equal as long as no resource and no money of the organization changed. */
  readonly digest: string;
}

/** An event that the kit made happen. */
export interface MadeEvent {
  readonly type: EventType;
  /** Null when the kit was not told. */
  readonly id: string | null;
}

/** What an attempt meets in place of the receiver: an answer, or none. */
export type ForcedAnswer =
  | { readonly status: number; readonly body?: string }
  | { readonly noAnswer: "timeout" | "refused" | "reset" };

/** What changes about a webhook endpoint; what is left out stays. */
export interface EndpointChange {
  readonly active?: boolean;
  readonly events?: readonly EventType[];
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
  /** Whether `emit` works. */
  readonly canEmit: boolean;
  /** Makes an event of that type happen in the organization. */
  emit(type: EventType, data?: Readonly<Record<string, unknown>>): Promise<MadeEvent>;
  /** Whether `changeEndpoint` works. */
  readonly canChangeEndpoint: boolean;
  changeEndpoint(endpointId: string, change: EndpointChange): Promise<void>;
  /** Whether `forceAnswers` works. */
  readonly canForceAnswers: boolean;
  /** Sets what the next attempts at an endpoint meet, in order, in place of what was set before; nothing is sent for these. */
  forceAnswers(
    endpointId: string,
    answers: readonly ForcedAnswer[],
    options?: {
      /** The last answer stays for all later attempts. */
      readonly repeatLast?: boolean;
    },
  ): Promise<void>;
  /** Whether `sendCallback` works. */
  readonly canSendCallback: boolean;
  /** Sends something signed with the organization's secret to that address, and waits for its answer. */
  sendCallback(url: string): Promise<void>;
  /** Makes the next `calls` calls of the organization fail inside the server. */
  failNextCalls(calls: number): Promise<void>;
  /** Ends its use: what can be taken back is, and struck from the ledger. */
  dispose(): Promise<void>;
}

/** What an organization is wanted for. */
export interface TenantWish {
  /** Time that only the kit moves, where the target can give it; real time otherwise. */
  readonly manualClock?: boolean;
  /** Bucket name to another size. */
  readonly limits?: Readonly<Record<string, { readonly capacity: number; readonly periodSeconds: number }>>;
}
