import { arrangement } from "./arrangement.ts";
import { revocation } from "./revocation.ts";

/** The secret of a key that was revoked, for a kit that cannot revoke one by itself. */
export const givenRevokedKey = arrangement({
  need: "revoked-key",
  does: "revoke a key",
  given: {
    definition: {
      setting: "revoked_key",
      variable: "BYLAW_REVOKED_KEY",
      what: "a revoked key",
      says: "A revoked key of the first organization.",
      isOfGivenOrganization: false,
      ifRefused: null,
    },
    instead: (secret) => secret,
  },
  orMetBy: revocation,
});
