import { newOrganization } from "./fresh-organization.ts";
import { listed } from "./listed.ts";
import type { HookDefinition, Requirement, SecretDefinition } from "./requirement.ts";
import { verifySignature } from "./verified-signature.ts";

/** What a check must be able to arrange. A target that cannot is told the cheapest way to provide it. */
export type Need = (typeof listed)[number]["need"];

/** All that checks can need, in the order in which guides tell of it. */
export const requirements: readonly Requirement<Need>[] = listed;

/** Those that an organization has from its creation. */
export const settings = requirements.flatMap(({ setting, ...rest }) => (setting ? [{ ...rest, setting }] : []));

/** All hooks that a target file may name. */
export const hookDefinitions: readonly HookDefinition[] = [
  ...requirements.flatMap(({ hooks = [] }) => hooks),
  verifySignature,
].map((hook) => (hook === newOrganization ? { ...hook, settings: settings.map(({ setting }) => setting) } : hook));

/** All secrets that the kit can be given, besides the key as which it calls. */
export const secretDefinitions: readonly SecretDefinition[] = requirements.flatMap(({ secret }) => secret ?? []);

const byNeed = new Map(requirements.map((one) => [one.need, one]));

/** What a check means by that name. */
export function requirementOf(need: Need): Requirement {
  const found = byNeed.get(need);
  if (found === undefined) throw new Error(`Nothing in conformance/arrangements arranges ${need}.`);
  return found;
}
