import type { EventType } from "../../../generated/events.ts";
import type { Json } from "../../../generated/runtime/json.ts";

/** Something that happened to an organization, and that its endpoints may hear of. It never changes. */
export interface Event {
  /** `evt_` and a UUID: receivers drop an event whose id they have seen. */
  readonly id: string;
  readonly organizationId: string;
  readonly type: EventType;
  /**
   * What it says about itself. Members keep their order wherever it is stored, or a retry would have another body, with
   * another digest, than the attempt before it.
   */
  readonly data: { readonly [name: string]: Json };
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}
