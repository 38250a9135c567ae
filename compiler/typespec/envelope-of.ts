import type { EnvelopePart } from "../../spec/vocabulary/facts.ts";
import type { Envelope, ServiceName } from "../contract.ts";
import type { ReadRow } from "./read-error-row.ts";
import type { SpecSource } from "./spec-source.ts";

const parts: readonly EnvelopePart[] = ["code", "message", "details", "requestId"];

/** The one envelope that all error rows of a service have; a row that puts a part elsewhere is refused. */
export function envelopeOf(source: SpecSource, all: readonly ReadRow[], service: ServiceName): Envelope {
  const rows = all.filter(({ row }) => row.service === service);
  const placed = new Map<EnvelopePart, string>();
  for (const { model, parts: own } of rows) {
    for (const part of parts) {
      const at = own.get(part);
      const before = placed.get(part);
      if (at === undefined || at === before) continue;
      if (before === undefined) placed.set(part, at);
      else {
        source.fault(
          "envelope-differs",
          `${model.name} has its ${part} at ${at}, other error rows of the service have it at ${before}.`,
          "Let all error rows of a service have one form.",
          model,
        );
      }
    }
  }
  return {
    code: placed.get("code") ?? "/code",
    message: placed.get("message") ?? null,
    details: placed.get("details") ?? null,
    requestId: placed.get("requestId") ?? null,
  };
}
