import type { Coverage } from "../runner/run-result.ts";
import { counted } from "./counted.ts";

/** Such as "43 of 45 operations". */
export const coverageText = ({ decided, of }: Coverage): string => `${decided} of ${counted(of, "operation")}`;

/** Why a rule was not decided for some operations, those with one reason together. */
export function missingTexts({
  missing,
}: Coverage): readonly { readonly text: string; readonly unblock: string | null }[] {
  const groups = Map.groupBy(missing, ({ message, unblock }) => JSON.stringify([message, unblock]));
  return [...groups.values()].flatMap((members) => {
    const [first] = members;
    if (first === undefined) return [];
    return [{ text: `${members.map((m) => m.operation).join(", ")}: ${first.message}`, unblock: first.unblock }];
  });
}
