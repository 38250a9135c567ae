import type { Contract } from "../contract.ts";
import { banner } from "./banner.ts";

/** Names of services and kinds of callers, which stand in for the loose ones of the runtime. */
export function printNames({ services, callers, operations }: Contract): string {
  const open = operations.some(({ caller }) => caller === null);
  return `${banner}/** A service of the contract. */
export type ServiceName = ${services.map(({ name }) => JSON.stringify(name)).join(" | ")};

/** A kind of caller${open ? "; null where an operation names none" : ""}. */
export type CallerKind = ${[...callers.map(({ name }) => JSON.stringify(name)), ...(open ? ["null"] : [])].join(" | ")};
`;
}
