import { constants } from "../../../generated/constants.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Delivery, headerValues } from "../../exchange/delivery.ts";
import type { Signer } from "../../receiver/signer.ts";

/** Whether a delivery verifies with a secret; "unknown" where none of those beside it verifies with any. */
export type Verified = "yes" | "no" | "unknown";

/** Which of some deliveries verify with which of some secrets. */
export type Verifier = (delivery: Delivery, secret: string) => Verified;

/**
 * Judges every delivery of one signer with every secret. How it signs is open: the first delivery that verifies with
 * any of them tells how, and what was judged before that is judged again.
 */
export async function verifierFor(
  t: CheckContext,
  deliveries: readonly Delivery[],
  secrets: readonly string[],
): Promise<Verifier> {
  const signer = t.signer();
  const judged = new Map<Delivery, Map<string, Verified>>();
  for (const _ of ["to learn the dialect", "to judge by it"]) {
    for (const delivery of deliveries) {
      const by = new Map<string, Verified>();
      for (const secret of secrets) by.set(secret, await verified(signer, delivery, secret));
      judged.set(delivery, by);
    }
  }
  return (delivery, secret) => judged.get(delivery)?.get(secret) ?? "unknown";
}

/** Several signatures may stand in one header or in one each. */
async function verified(signer: Signer, delivery: Delivery, secret: string): Promise<Verified> {
  const isSignature = ([name]: readonly [string, string]): boolean =>
    name.toLowerCase() === constants.signatureHeader.toLowerCase();
  const rest = delivery.headers.filter((header) => !isSignature(header));
  const seen: Verified[] = [];
  for (const value of headerValues(delivery, constants.signatureHeader)) {
    const { kind } = await signer.judge(
      { ...delivery, headers: [...rest, [constants.signatureHeader, value]] },
      secret,
    );
    switch (kind) {
      case "valid":
      // Which dialect a server keeps to is another rule's matter; the secret is the right one.
      case "changed":
        return "yes";
      case "invalid":
        seen.push("no");
        break;
      case "unknown":
      case "unreadable":
        seen.push("unknown");
        break;
    }
  }
  return seen.includes("no") ? "no" : "unknown";
}

export const verifiedText = (verified: Verified): string =>
  ({ yes: "it verifies", no: "it does not verify", unknown: "a signature of an unknown form" })[verified];
