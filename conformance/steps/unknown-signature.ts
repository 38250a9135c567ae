import { giveText, hookOffer } from "../arrangements/offers.ts";
import { verifySignature } from "../arrangements/verified-signature.ts";
import { Blocked } from "../outcome/verdict.ts";

/**
 * Why a rule on signatures stays undecided where none verifies: how they are made is open, so that nothing speaks against the
 * server, and nothing for it either.
 */
export const unknownSignature = (what: "callbacks" | "deliveries"): Blocked =>
  new Blocked(`${what} are signed in no way that the kit knows`, giveText([[hookOffer(verifySignature)]]));
