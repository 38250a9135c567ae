import type { ToldFinding } from "../outcome/verdict.ts";
import { counted } from "./counted.ts";
import { differing, placeText } from "./marks.ts";
import type { Paint } from "./paint.ts";
import { printableLine } from "./printable.ts";
import { labelled } from "./text-layout.ts";

/** Differences that a terminal spells out. */
const placeLimit = 8;

/** Where what came differs from what is admitted, part by part; nothing where expectation and observation say all of it. */
export function placesLines(finding: ToldFinding, paint: Paint, width: number): readonly string[] {
  const places = differing(finding);
  const lines = places.slice(0, placeLimit).flatMap((place) => {
    const text = [
      placeText(place),
      place.admitted === null ? "" : paint.green(`- ${printableLine(place.admitted)}`),
      paint.red(`+ ${place.seen === null ? "(missing)" : printableLine(place.seen)}`),
    ];
    return text.filter((line) => line !== "").join("\n");
  });
  if (lines.length === 0) return [];
  const more = places.length - lines.length;
  const all = [...lines, ...(more > 0 ? [paint.dim(`and ${counted(more, "more difference")} in the report`)] : [])];
  return labelled(`  ${paint.dim("differs")}`, all.join("\n"), 13, width);
}
