import type { CallInput, CheckContext } from "../context/context.ts";
import { dataOf, type Exchange, objectOf } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Credential, Tenant } from "../provision/tenant.ts";
import { readScope } from "./grantable.ts";

/** A key that has read itself: a call that no limit touches, to be made again with one defect. */
export interface OwnKey {
  /** A key that can do nothing else than read keys. */
  readonly reader: Credential;
  /** The input with which it reads itself. */
  readonly input: CallInput & { readonly path: { readonly id: string } };
  readonly exchange: Exchange;
  /** The organization that the answer names; null when it names none. */
  readonly organizationId: string | null;
}

/** Lets a key read itself; blocks when it cannot. */
export async function ownKey(t: CheckContext, tenant: Tenant): Promise<OwnKey> {
  const reader = await tenant.keyWith([readScope]);
  const input = { path: { id: idOf(reader) } };
  const exchange = t.control(await t.call("getApiKey", input, reader), "a key reading itself");
  const organizationId = objectOf(dataOf(exchange))?.org_id;
  return { reader, input, exchange, organizationId: typeof organizationId === "string" ? organizationId : null };
}

/** The id of a key that the kit had made. */
export function idOf({ id, name }: Credential): string {
  if (id === null)
    throw new Blocked(`the kit does not know the id of the ${name}`, "see the rules on created keys first", "server");
  return id;
}
