import type { Check } from "../../context/check.ts";
import { foreignDeliveries } from "./foreign-deliveries.ts";
import { foreignKey, foreignRevokedKey } from "./foreign-key.ts";
import { foreignRecord } from "./foreign-record.ts";
import { endpointOrganization, organizationId, organizationIdsDiffer } from "./organization-id.ts";
import { unknownRecord } from "./unknown-record.ts";

/** Checks of what separates organizations; that their limits are separate is among the checks of limits. */
export const tenancyChecks: readonly Check[] = [
  ...[organizationId, endpointOrganization, organizationIdsDiffer],
  ...[foreignKey, foreignRevokedKey, ...foreignRecord, ...unknownRecord, foreignDeliveries],
];
