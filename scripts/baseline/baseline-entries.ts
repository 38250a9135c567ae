import { stringify } from "yaml";
import { printableLine } from "../../conformance/reports/printable.ts";
import type { Results } from "../../conformance/reports/results-json.ts";

/** Days for which a printed entry holds. */
const holdsFor = 90;

/**
 * An entry for each broken rule of a run that its baseline does not know, ready for the file but for reason and owner:
 * those are a person's to give, and without them the file is refused. `today` is `YYYY-MM-DD`.
 */
export function baselineEntries({ rules, baseline }: Results, today: string): string {
  const open = rules.filter(({ id, verdict }) => verdict === "fail" && baseline?.rules.includes(id) !== true);
  if (open.length === 0) return "# No failure is new, so there is nothing to know of.\nknown: []\n";
  const expires = new Date(Date.parse(`${today}T00:00:00Z`) + holdsFor * 86_400_000).toISOString().slice(0, 10);
  const entries = open.map(({ id, says, failures }) => {
    const checks = [...new Set(failures.filter(({ verdict }) => verdict === "fail").map(({ check }) => check))];
    const entry = { rule: id, checks, reason: "", owner: "", expires };
    const text = stringify([entry], { lineWidth: 0 });
    return `  # ${printableLine(says)}\n${text.replace(/^(?=.)/gm, "  ")}`;
  });
  return `# Give each entry a reason and an owner; without them the file is refused.\nknown:\n${entries.join("")}`;
}
