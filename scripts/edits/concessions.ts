import type { RuleId } from "../../generated/rules.ts";

/** What the kit concedes to a server that makes certain lawful choices: rules that it leaves undecided, or warns of. */
export interface Concession {
  /** Names of choices; a server must make all of them. */
  readonly choices: readonly string[];
  /** Undecided where the reference decides; or warned of, although a breach of the rule would fail. */
  readonly leaves: "undecided" | "warned";
  readonly rules: readonly RuleId[];
  readonly why: string;
}

/** Every one that a lawful trial needs; `npm run edits` fails where one is missing, and where one is needed no more. */
export const concessions: readonly Concession[] = [
  {
    choices: ["Q46-shape"],
    leaves: "warned",
    rules: ["AUTH-12"],
    why: "The document names no scope for a rotation; that a key which may only read gets a new secret is worth a look.",
  },
  {
    choices: ["Q171-taken"],
    leaves: "undecided",
    rules: ["MSG-50"],
    why: "A server that takes uploads never has to say that it takes none.",
  },
  {
    choices: ["Q46-unnamed"],
    leaves: "undecided",
    rules: ["KEYR-01", "KEYR-03", "KEYR-06", "KEYR-07", "KEYR-08"],
    why: "Where a rotation does not name the key that it makes, nobody can read that one or rotate it again.",
  },
  {
    choices: ["Q220-certain"],
    leaves: "undecided",
    rules: ["AUTH-18"],
    why: "Which legal documents there are is open: where none is found under the kit's name, nobody is seen to accept one.",
  },
  {
    choices: ["Q240-fine-shorter"],
    leaves: "undecided",
    rules: ["MET-03"],
    why: "A window that begins before metrics are kept may be refused for that, so that nothing says how large it was.",
  },
  {
    choices: ["Q99-lenient"],
    leaves: "warned",
    rules: ["MSG-03"],
    why: "The document does not show the types of a send's members; that one is read as another is told.",
  },
  {
    choices: ["Q101-some-time"],
    leaves: "warned",
    rules: ["MSG-13"],
    why: "The document speaks of the most recent lookup and of no age; that an old one blocks no longer is told.",
  },
  {
    choices: ["Q14-changing"],
    leaves: "warned",
    rules: ["ENV-19"],
    why: "Members beyond the document may depend on the fault, and yet the two forms are said to have one body.",
  },
  {
    choices: ["Q185-late"],
    leaves: "undecided",
    rules: ["NUM-57", "TEN-14", "TEN-24"],
    why: "A release that is answered as still to be done may take long; until then nothing can be said of the number.",
  },
  {
    choices: ["Q185-quarantine"],
    leaves: "undecided",
    rules: ["TEN-24"],
    why: "A released number that is kept from everybody for a while shows nothing to another organization.",
  },
  {
    choices: ["keyEvents not-sent"],
    leaves: "undecided",
    rules: ["CON-42", "LKP-20"],
    why: "Of events that are sent never, none is sent once too often.",
  },
  {
    choices: ["Q206-nameless"],
    leaves: "undecided",
    rules: ["USR-23"],
    why: "Where a user has no name, no update of another member can lose it.",
  },
  {
    choices: ["Q43-daily"],
    leaves: "warned",
    rules: ["KEYG-06"],
    why: "How exact the time of last use is, nobody says; one before the key was created misleads its reader.",
  },
  {
    choices: ["Q49-whole-period"],
    leaves: "warned",
    rules: ["KEYC-33", "WHP-26", "LIM-07", "LIM-08", "LIM-21", "LIM-22", "LIM-23"],
    why: "A longer wait than the refill takes does no harm to a client that obeys it, and is not what the document sizes it by.",
  },
  {
    choices: ["Q54-crowd"],
    leaves: "warned",
    rules: [
      "KEYC-30",
      "KEYC-32",
      "WHE-03",
      "WHP-23",
      "LIM-01",
      "LIM-03",
      "LIM-04",
      "LIM-05",
      "LIM-06",
      "LIM-15",
      "LIM-16",
      "LIM-19",
    ],
    why: "Any server may fail some of many calls at once; that it does is told.",
  },
  {
    choices: ["Q54-crowd", "Q54-reads"],
    leaves: "warned",
    rules: ["BIL-07", "NUM-34"],
    why: "The same where routes that the document lists no limit for have one too.",
  },
  {
    choices: ["Q98-first"],
    leaves: "undecided",
    rules: ["LKP-17"],
    why: "A server that compares no bodies refuses no other body with a key.",
  },
  {
    choices: ["Q59-unknown"],
    leaves: "undecided",
    rules: ["EVT-08", "WHO-02", "WHO-03", "WHO-04", "WHO-05", "WHO-06", "WHR-12", "WHR-13"],
    why: "The kit verifies no signature of a kind that it does not know.",
  },
  {
    choices: ["Q167-code"],
    leaves: "undecided",
    rules: ["CON-32", "CON-33", "CON-34", "CON-42"],
    why: "What follows a confirmation is seen where YES confirms, and the document does not show what does.",
  },
  {
    choices: ["Q57-own-way"],
    leaves: "undecided",
    rules: ["WHO-02", "WHO-03", "WHO-04", "WHO-06"],
    why: "The kit verifies no signature of a kind that it does not know.",
  },
  {
    choices: ["Q161-some"],
    leaves: "undecided",
    rules: ["CON-21"],
    why: "Where a batch is taken for what is valid in it, none is refused for one of its records.",
  },
  {
    choices: ["Q71-records"],
    leaves: "undecided",
    rules: ["WHP-27", "WHP-28", "WHP-29"],
    why: "Where the record is gone before its event is, no replay meets an expired event.",
  },
  {
    choices: ["Q107-loses-campaign", "Q111-idempotent"],
    leaves: "undecided",
    rules: ["NUM-19"],
    why: "Where a number loses its campaign with its assignment, and to detach none is a success, nothing is left to refuse.",
  },
  {
    choices: ["Q250-later", "Q124-unknown"],
    leaves: "undecided",
    rules: ["LIM-19", "LIM-22"],
    why: "Where nobody is to be erased of whom nothing is known, and a consent counts a while later, a burst of erasures meets people who are not known yet.",
  },
  {
    choices: ["eventRetentionDays 3", "Q71-hours", "Q71-records"],
    leaves: "undecided",
    rules: [
      ...(["WHL-34", "WHL-35", "WHL-37", "WHL-38"] as const),
      // These where only the checks run whose values a seed chooses.
      ...(["WHL-02", "WHL-03", "WHL-04", "WHL-05", "WHL-16", "WHL-17", "WHL-27"] as const),
    ],
    why: "Where an event and its record are gone so soon, the feed never has attempts that differ enough for its filters.",
  },
  {
    choices: ["Q17-one-case"],
    leaves: "warned",
    rules: ["KEYG-01"],
    why: "That an id may be written in either case, RFC 9562 says and the document does not.",
  },
  ...(
    [
      ["unheard", ["MET-01", "MET-02", "MET-03", "MET-04", "MET-05", "MET-06", "MET-22"]],
      ["granularity", ["MET-01", "MET-02", "MET-03", "MET-04", "MET-05", "MET-06", "MET-22"]],
      ["from", ["MET-02", "MET-03", "MET-04", "MET-05", "MET-06", "MET-22"]],
      ["cursor", ["MET-05", "MET-06"]],
      ["nested", ["MET-20", "MET-22"]],
    ] as const
  ).map(
    ([name, rules]): Concession => ({
      choices: [`Q127-${name}`],
      leaves: "undecided",
      rules,
      why: "The document names no parameter and no member; of who has others, nothing is told before they are mapped.",
    }),
  ),
  ...(["from", "granularity"] as const).map(
    (name): Concession => ({
      choices: ["Q127-required", `Q127-${name}`],
      leaves: "undecided",
      rules: ["MET-07", "MET-20", "MET-21"],
      why: "Whoever wants to be told the window, by names that the contract does not have, tells no metrics before they are mapped.",
    }),
  ),
  {
    choices: ["Q127-nested"],
    leaves: "warned",
    rules: ["ENV-20"],
    why: "Of metrics the document shows that they come in pages, not where the buckets stand.",
  },
  {
    choices: ["Q64-once"],
    leaves: "undecided",
    rules: ["EVT-13", "EVT-16", "EVT-19", "WHL-07", "WHP-34", "WHR-24"],
    why: "If nothing is tried again, rules on retries are not applicable.",
  },
  {
    choices: ["Q134-strict"],
    leaves: "undecided",
    rules: ["ENV-44"],
    why: "A proxy that requires the length of a body lets no chunks through.",
  },
  {
    choices: ["Q22-not-found"],
    leaves: "undecided",
    rules: ["ENV-38", "KEYR-05", "WHR-17"],
    why: "A malformed id that finds no record is recorded and not judged.",
  },
];
