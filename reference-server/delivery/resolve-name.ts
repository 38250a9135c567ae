import { lookup, Resolver } from "node:dns/promises";

/** All addresses of a host name, at least one. Rejects when there is none or nobody could be asked. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/**
 * Asks DNS alone. The system's look-up would also search internal domains, and it occupies one of the few threads of
 * the process while a name server keeps it waiting, so that a few such names would hold up all others.
 */
export function publicNames(): ResolveName {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return unlessNobodys(async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    const failure = answers.find((answer) => answer.status === "rejected");
    if (addresses.length === 0 && failure !== undefined) throw failure.reason;
    return addresses;
  });
}

/** As the machine resolves names, its own table of hosts included. */
export const systemNames: ResolveName = unlessNobodys(async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address),
);

/**
 * Nobody has a name below .example or .invalid (RFC 2606), and tests make up hundreds of them: a name server that takes its
 * time for each would decide how long a delivery takes.
 */
function unlessNobodys(resolve: ResolveName): ResolveName {
  return async (name) => {
    if (/\.(example|invalid)\.?$/i.test(name)) throw new Error(`Nobody has the name ${name}.`);
    return resolve(name);
  };
}
