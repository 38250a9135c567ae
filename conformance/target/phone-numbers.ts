/** Of one part in the checks: what it is for, and numbers for it that nobody has (+1 … 555-01XX, for use in fiction). */
interface Part {
  readonly says: string;
  readonly numbers: readonly string[];
}

/** A recipient whose local time is that of a zone. */
const inZone = <Zone extends string, Number extends string>(zone: Zone, number: Number) => ({
  says: `A recipient whose local time is that of ${zone}.`,
  numbers: [number] as const,
});

/** All numbers that checks send to or look up, by their part. No number has two: what one check leaves is no matter to another. */
const parts = {
  recipients: {
    says: "Recipients who opt in and are sent to; nobody looks them up.",
    numbers: ["+12025550130", "+12025550131", "+12025550132", "+14165550133"],
  },
  // What one of them takes back, capturing a consent may not restore.
  repliers: {
    says: "Recipients who reply STOP, and START.",
    numbers: ["+12025550137", "+12025550138"],
  },
  // None of them opts in again.
  leaving: {
    says: "Recipients who opt out while messages wait for them.",
    numbers: ["+12025550157", "+12025550158", "+14165550159", "+12025550175"],
  },
  strangers: {
    says: "Numbers whose consent nobody captures; the last one's another organization does.",
    // The third ends as a recipient of another area does.
    numbers: ["+12025550134", "+12025550135", "+14165550130", "+12025550136"],
  },
  batched: {
    says: "Recipients whose consents are captured together.",
    numbers: ["+12025550160", "+12025550161", "+12025550162", "+14165550163"],
  },
  refused_batch: {
    says: "Numbers of a batch of consents that is refused: one more than those captured together.",
    numbers: ["+12025550164", "+12025550165", "+12025550166", "+14165550167", "+12025550168"],
  },
  named_twice: {
    says: "Recipients of a batch of consents in which the first is named twice.",
    numbers: ["+12125550150", "+12125550151"],
  },
  silent: {
    says: "Recipients who are asked by double opt-in and never answer.",
    numbers: ["+12125550140", "+12125550141", "+14165550142"],
  },
  answering: {
    says: "Recipients who answer a double opt-in.",
    numbers: ["+12125550143", "+12125550144", "+14165550145"],
  },
  forms: {
    says: "Recipients of hosted forms, which nobody submits.",
    numbers: ["+12125550146", "+14165550147"],
  },
  erased: {
    says: "Contacts who are erased.",
    numbers: ["+12025550170", "+12025550171", "+14165550172"],
  },
  erased_beside: {
    says: "A contact who replies STOP and is erased, and one who stays.",
    numbers: ["+12025550173", "+12025550174"],
  },
  erased_waiting: {
    says: "Contacts who are erased while messages wait for them.",
    numbers: ["+12025550176", "+14165550177"],
  },
  erased_asked: {
    says: "A recipient who answers a double opt-in after another one was erased, who was asked as well.",
    numbers: ["+12125550152", "+12125550153"],
  },
  of_two: {
    says: "A recipient of two organizations, who replies STOP to one of them.",
    numbers: ["+12025550178"],
  },
  united_states: {
    says: "Numbers of the United States, which are looked up.",
    numbers: ["+12025550123", "+12025550124", "+12025550125"],
  },
  canada: {
    says: "A number of Canada, which is looked up.",
    numbers: ["+14165550123"],
  },
  canada_beside: {
    says: "Further numbers of Canada, which are looked up: of its west and its north.",
    numbers: ["+16045550123", "+18675550123"],
  },
  line_types: {
    says: "Recipients who are looked up: one of each line type, in whatever order.",
    numbers: ["+12025550140", "+12025550141", "+12025550142", "+12025550143"],
  },
  fixed_lines: {
    says: "Recipients who are looked up: one of them at least a fixed line.",
    numbers: ["+14165550144", "+12025550145", "+12025550146", "+12025550147"],
  },
  never_looked_up: {
    says: "Recipients who are never looked up.",
    numbers: ["+12025550150", "+12025550151", "+12025550152", "+12025550153"],
  },
  switched_lines: {
    says: "Recipients whose line type is set again and again.",
    numbers: ["+12025550148", "+12025550149", "+12025550154", "+12025550155"],
  },
  failing_lookups: {
    says: "A recipient of whom some lookups fail.",
    numbers: ["+12025550156"],
  },
  "America/Halifax": inZone("America/Halifax", "+19025550142"),
  "America/New_York": inZone("America/New_York", "+12125550142"),
  "America/Chicago": inZone("America/Chicago", "+13125550142"),
  "America/Denver": inZone("America/Denver", "+13035550142"),
  "America/Phoenix": inZone("America/Phoenix", "+16025550142"),
  "America/Los_Angeles": inZone("America/Los_Angeles", "+12135550142"),
  "Pacific/Honolulu": inZone("Pacific/Honolulu", "+18085550142"),
  further_zones: {
    says: "Recipients in zones whose offset has half an hour, is ahead of UTC, or is the same all year.",
    numbers: [
      // Newfoundland, Saskatchewan, Puerto Rico, American Samoa, Guam and the Northern Mariana Islands.
      ...(["+17095550142", "+13065550142", "+17875550142", "+16845550142", "+16715550142", "+16705550142"] as const),
    ],
  },
} as const satisfies Readonly<Record<string, Part>>;

export type NumberPart = keyof typeof parts;

type AsMany<Numbers extends readonly string[]> = { readonly [Index in keyof Numbers]: string };

/** As many numbers as the part has. */
export type NumbersOf<Of extends NumberPart> = AsMany<(typeof parts)[Of]["numbers"]>;

/** Numbers that a target gives in place of those for use in fiction, E.164: for a part all of them, or none. */
export type GivenNumbers = Readonly<Partial<Record<NumberPart, readonly string[]>>>;

/** What a target may give numbers for. */
export const numberParts: readonly (Part & { readonly name: NumberPart })[] = Object.entries(parts).map(
  ([name, part]) => ({ name: isPart(name) ? name : unknownPart(name), ...part }),
);

/** How many numbers a part has. */
export const numberCount = (part: NumberPart): number => parts[part].numbers.length;

/** The target's numbers for a part, or else those for use in fiction. */
export function numbersFor<Of extends NumberPart>(given: GivenNumbers, part: Of): NumbersOf<Of> {
  const numbers = given[part] ?? parts[part].numbers;
  if (!areAll(numbers, part)) throw new Error(`The part ${part} has ${numberCount(part)} numbers.`);
  return numbers;
}

const areAll = <Of extends NumberPart>(numbers: readonly string[], part: Of): numbers is NumbersOf<Of> =>
  numbers.length === numberCount(part);

export function isPart(name: string): name is NumberPart {
  return Object.hasOwn(parts, name);
}

function unknownPart(name: string): never {
  throw new Error(`There is no part ${name}.`);
}
