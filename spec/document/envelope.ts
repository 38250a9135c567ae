/** Members of the envelope with their JSON types, and whether each is always there. */
export interface DocumentedMember {
  readonly name: string;
  readonly shape: string;
  readonly always: boolean;
  /** The document leaves open whether the member may also be null. */
  readonly perhapsNull?: boolean;
}

export const documentedErrorMembers: readonly DocumentedMember[] = [
  { name: "code", shape: "string", always: true },
  { name: "message", shape: "string", always: true },
  { name: "request_id", shape: "string", always: true },
];

/** `error.details`, where it is present. */
export const documentedDetailsShape = "map of string";

/** A list's `meta`. Whether the last page has a `next_cursor`, and what it is there, the document does not say. */
export const documentedMetaMembers: readonly DocumentedMember[] = [
  { name: "total", shape: "integer", always: true },
  { name: "limit", shape: "integer", always: true },
  { name: "offset", shape: "integer", always: true },
  { name: "next_cursor", shape: "string", always: false, perhapsNull: true },
];

/** `data` of the answer to an order of phone numbers that can't be met. */
export const documentedInventoryMembers: readonly DocumentedMember[] = [
  { name: "available_count", shape: "integer", always: true },
  { name: "unavailable", shape: "array of string", always: true },
];

/** E.164 as the document uses it. */
export const documentedPhoneNumberForm = {
  allowed: ["+14155550123", "+442071838750"],
  ruledOut: ["4155550123", "+1 415 555 0123", "", "+0123456789"],
};

export const mediaType = "application/json";
export const requestIdHeader = "X-Request-Id";
