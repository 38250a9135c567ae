import type { Contract } from "../contract.ts";
import { deliveryBodyOf } from "../publish/delivery-body.ts";
import { banner } from "./banner.ts";
import { literal } from "./literal.ts";

/** How receivers verify a delivery; null where the contract does not say how one is signed. */
export function printDelivery(contract: Contract): string | null {
  const signing = contract.deliveryHeaders.find(({ scheme }) => scheme !== null);
  if (signing === undefined) return null;
  const event = deliveryBodyOf(contract)?.component ?? null;
  const scheme = { header: signing.name, ...signing.scheme };
  const head = "export const signatureScheme = ";
  return `${banner}${event === null ? "" : `import type { ${event} } from "./models/shared.ts";\n`}import {
  type Delivery,
  type SignatureScheme,
  type Verified,
  type VerifyOptions,
  verifySigned,
} from "./runtime/verify-delivery.ts";

/** How deliveries are signed. */
${head}${literal(scheme, "", head.length)} as const satisfies SignatureScheme;

/** Whether one of the secrets signed a delivery, and what it holds. */
export const verifyDelivery = <Event = ${event ?? "unknown"}>(
  delivery: Delivery,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Verified<Event> => verifySigned(signatureScheme, delivery, secrets, options);
`;
}
