import type { Place, ServiceName } from "../contract.ts";
import type { Change, ChangePlace, Evidence } from "./change.ts";
import { type ChangeId, changeTable } from "./change-table.ts";

/** A change before its rules are looked up: `about` names what the rules would speak about. */
export interface Draft {
  readonly id: ChangeId;
  /** Null for a fact of the contract that is no service's own. */
  readonly service: ServiceName | null;
  readonly operation: string | null;
  readonly pointer: string;
  readonly cause: string | null;
  readonly place: ChangePlace | null;
  readonly message: string;
  readonly about: readonly string[];
  readonly evidence: Evidence | null;
}

/** What all changes at one place share. */
export type Where = Pick<Draft, "service" | "operation" | "pointer" | "place" | "about"> &
  Partial<Pick<Draft, "cause">>;

export const draft = (id: ChangeId, where: Where, message: string, evidence: Evidence | null = null): Draft => ({
  id,
  service: where.service,
  operation: where.operation,
  pointer: where.pointer,
  cause: where.cause ?? null,
  place: where.place,
  about: where.about,
  message,
  evidence,
});

/** The change, with the rules (by what they are about) that it touches; a fact of no service counts to `main`. */
export function changeOf(made: Draft, main: ServiceName, rulesAbout: (name: string) => readonly string[]): Change {
  const { direction, area, verdict } = changeTable[made.id];
  const { id, operation, pointer, cause, place, message, evidence } = made;
  const service = made.service ?? main;
  const rules = [...new Set(made.about.flatMap(rulesAbout))].sort();
  return { id, direction, area, verdict, service, operation, pointer, cause, place, message, rules, evidence };
}

/** A place as a change shows it. Committed contracts leave out lines, whatever the type says. */
export function placeOn(side: "base" | "head", place: Partial<Place> | null | undefined): ChangePlace | null {
  if (place?.file === undefined) return null;
  return { side, file: place.file, line: place.line ?? null, column: place.column ?? null };
}
