import type { Change, Verdict } from "../../compiler/diff/change.ts";
import { changeIds, changeTable } from "../../compiler/diff/change-table.ts";
import { type DiffReport, evidenceText } from "./diff-report.ts";

const levels: Readonly<Record<Verdict, "error" | "warning" | "note">> = {
  breaking: "error",
  risky: "warning",
  safe: "note",
};

/** The report as SARIF 2.1.0: a rule for each kind of change, a result for each change. */
export function sarifReport({ changes }: DiffReport) {
  const used = changeIds.filter((id) => changes.some((change) => change.id === id));
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "bylaw",
            rules: used.map((id) => ({
              id,
              shortDescription: { text: changeTable[id].title },
              defaultConfiguration: { level: levels[changeTable[id].verdict] },
              properties: { area: changeTable[id].area, direction: changeTable[id].direction },
            })),
          },
        },
        columnKind: "utf16CodeUnits",
        results: changes.map((change) => ({
          ruleId: change.id,
          ruleIndex: used.indexOf(change.id),
          level: levels[change.verdict],
          message: { text: messageOf(change) },
          locations: [locationOf(change)],
          // The same change keeps its identity when lines move.
          partialFingerprints: { change: [change.id, change.operation ?? "", change.pointer].join(" ") },
          properties: { verdict: change.verdict, pointer: change.pointer, rules: change.rules },
        })),
      },
    ],
  };
}

const messageOf = (change: Change): string => {
  const evidence = evidenceText(change, 1000);
  return evidence === null ? change.message : `${change.message}\n${evidence}`;
};

function locationOf({ place, operation, pointer }: Change) {
  const logicalLocations = [{ fullyQualifiedName: operation === null ? pointer : `${operation} ${pointer}` }];
  if (place === null) return { logicalLocations };
  const { file, line, column } = place;
  const region =
    line === null ? {} : { region: { startLine: line, ...(column === null ? {} : { startColumn: column }) } };
  const uri = file.split(/[\\/]/).map(encodeURIComponent).join("/");
  return { physicalLocation: { artifactLocation: { uri }, ...region }, logicalLocations };
}
