import { createHash } from "node:crypto";
import { isOfUnitedStatesOrCanada } from "../lookups/calling-region.ts";
import { areaCodeZones } from "../quiet-hours/area-code-zones.ts";

/** Numbers that an organization finds and can order, as long as nobody holds them. */
export interface NumberStock {
  has(phoneNumber: string): boolean;
  /** All of them, or all of one area. */
  numbers(areaCode?: string): Iterable<string>;
}

/** Numbers of each area code that nobody has, for use in fiction: 555-0100 to 555-0199. */
const numbersPerArea = 100;

const areaCodes: readonly string[] = areaCodeZones
  .flatMap(([, codes]) => codes.split(" "))
  .filter((code) => isOfUnitedStatesOrCanada(`+1${code}5550100`))
  .toSorted();

const fictional = new Set(areaCodes);

/**
 * The stock of this server, which asks no carrier: numbers for use in fiction, of every area of the United States and
 * Canada. Each organization is shown them from another place on, so that those who order at once seldom want the same.
 */
export const simulatedStock = (organizationId: string): NumberStock => ({
  has: (phoneNumber) => fictional.has(/^\+1(\d{3})55501\d{2}$/.exec(phoneNumber)?.[1] ?? ""),

  *numbers(areaCode) {
    if (areaCode !== undefined && !fictional.has(areaCode)) return;
    const areas = areaCode === undefined ? areaCodes : [areaCode];
    const count = areas.length * numbersPerArea;
    const first = createHash("sha256").update(organizationId).digest().readUInt32BE() % count;
    for (let index = 0; index < count; index++) {
      const place = (first + index) % count;
      const line = String(place % numbersPerArea).padStart(2, "0");
      yield `+1${areas[Math.floor(place / numbersPerArea)]}55501${line}`;
    }
  },
});

/** A stock of these numbers alone. */
export function stockOf(phoneNumbers: readonly string[]): NumberStock {
  const known = new Set(phoneNumbers);
  return {
    has: (phoneNumber) => known.has(phoneNumber),
    numbers: (areaCode) => [...known].filter((one) => areaCode === undefined || one.startsWith(`+1${areaCode}`)),
  };
}

/** Which of these numbers somebody holds. */
export type HeldNumbers = (phoneNumbers: readonly string[]) => Promise<ReadonlySet<string>>;

/** How many numbers are asked for at once whether somebody holds them. */
const portion = 200;

/** The first numbers of a stock that nobody holds, `most` of them where there are so many. */
export async function availableNumbers(
  numbers: Iterable<string>,
  held: HeldNumbers,
  most: number,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const next of inPortions(numbers)) {
    const taken = await held(next);
    found.push(...next.filter((one) => !taken.has(one)));
    if (found.length >= most) break;
  }
  return found.slice(0, most);
}

function* inPortions(numbers: Iterable<string>): Iterable<readonly string[]> {
  let next: string[] = [];
  for (const number of numbers) {
    next.push(number);
    if (next.length < portion) continue;
    yield next;
    next = [];
  }
  if (next.length > 0) yield next;
}
