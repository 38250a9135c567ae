import { dataOf, type WireAnswer, type WireRequest } from "./wire.ts";

/** What is known of a key: of which organization it is, and its scopes. */
interface MadeKey {
  readonly organizationId: string;
  readonly scopes: readonly string[];
}

/** Keys that were made through a wire. */
export interface MadeKeys {
  /** Takes note of a key that an answer shows with its secret. */
  note(request: WireRequest, answer: WireAnswer): void;
  /** The key that a request was sent with; undefined when it is none of these. */
  callerOf(request: WireRequest): MadeKey | undefined;
}

export function newMadeKeys(): MadeKeys {
  const keys = new Map<string, MadeKey>();
  return {
    note({ operation, parameters }, answer) {
      const { plaintext, scopes, org_id } = dataOf(answer) ?? {};
      const organization = operation === "createOrganizationKey" ? parameters.id : org_id;
      if (typeof plaintext !== "string" || typeof organization !== "string" || !Array.isArray(scopes)) return;
      keys.set(`Bearer ${plaintext}`, { organizationId: organization, scopes });
    },
    callerOf: ({ headers }) => keys.get(headers.authorization ?? ""),
  };
}
