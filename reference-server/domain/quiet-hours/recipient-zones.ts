import { areaCodeZones } from "./area-code-zones.ts";

const zonesOfArea: ReadonlyMap<string, readonly string[]> = new Map(
  areaCodeZones.flatMap(([zones, areas]) => areas.split(" ").map((area) => [area, zones.split(" ")] as const)),
);

/**
 * IANA zones in one of which the holder of an E.164 number is, as far as its area code tells; none for numbers of no
 * place, such as those that are free of charge, and for calling codes other than +1.
 */
export function zonesOfNumber(phoneNumber: string): readonly string[] {
  const [, area = ""] = /^\+1(\d{3})\d{7}$/.exec(phoneNumber) ?? [];
  return zonesOfArea.get(area) ?? [];
}
