import { arrangement } from "./arrangement.ts";
import { revocation } from "./revocation.ts";

const base = arrangement({
  need: "revoked-key",
  does: "revoke a key",
  given: ({ revokedKey }): string | null => revokedKey,
});

/** The secret of a key that was revoked, for a kit that cannot revoke one by itself. */
export const givenRevokedKey: typeof base = {
  ...base,
  isMet: (target) => base.isMet(target) || revocation.isMet(target),
};
