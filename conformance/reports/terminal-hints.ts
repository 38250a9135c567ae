import type { ToldFinding } from "../outcome/verdict.ts";
import { counted } from "./counted.ts";
import type { FailureGroup, Hints } from "./failure-groups.ts";
import { differing, placeText } from "./marks.ts";
import type { Paint } from "./paint.ts";
import { printable, printableLine } from "./printable.ts";
import { labelled } from "./text-layout.ts";

/** Differences that a terminal spells out. */
const placeLimit = 8;

/**
 * What helps to see the fault: where what came differs from what is admitted, part by part, a call that
 * went well, what came when the call was made again otherwise, and what is likely wrong.
 */
export function hintLines(
  { finding, likely, apart, askedAgain, contrasts, alike }: Hints,
  paint: Paint,
  width: number,
): readonly string[] {
  const label = (name: string, text: string): readonly string[] => labelled(`  ${paint.dim(name)}`, text, 13, width);
  const differences = differenceLines(finding, paint);
  return [
    ...(differences.length === 0 ? [] : label("differs", differences.join("\n"))),
    ...contrasts.flatMap((text, index) => label(index === 0 ? "contrast" : "", printableLine(text))),
    ...alikeLines(alike, paint).flatMap((line, index) => label(index === 0 ? "like it" : "", line)),
    ...(apart === null ? [] : label("apart", printableLine(apart))),
    ...askedAgain.flatMap((text, index) => label(index === 0 ? "again" : "", printableLine(text))),
    ...likely.flatMap(({ says }) => label("likely", paint.bold(printable(says)))),
  ];
}

/** How calls like it fared. */
function alikeLines(alike: FailureGroup["alike"], paint: Paint): readonly string[] {
  return alike.map(({ holds, says, times }) => {
    const mark = holds ? paint.green("✓") : paint.red("✗");
    return `${mark} ${printableLine(says)}${times === 1 ? "" : ` ×${times}`}`;
  });
}

function differenceLines(finding: ToldFinding, paint: Paint): readonly string[] {
  const places = differing(finding);
  const more = places.length - placeLimit;
  return [
    ...places
      .slice(0, placeLimit)
      .flatMap((place) => [
        placeText(place),
        ...(place.admitted === null ? [] : [paint.green(`- ${printableLine(place.admitted)}`)]),
        paint.red(`+ ${place.seen === null ? "(missing)" : printableLine(place.seen)}`),
      ]),
    ...(more > 0 ? [paint.dim(`and ${counted(more, "more difference")} in the report`)] : []),
  ];
}
