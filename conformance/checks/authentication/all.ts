import type { Check } from "../../context/check.ts";
import { badCredentials } from "./bad-credentials.ts";
import { callers } from "./callers.ts";
import { foreignOrganization } from "./foreign-organization.ts";
import { revokedKey } from "./revoked-key.ts";
import { scopes } from "./scopes.ts";
import { targetOrganization } from "./target-organization.ts";
import { userSession } from "./user-session.ts";

/** Checks of who is let in, and to what. */
export const authenticationChecks: readonly Check[] = [
  badCredentials,
  revokedKey,
  userSession,
  ...callers,
  ...scopes,
  targetOrganization,
  foreignOrganization,
];
