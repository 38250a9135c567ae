import { readFile } from "node:fs/promises";
import { Command } from "commander";

const command = new Command("print-area-code-zones")
  .description("Prints reference-server/domain/quiet-hours/area-code-zones.ts from libphonenumber's data.")
  .argument("<file>", "resources/timezones/map_data.txt of a release of google/libphonenumber")
  .argument("<release>", "the release that the file is of, such as 9.0.35")
  .addHelpText(
    "after",
    `
Example, with curl -sSfO https://raw.githubusercontent.com/google/libphonenumber/v9.0.35/resources/timezones/map_data.txt:
  npx tsx scripts/print-area-code-zones.ts map_data.txt 9.0.35 > reference-server/domain/quiet-hours/area-code-zones.ts
  npm run format`,
  )
  .action(async (file: string, release: string) => {
    process.stdout.write(print(areaCodeZones(await readFile(file, "utf8")), release));
  });

/** Zones to the area codes under the calling code +1 whose numbers may lie in them. */
function areaCodeZones(text: string): ReadonlyMap<string, readonly string[]> {
  const zonesOf = new Map<string, Set<string>>();
  for (const [, area = "", zones = ""] of text.matchAll(/^1(\d{3})\d*\|(.+)$/gm)) {
    // Numbers move within an area, so that what is finer than an area code says little.
    const known = zonesOf.get(area) ?? new Set();
    for (const zone of zones.trim().split("&")) known.add(zone);
    zonesOf.set(area, known);
  }
  if (zonesOf.size === 0) throw new Error("The file names no area code: is it resources/timezones/map_data.txt?");
  const areas = [...zonesOf].map(([area, zones]) => ({ area, zones: [...zones].sort().join(" ") }));
  const grouped = Map.groupBy(areas, ({ zones }) => zones);
  return new Map([...grouped].sort().map(([zones, members]) => [zones, members.map(({ area }) => area).sort()]));
}

const print = (groups: ReadonlyMap<string, readonly string[]>, release: string): string =>
  `// Made by scripts/print-area-code-zones.ts from resources/timezones/map_data.txt of libphonenumber ${release}.
// Copyright (C) 2012 The Libphonenumber Authors. Licensed under the Apache License, Version 2.0,
// https://www.apache.org/licenses/LICENSE-2.0. Changed: one line for each set of zones, by area codes alone.

/** IANA zones, and the area codes under the calling code +1 whose numbers may lie in any of them. */
export const areaCodeZones: readonly (readonly [zones: string, areaCodes: string])[] = [
${[...groups].map(([zones, areas]) => `  ["${zones}", "${areas.join(" ")}"],`).join("\n")}
];
`;

await command.parseAsync();
