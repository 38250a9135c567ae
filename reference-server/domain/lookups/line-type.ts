import { constants } from "../../../generated/constants.ts";
import type { LineType } from "../../../generated/models/sandbox-lines.ts";

export type { LineType };

/** What kinds of line there are. */
const lineTypes: readonly LineType[] = [
  constants.mobileLine,
  constants.fixedLine,
  constants.voipLine,
  constants.voipFixedLine,
];

export const isLineType = (text: string): text is LineType => lineTypes.some((type) => type === text);

/** Who knows what kind of line a number is; null when nobody can be asked. */
export interface LineTypes {
  of(organizationId: string, phoneNumber: string): Promise<LineType | null>;
}

/**
 * The kind of line in this server, which asks no carrier: it follows from the number's last digit, in the order above,
 * so that a client can have any. The same number is of the same kind, until a sandbox sets another one.
 */
export function simulatedLineType(phoneNumber: string): LineType {
  const type = lineTypes[Number(phoneNumber.at(-1)) % lineTypes.length];
  if (type === undefined) throw new Error("A phone number ends with a digit.");
  return type;
}
