import type { Check } from "../../check/check.ts";
import { badCredentials } from "./bad-credentials.ts";
import { credentialsFirst } from "./credentials-first.ts";
import { everyOperation } from "./every-operation.ts";
import { foreignOrganization } from "./foreign-organization.ts";
import { revokedKey } from "./revoked-key.ts";
import { scopeFirst } from "./scope-first.ts";
import { targetOrganization } from "./target-organization.ts";
import { userSession } from "./user-session.ts";
import { webhookScopeFirst } from "./webhook-scope-first.ts";

/** Checks of who is let in, and to what. */
export const authenticationChecks: readonly Check[] = [
  ...[badCredentials, credentialsFirst, revokedKey, userSession],
  ...[everyOperation, scopeFirst, webhookScopeFirst],
  ...[targetOrganization, foreignOrganization],
];
