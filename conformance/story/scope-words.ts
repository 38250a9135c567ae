import { documentedScopes, scopes as everyScope } from "../../generated/scopes.ts";

/** Scopes that are left out where the others are told by these. */
const mostLeftOut = 3;

/** Scopes that are told one by one however many others there are. */
const fewest = 4;

/** Scopes in few words, such as "every scope but apikeys:read" where that is shorter; null where it is not. */
export function mostScopesText(held: readonly string[]): string | null {
  if (held.length <= fewest) return null;
  const all = held.every((scope) => documented.has(scope)) ? "every documented scope" : "every scope";
  const known: readonly string[] = all === "every scope" ? everyScope : documentedScopes;
  const missing = known.filter((scope) => !held.includes(scope));
  if (missing.length > mostLeftOut || held.some((scope) => !known.includes(scope))) return null;
  return missing.length === 0 ? all : `${all} but ${missing.join(", ")}`;
}

const documented: ReadonlySet<string> = new Set(documentedScopes);
