import type { Verdict } from "../../compiler/diff/change.ts";
import { changeIds, changeTable } from "../../compiler/diff/change-table.ts";
import { acceptanceText, type DiffReport, evidenceText, overrideText } from "./diff-report.ts";
import { isAccepted, type JudgedChange } from "./judged-change.ts";

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
          partialFingerprints: {
            change: [change.id, change.operation ?? "", change.pointer, change.edit.at, change.edit.keyword].join(" "),
          },
          ...(isAccepted(change)
            ? { suppressions: [{ kind: "external", status: "accepted", justification: acceptanceText(change) ?? "" }] }
            : {}),
          properties: propertiesOf(change),
        })),
      },
    ],
  };
}

const propertiesOf = ({ verdict, override, pointer, rules, checks }: JudgedChange) => ({
  verdict,
  ...(override === null ? {} : { overriddenFrom: override.from }),
  pointer,
  rules,
  ...(checks === null ? {} : { checks }),
});

const messageOf = (change: JudgedChange): string =>
  [change.message, overrideText(change), acceptanceText(change), evidenceText(change, 1000)]
    .filter((line) => line !== null)
    .join("\n");

function locationOf({ place, operation, pointer }: JudgedChange) {
  const logicalLocations = [{ fullyQualifiedName: operation === null ? pointer : `${operation} ${pointer}` }];
  if (place === null) return { logicalLocations };
  const { file, line, column } = place;
  const region =
    line === null ? {} : { region: { startLine: line, ...(column === null ? {} : { startColumn: column }) } };
  const uri = file.split(/[\\/]/).map(encodeURIComponent).join("/");
  return { physicalLocation: { artifactLocation: { uri }, ...region }, logicalLocations };
}
