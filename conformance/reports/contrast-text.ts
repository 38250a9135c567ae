import type { ToldFinding } from "../outcome/verdict.ts";
import { contrastOf } from "../story/contrast.ts";

/**
 * The same call where it went the other way, such as "step 4, the same call as ${KEY_2}: 403", for a finding about whether a
 * call is served; null where the check made none.
 */
export function contrastText({ told, at }: Pick<ToldFinding, "told" | "at">): string | null {
  const place = at.find(({ part, in: whole }) => whole?.kind === "exchange" && isAboutStatus(part));
  if (told === null || place?.in == null) return null;
  const contrast = contrastOf(told, place.in.number);
  if (contrast === null) return null;
  const { step, status, differs, isSameInstant } = contrast;
  const same = isSameInstant ? ", which is the same instant" : "";
  return `step ${step}, the same call${differs.length === 0 ? "" : ` ${differs.join(", ")}`}${same}: ${status}`;
}

const isAboutStatus = (part: ToldFinding["at"][number]["part"]): boolean =>
  part.kind === "status" || (part.kind === "member" && part.pointer === "/error/code");
