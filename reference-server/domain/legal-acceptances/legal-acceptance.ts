/** That a user accepted a legal document. It never changes. */
export interface LegalAcceptance {
  readonly id: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly document: string;
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly acceptedAt: number;
}
