/** What differs from one run, record or moment to the next, each with what stands for it. */
const particulars: readonly (readonly [pattern: RegExp, stands: string])[] = [
  [/\$\{\w+\}/g, "‹secret›"],
  [/https?:\/\/[^\s"'<>]+/g, "‹address›"],
  [/\b(?:[a-z]+_)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "‹id›"],
  [/\b\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?/g, "‹time›"],
  [/\+\d{8,15}\b/g, "‹number›"],
  [/\b(?=[\w+/=-]*\d)[\w+/-]{20,}=*/g, "‹token›"],
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,16}\b/g, "‹digest›"],
  [/\d{4,}/g, "‹figure›"],
];

/** A text without what is of one run alone: ids, secrets, digests, times, addresses and large numbers. */
export const abstracted = (text: string): string =>
  particulars.reduce((rest, [pattern, stands]) => rest.replace(pattern, stands), text);

/** Ids, and words that are made up for one call. */
const names = /\b(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,16})\b/gi;

/** A text without names that were made up, or given, for one call: two that are the same then differ in nothing that explains. */
export const unnamed = (text: string): string => text.replace(names, "·");
