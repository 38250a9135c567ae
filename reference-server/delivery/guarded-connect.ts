import type { LookupAddress, LookupOptions } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { buildConnector } from "undici";
import { type AddressPolicy, admitsAddress } from "./address-guard.ts";
import type { ResolveName } from "./resolve-name.ts";

/** The server may not connect there. Says nothing of what it found, which would map the network inside. */
export class AddressBlocked extends Error {
  readonly code = "ADDRESS_BLOCKED";

  constructor() {
    super("The host name or address does not lead to a public address.");
    this.name = "AddressBlocked";
  }
}

/** Nobody knows the name, or nobody could be asked. */
export class NameUnresolved extends Error {
  readonly code = "NAME_UNRESOLVED";

  constructor(cause: unknown) {
    super("The host name could not be resolved.", { cause });
    this.name = "NameUnresolved";
  }
}

/**
 * Connects only where the policy admits. An address that stands in the URL is checked as it is, a name by all that it
 * resolves to; the connection goes to one of the very addresses that were checked, since nothing asks again.
 */
export function guardedConnect(
  policy: AddressPolicy,
  resolve: ResolveName,
  connectMilliseconds: number,
): buildConnector.connector {
  const connect = buildConnector({
    lookup: guardedLookup(policy, resolve),
    timeout: connectMilliseconds,
    autoSelectFamily: true,
    allowH2: false,
  });
  return (options, callback) => {
    // Node looks no literal address up, so the guard in the look-up would never see it.
    if (isIP(options.hostname) !== 0 && !admitsAddress(options.hostname, policy)) callback(new AddressBlocked(), null);
    else connect(options, callback);
  };
}

/** A look-up for sockets. One bad address is enough to refuse a name: whoever mixes them is up to something. */
export function guardedLookup(policy: AddressPolicy, resolve: ResolveName): LookupFunction {
  return (name, options, callback) => {
    resolve(name).then(
      (addresses) => {
        const [first, ...rest] = addresses.map((address) => ({ address, family: isIP(address) }));
        if (first === undefined || !addresses.every((address) => admitsAddress(address, policy)))
          callback(new AddressBlocked(), []);
        else answer(callback, options, [first, ...rest]);
      },
      (problem: unknown) => callback(new NameUnresolved(problem), []),
    );
  };
}

function answer(
  callback: Parameters<LookupFunction>[2],
  options: LookupOptions,
  found: readonly [LookupAddress, ...LookupAddress[]],
): void {
  if (options.all) callback(null, [...found]);
  else callback(null, found[0].address, found[0].family);
}
