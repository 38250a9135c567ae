import { timeOf } from "../clock.ts";
import type { Retry } from "../idempotency/kept-answer.ts";
import type { Organization } from "./organization.ts";

/** Who makes a call, once authenticated, and for which organization. */
export type Caller = (KeyCaller | SessionCaller) & {
  /** What makes the call another try of one before it, where the client says so. */
  readonly retry?: Retry;
};

export interface KeyCaller {
  readonly kind: "key";
  /** Of the key. */
  readonly id: string;
  readonly organization: Organization;
  readonly scopes: ReadonlySet<string>;
}

/** A signed-in user. Sessions hold every scope; staff may act in another organization. */
export interface SessionCaller {
  readonly kind: "session";
  /** Of the session. */
  readonly id: string;
  readonly userId: string;
  readonly staff: boolean;
  readonly organization: Organization;
}

export function holds(caller: Caller, scope: string): boolean {
  switch (caller.kind) {
    case "key":
      return caller.scopes.has(scope);
    case "session":
      return true;
  }
}

/** For whom a caller acts: a session for its user; a key for the organization's owner, for whom all keys act. */
export const userIdOf = (caller: Caller): string =>
  caller.kind === "session" ? caller.userId : caller.organization.id;

export const isStaff = (caller: Caller): boolean => caller.kind === "session" && caller.staff;

/** The present of the caller's organization, in milliseconds since 1970. */
export const callerTime = (caller: Caller, worldNow: number): number => timeOf(caller.organization.clock, worldNow);
