import { stringify } from "yaml";
import { printableLine } from "../../conformance/reports/printable.ts";
import { keyOf } from "./accepted-changes.ts";
import { type DiffReport, isFailing } from "./diff-report.ts";

/** Days for which a printed entry holds. */
const holdsFor = 90;

/**
 * An entry for each place with changes that fail, ready for the file of accepted changes but for reason and owner: those
 * are a person's to give, and without them the file is refused.
 */
export function acceptanceEntries({ changes, failOn }: DiffReport, today: string): string {
  const failing = changes.filter((change) => isFailing(change, failOn));
  if (failing.length === 0) return "# No change fails, so there is nothing to accept.\naccepted: []\n";
  const expires = new Date(Date.parse(`${today}T00:00:00Z`) + holdsFor * 86_400_000).toISOString().slice(0, 10);
  const entries = [...Map.groupBy(failing, keyOf).values()].flatMap((alike): readonly string[] => {
    const [first] = alike;
    if (first === undefined) return [];
    const { id, operation, pointer } = first;
    const entry = { id, ...(operation === null ? {} : { operation }), pointer, reason: "", owner: "", expires };
    const text = stringify([entry], { lineWidth: 0, defaultStringType: "PLAIN" });
    const about = alike.map(({ verdict, message }) => `  # ${verdict}: ${printableLine(message)}\n`).join("");
    return [`${about}${text.replace(/^(?=.)/gm, "  ")}`];
  });
  return `# Give each entry a reason and an owner; without them the file is refused.\naccepted:\n${entries.join("")}`;
}
