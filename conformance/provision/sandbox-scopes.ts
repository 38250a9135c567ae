/** Whether a sandbox grants a key with exactly these scopes. */
export type Grants = (scopes: readonly string[]) => Promise<boolean>;

/** All scopes that a sandbox grants. */
export type SandboxScopes = (grants: Grants) => Promise<readonly string[]>;

/**
 * Scopes of a key that may do all that a sandbox allows: those that it names, or the document where it names none. Where
 * it refuses them together, each is tried alone and those that it refuses are left out, so that a name which it does not
 * know costs the rules about that name and no others. Found out once.
 */
export function newSandboxScopes(named: readonly string[]): SandboxScopes {
  let found: readonly string[] | null = null;
  return async (grants) => {
    found ??= await grantedOf(named, grants);
    return found;
  };
}

async function grantedOf(named: readonly string[], grants: Grants): Promise<readonly string[]> {
  if (await grants(named)) return named;
  const granted: string[] = [];
  for (const scope of named) if (await grants([scope])) granted.push(scope);
  // Where none is granted, the fault lies elsewhere: to ask for all of them tells what it is.
  return granted.length === 0 ? named : granted;
}
