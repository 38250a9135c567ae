import { eventTypes } from "../../generated/events.ts";
import { nameNearMisses } from "./near-misses/name-near-misses.ts";

/** What comes before the last full stop of an event type, and what comes after it. */
const parts = eventTypes.map((type) => [type.slice(0, type.lastIndexOf(".")), type.slice(type.lastIndexOf(".") + 1)]);
const subjects = [...new Set(parts.map(([subject = ""]) => subject))];
const verbs = [...new Set(parts.map(([, verb = ""]) => verb))];

/** What happens to records elsewhere, as a server of wider scope might tell too. */
const plausibleVerbs = ["created", "updated", "deleted", "failed", "canceled", "completed", "expired"] as const;

/** Slips that are those of event types alone: of their words, and of the mark between them. */
const slips: readonly ((type: string) => string)[] = [
  (type) => type.replace(".", "_"),
  (type) => type.replace(/.*\./, (head) => `${head.slice(0, -1)}-`),
  (type) => type.replace(/(.)(.)$/, "$2$1"),
  (type) => `${type}s`,
  (type) => type.replace("_", ""),
  (type) => `"${type}"`,
  (type) => `${type}\u200b`,
];

/** Near misses that each type is given, so that each of them is made of several types. */
const missesEach = 6;

const isDocumented = (text: string): boolean => eventTypes.some((type) => type === text);

/** Documented types, each slightly misspelt. */
export const misspeltTypes: readonly string[] = eventTypes
  .flatMap((type, index) => {
    const all = [...nameNearMisses(type).flatMap(({ values }) => values), ...slips.map((slip) => slip(type))];
    return Array.from({ length: missesEach }, (_, at) => all[(index * missesEach + at) % all.length] ?? "");
  })
  .filter((text, index, all) => !isDocumented(text) && all.indexOf(text) === index);

/** What reads like a documented type and is none: what happens to one subject told of another, and parts of types. */
export const plausibleTypes: readonly string[] = [
  ...subjects.flatMap((subject) => [...verbs, ...plausibleVerbs].map((verb) => `${subject}.${verb}`)),
  ...subjects,
  ...verbs,
  ...subjects.flatMap((subject) => [`${subject}.`, `${subject}.*`]),
  ...["message.sent", "message.delivered", "test", "ping", "*", "bylaw.unknown"],
].filter((text, index, all) => !isDocumented(text) && all.indexOf(text) === index);
