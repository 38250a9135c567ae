/** Where organizations manage what they pay by. */
export interface BillingPortals {
  /** The address of a page for the organization; null when none can be opened. */
  open(organizationId: string): Promise<string | null>;
}

/** Pages of a payment provider that does not exist, under a name that nobody can have. */
export const simulatedPortal = (session: string): string => `https://billing.invalid/sessions/${session}`;
