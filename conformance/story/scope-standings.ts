import { scopes } from "../../generated/scopes.ts";

/** How the scopes among what a call asks for stand to those that its key holds, in words; none where these are not known. */
export const scopeStandings = (asked: readonly unknown[], held: readonly string[]): readonly string[] =>
  held.length === 0
    ? []
    : asked.flatMap((value) => (typeof value === "string" && everyScope.has(value) ? standingOf(value, held) : []));

function standingOf(scope: string, held: readonly string[]): string {
  if (held.includes(scope)) return "asked for a scope that its key holds";
  const which = held.some((one) => areaOf(one) === areaOf(scope)) ? "another" : "none";
  return `asked for a scope that its key lacks, of an area of which it holds ${which}`;
}

const everyScope: ReadonlySet<string> = new Set(scopes);

/** What a scope is about, such as "webhooks" of "webhooks:read". */
const areaOf = (scope: string): string => scope.split(":")[0] ?? scope;
