import type { Contract } from "../contract.ts";
import { banner } from "./banner.ts";
import { literal } from "./literal.ts";

/** Where the parts of error answers stand. */
export function printEnvelopes({ envelopes }: Contract): string {
  const entries = Object.entries(envelopes).map(
    ([service, envelope]) => `  ${service}: ${literal(envelope, "  ", service.length + 4)},\n`,
  );
  return `${banner}import type { Envelope } from "./runtime/transport.ts";

/** Where the parts of error answers stand, by service. */
export const envelopes = {
${entries.join("")}} as const satisfies Readonly<Record<string, Envelope>>;
`;
}
