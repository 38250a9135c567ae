import type { operations } from "../../generated/operations.ts";
import type { Check } from "../context/check.ts";
import type { CallInput, CheckContext } from "../context/context.ts";
import type { Draws } from "../context/draws.ts";
import type { ApiOperationId } from "../context/for-each-operation.ts";
import type { Credential, Tenant } from "../provision/tenant.ts";

/** Makes an input with which a caller of this organization who holds all scopes succeeds. */
export type MakeInput =
  /** `holding` are scopes of whoever is to call, for what only their holder may ask for. */
  (t: CheckContext, tenant: Tenant, holding: readonly string[]) => Promise<CallInput>;

/** How to make sound inputs of an operation, and what each one takes beside the call itself. */
export interface InputMaker extends Partial<Pick<Check, "draws" | "sharedKeys" | "effects">> {
  readonly make: MakeInput;
  /** Makes an update of every optional property that the contract has. Each value differs from what this caller reads. */
  readonly makeWide?: (t: CheckContext, tenant: Tenant, as: Credential) => Promise<CallInput>;
}

/** The same of a list, and how to make something that it shows. */
export interface ListMaker extends InputMaker {
  /** Makes a record of the list, which may show a moment later. */
  readonly add: (t: CheckContext, tenant: Tenant) => Promise<void>;
  /** What to make one takes. */
  readonly addDraws: Draws;
}

/** What makes sound inputs of every operation of a resource: one that is left out does not pass the type check. */
export type SoundInputs<Resource extends string> = {
  readonly [Id in ApiOperationId as (typeof operations)[Id]["resource"] extends Resource
    ? Id
    : never]: (typeof operations)[Id]["list"] extends true ? ListMaker : InputMaker;
};
