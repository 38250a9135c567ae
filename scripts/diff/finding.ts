import { gravity } from "../../compiler/diff/change.ts";
import { counted } from "../../conformance/reports/counted.ts";
import { subjectOf } from "./diff-report.ts";
import type { JudgedChange } from "./judged-change.ts";

/** Changes of one kind and one verdict that one edit made, or a single change. */
export interface Finding {
  /** What they are about: what was edited, else the operation or part of the contract. */
  readonly subject: string;
  /** The change that is told in full. */
  readonly shown: JudgedChange;
  /** The others: the same at other places. */
  readonly others: readonly JudgedChange[];
}

/** Changes grouped by the edit behind them, in their order. What was decided on differs, so it is never grouped. */
export function findingsOf(changes: readonly JudgedChange[]): readonly Finding[] {
  const groups = Map.groupBy(changes, (change, index) =>
    change.cause === null || change.acceptance !== null
      ? index
      : JSON.stringify([change.cause, change.id, change.verdict]),
  );
  return [...groups.values()]
    .flatMap(([shown, ...others]): readonly Finding[] =>
      shown === undefined ? [] : [{ subject: editedOf(shown) ?? subjectOf(shown), shown, others }],
    )
    .toSorted((one, other) => gravity[one.shown.verdict] - gravity[other.shown.verdict]);
}

/** The named schema that was edited, and where in it; null where none is behind the change. */
function editedOf({ cause }: JudgedChange): string | null {
  if (cause === null) return null;
  const [name = "", ...within] = cause.split("/").slice(3);
  return `schema ${[name, ...within].join("/")}`;
}

/** Places named before the rest is counted. */
const namedPlaces = 8;

/** Where else it shows, in one line; null when nowhere. */
export function othersText({ shown, others }: Finding): string | null {
  if (others.length === 0) return null;
  const reached = [...new Set([shown, ...others].map(subjectOf))];
  const named = reached.slice(0, namedPlaces);
  const rest = reached.length > namedPlaces ? ` and ${reached.length - namedPlaces} more` : "";
  const operations = reached.length === others.length + 1 ? "" : `, ${counted(others.length + 1, "place")}`;
  return `one edit reaches ${counted(reached.length, "operation")}${operations}: ${named.join(", ")}${rest}`;
}
