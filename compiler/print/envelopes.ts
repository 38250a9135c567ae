import type { Contract } from "../contract.ts";
import { banner } from "./banner.ts";
import { literal } from "./literal.ts";

/** Where the parts of error answers stand. */
export function printEnvelopes({ services }: Contract): string {
  const entries = services.map(({ name, envelope }) => `  ${name}: ${literal(envelope, "  ", name.length + 4)},\n`);
  return `${banner}import type { Envelope } from "./runtime/transport.ts";

/** Where the parts of error answers stand, by service. */
export const envelopes = {
${entries.join("")}} as const satisfies Readonly<Record<string, Envelope>>;
`;
}
