import type { ToldFinding } from "../outcome/verdict.ts";
import { contrastOf } from "../story/contrast.ts";

/**
 * What went the other way: the same call, such as "step 4, the same call as ${KEY_2}: 403", for a finding about whether a
 * call is served, and calls that left alone what this one changed; null where the check made neither.
 */
export function contrastText(finding: Pick<ToldFinding, "told" | "at" | "spared">): string | null {
  const texts = [callText(finding), sparedText(finding)].filter((text) => text !== null);
  return texts.length === 0 ? null : texts.join("; ");
}

function callText({ told, at }: Pick<ToldFinding, "told" | "at">): string | null {
  const place = at.find(({ part, in: whole }) => whole?.kind === "exchange" && isAboutStatus(part));
  if (told === null || place?.in == null) return null;
  const contrast = contrastOf(told, place.in.number);
  if (contrast === null) return null;
  const { step, status, differs, isSameInstant } = contrast;
  const same = isSameInstant ? ", which is the same instant" : "";
  return `step ${step}, the same call${differs.length === 0 ? "" : ` ${differs.join(", ")}`}${same}: ${status}`;
}

function sparedText({ spared = [] }: Pick<ToldFinding, "spared">): string | null {
  const answers = [...Map.groupBy(spared, (text) => text)].map(([text, { length }]) =>
    length === 1 ? text : `${text} ×${length}`,
  );
  return answers.length === 0 ? null : `nothing changed after ${answers.sort().join(", ")}`;
}

const isAboutStatus = (part: ToldFinding["at"][number]["part"]): boolean =>
  part.kind === "status" || (part.kind === "member" && part.pointer === "/error/code");
