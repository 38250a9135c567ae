import { credentialOf, namedInAddress } from "./names.ts";
import type { ToldStep } from "./step.ts";

/** The step that made an organization, or the credential of one that no step made; null where a step is nobody's. */
export type Owner = ToldStep | string | null;

/** Whose each step is, by what it was asked with and what gave that. */
export function ownersOf(steps: readonly ToldStep[]): (step: ToldStep) => Owner {
  const owners = new Map<ToldStep, Owner>();
  const byName = new Map<string, Owner>();
  for (const step of steps) {
    const owner = ownerOf(step, byName);
    owners.set(step, owner);
    for (const { value } of step.gives) if (!byName.has(value)) byName.set(value, owner);
  }
  return (step) => owners.get(step) ?? null;
}

function ownerOf(step: ToldStep, byName: ReadonlyMap<string, Owner>): Owner {
  const { through, request, what } = step;
  if (request === null) return null;
  if (what === "create an organization") return step;
  if (through !== "api")
    return (
      namedInAddress(request)
        .map((name) => byName.get(name) ?? null)
        .find(isKnown) ?? null
    );
  const credential = credentialOf(request)?.replace(/^Bearer +/i, "") ?? null;
  return credential === null ? null : (byName.get(credential) ?? credential);
}

const isKnown = (owner: Owner): boolean => owner !== null;
