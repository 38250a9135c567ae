import type { Place, ServiceName } from "../contract.ts";
import type { Reading } from "../schema/inclusion.ts";
import type { ChangePlace, Edit, Evidence, PlainChange } from "./change.ts";
import { type ChangeId, changeTable } from "./change-table.ts";

/** A change before its rules are looked up: `about` names what the rules would speak about. */
export interface Draft {
  readonly id: ChangeId;
  /** Null for a fact of the contract that is no service's own. */
  readonly service: ServiceName | null;
  readonly operation: string | null;
  readonly pointer: string;
  readonly edit: Edit;
  readonly place: ChangePlace | null;
  readonly message: string;
  readonly about: readonly string[];
  readonly evidence: Evidence | null;
}

/** Why nothing is shown of what a reference that leads nowhere stands for. */
export const unfollowed: Evidence = { kind: "unproven", why: "the reference leads nowhere" };

/** What all changes at one place share. */
export interface Where extends Pick<Draft, "service" | "operation" | "pointer" | "place" | "about"> {
  /** Begins the pointer: where the service's document stands. */
  readonly prefix?: string;
  /** Left out where what the pointer leads to came, went or differs as a whole. */
  readonly edit?: Edit;
}

/** The pointer within the service's document. */
export const documentPointer = ({ pointer, prefix = "" }: Where): string =>
  pointer.startsWith(`${prefix}/`) ? pointer.slice(prefix.length) : pointer;

export const draft = (id: ChangeId, where: Where, message: string, evidence: Evidence | null = null): Draft => ({
  id,
  service: where.service,
  operation: where.operation,
  pointer: where.pointer,
  edit: where.edit ?? editOf(id, documentPointer(where)),
  place: where.place,
  about: where.about,
  message,
  evidence,
});

/** Something that came, went or differs as a whole. */
function editOf(id: ChangeId, at: string): Edit {
  const name = at.slice(at.lastIndexOf("/") + 1);
  const [isGone, isNew] = [/-removed\b/.test(id), /-added\b/.test(id)];
  return { at, keyword: id, before: isGone ? [name] : [], after: isNew ? [name] : [] };
}

/** The change, with the rules (by what they are about) that it touches; a fact of no service counts to `main`. */
export function changeOf(
  made: Draft,
  main: ServiceName,
  rulesAbout: (name: string) => readonly string[],
  reading: Reading = "names",
): PlainChange {
  const { direction, area, verdict: meant, verdictByLetter = meant } = changeTable[made.id];
  const verdict = reading === "letter" ? verdictByLetter : meant;
  const { id, operation, pointer, edit, place, message, evidence } = made;
  const service = made.service ?? main;
  const rules = [...new Set(made.about.flatMap(rulesAbout))].sort();
  return { id, direction, area, verdict, service, operation, pointer, edit, place, message, rules, evidence };
}

/** A place as a change shows it. Committed contracts leave out lines, whatever the type says. */
export function placeOn(side: "base" | "head", place: Partial<Place> | null | undefined): ChangePlace | null {
  if (place?.file === undefined) return null;
  return { side, file: place.file, line: place.line ?? null, column: place.column ?? null };
}
