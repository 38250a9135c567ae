import type { Claim, DeliveryClaim } from "../domain/work/due-work.ts";

/** Claims that are all of deliveries. */
export const deliveriesOf = (claims: readonly Claim[]): readonly DeliveryClaim[] =>
  claims.map((claim) => {
    if (claim.kind === "delivery") return claim;
    throw new Error(`Work of another kind was claimed: ${claim.kind}.`);
  });
