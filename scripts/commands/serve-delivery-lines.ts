import type { DestinationStream } from "pino";

/**
 * Passes a log on, and shows its sentences about attempts at deliveries to whoever watches. The log itself is JSON, for
 * machines.
 */
export const withDeliveryLines = (log: DestinationStream, show: (line: string) => void): DestinationStream => ({
  write(line) {
    log.write(line);
    // Spares other lines the parsing.
    const sentence = line.includes('"delivery_id"') ? sentenceOf(JSON.parse(line)) : null;
    if (sentence !== null) show(sentence);
  },
});

/** Null for a line about something else, such as a delivery that was broken off. */
function sentenceOf(line: unknown): string | null {
  if (typeof line !== "object" || line === null || !("outcome" in line) || !("msg" in line)) return null;
  return typeof line.msg === "string" ? line.msg : null;
}
