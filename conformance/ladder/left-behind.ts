/** Something that a run made and that stays on the target. */
export interface LeftBehind {
  readonly kind: "api-key" | "organization" | "sandbox-organization" | "webhook-endpoint";
  readonly id: string;
  /** The organization of a key or an endpoint, when known. */
  readonly organizationId: string | null;
}

const nouns: Readonly<Record<LeftBehind["kind"], string>> = {
  "api-key": "API key",
  organization: "organization",
  "sandbox-organization": "sandbox organization",
  "webhook-endpoint": "webhook endpoint",
};

/** Such as "API key 0190…". */
export const leftBehindText = ({ kind, id }: LeftBehind): string => `${nouns[kind]} ${id}`;
