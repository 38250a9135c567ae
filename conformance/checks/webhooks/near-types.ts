import { eventTypes } from "../../../generated/events.ts";

/** What comes before the last full stop of an event type, and what comes after it. */
const parts = eventTypes.map((type) => [type.slice(0, type.lastIndexOf(".")), type.slice(type.lastIndexOf(".") + 1)]);
const subjects = [...new Set(parts.map(([subject = ""]) => subject))];
const verbs = [...new Set(parts.map(([, verb = ""]) => verb))];

/** What happens to records elsewhere, as a server of wider scope might tell too. */
const plausibleVerbs = ["created", "updated", "deleted", "failed", "canceled", "completed", "expired"] as const;

/** One character for another that looks or sorts like it, in the middle of a text. */
const oneChanged = (text: string): string => {
  const middle = Math.floor(text.length / 2);
  return `${text.slice(0, middle)}${text[middle] === "e" ? "a" : "e"}${text.slice(middle + 1)}`;
};

/** Ways to get an event type slightly wrong, one for each place and manner. */
const slips: readonly ((type: string) => string)[] = [
  (type) => type.slice(0, -1),
  (type) => type.slice(1),
  (type) => `${type}s`,
  (type) => `${type}.`,
  (type) => `.${type}`,
  (type) => `${type.slice(0, 1).toUpperCase()}${type.slice(1)}`,
  (type) => `${type.slice(0, -1)}${type.slice(-1).toUpperCase()}`,
  (type) => type.toUpperCase(),
  (type) => type.replace(/(.)(.)$/, "$2$1"),
  (type) =>
    type
      .split(".")
      .with(0, oneChanged(type.split(".")[0] ?? ""))
      .join("."),
  (type) =>
    type
      .split(".")
      .with(-1, oneChanged(type.split(".").at(-1) ?? ""))
      .join("."),
  (type) => type.replace(".", "_"),
  (type) => type.replace(".", ".."),
  (type) => type.replace(/.*\./, (head) => `${head.slice(0, -1)}-`),
  (type) => type.replace("_", "") + (type.includes("_") ? "" : "d"),
  (type) => ` ${type}`,
  (type) => `${type} `,
  (type) => `${type},${type}`,
  (type) => `"${type}"`,
  (type) => `${type}\u200b`,
];

/** Slips that each type is given, so that every slip is made of several types and every type is got wrong somehow. */
const slipsEach = 3;

const isDocumented = (text: string): boolean => eventTypes.some((type) => type === text);

/** Documented types, each slightly misspelt. */
export const misspeltTypes: readonly string[] = eventTypes
  .flatMap((type, index) =>
    Array.from({ length: slipsEach }, (_, at) => slips[(index * slipsEach + at) % slips.length]?.(type) ?? ""),
  )
  .filter((text) => text !== "" && !isDocumented(text));

/** What reads like a documented type and is none: what happens to one subject told of another, and parts of types. */
export const plausibleTypes: readonly string[] = [
  ...subjects.flatMap((subject) => [...verbs, ...plausibleVerbs].map((verb) => `${subject}.${verb}`)),
  ...subjects,
  ...verbs,
  ...subjects.flatMap((subject) => [`${subject}.`, `${subject}.*`]),
  ...["message.sent", "message.delivered", "test", "ping", "*", "bylaw.unknown"],
].filter((text, index, all) => !isDocumented(text) && all.indexOf(text) === index);
