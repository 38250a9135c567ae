import type { EventType } from "../../../generated/events.ts";

/** A receiver of an organization. Instants are milliseconds since 1970. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly organizationId: string;
  /** As it was registered. */
  readonly url: string;
  readonly events: readonly EventType[];
  readonly active: boolean;
  /** Pinned when the endpoint was created, so that its bodies keep their form. */
  readonly apiVersion: string;
  /** Signs what is delivered here; base64. Kept as it is, since a hash could sign nothing. */
  readonly secret: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly deletedAt: number | null;
}
