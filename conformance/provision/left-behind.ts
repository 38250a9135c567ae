export const leftBehindKinds = [
  "api-key",
  "message",
  "organization",
  "sandbox-organization",
  "webhook-endpoint",
] as const;

type LeftBehindKind = (typeof leftBehindKinds)[number];

/** Something that a run made and that stays on the target. */
export interface LeftBehind {
  readonly kind: LeftBehindKind;
  readonly id: string;
  /** The organization of a key or an endpoint, when known. */
  readonly organizationId: string | null;
}

const nouns: Readonly<Record<LeftBehind["kind"], string>> = {
  "api-key": "API key",
  message: "message",
  organization: "organization",
  "sandbox-organization": "sandbox organization",
  "webhook-endpoint": "webhook endpoint",
};

/** Whether it was a part of that organization, and so is gone when that is. */
export const isOf = (thing: LeftBehind, organization: Pick<LeftBehind, "kind" | "id">): boolean =>
  isOrganization(organization) && !isOrganization(thing) && thing.organizationId === organization.id;

export const isOrganization = ({ kind }: Pick<LeftBehind, "kind">): boolean =>
  kind === "organization" || kind === "sandbox-organization";

/** Such as "15 API keys". */
export const leftBehindCount = (kind: LeftBehind["kind"], count: number): string => `${count} ${nouns[kind]}s`;

/** Such as "API key 0190…". */
export const leftBehindText = ({ kind, id }: LeftBehind): string => `${nouns[kind]} ${id}`;
