import { type Aim, isReached, type Section, type Spread, spreadOf } from "./figure.ts";
import type { Machine } from "./machine.ts";

/** All that a run measured, as a table for people. A quick run is told to be one, and no aim is judged by it. */
export function benchText(machine: Machine, quick: boolean, sections: readonly Section[]): string {
  const { cpu, cores, memoryGiB, system, node } = machine;
  const about = `${cpu}, ${cores} cores, ${memoryGiB} GiB; ${system}; Node.js ${node}`;
  const caution = quick ? ["A quick run: it shows that everything runs, and its figures say little."] : [];
  return [about, ...caution, ...sections.map((section) => sectionText(section, quick))].join("\n\n").concat("\n");
}

function sectionText({ title, notes, figures, ratios, aims }: Section, quick: boolean): string {
  const rows = [
    ...figures.map(({ name, unit, samples }) => ({ name, unit, samples, aim: aims[name] ?? null })),
    ...ratios.map(({ of, to, samples, aim }) => ({ name: `${of} : ${to}`, unit: "×", samples, aim })),
  ];
  const cells = rows.map(({ name, unit, samples, aim }) => [
    name,
    ...spreadCells(spreadOf(samples)),
    unit,
    String(samples.length),
    aim === null ? "" : aimText(aim, quick ? null : samples),
  ]);
  const table = aligned([["", "min", "median", "max", "", "rounds", "aim"], ...cells]);
  return [title, ...table.map((line) => `  ${line}`), ...notes.map((note) => `  ${note}`)].join("\n");
}

const spreadCells = ({ min, median, max }: Spread): readonly string[] => [min, median, max].map(number);

/** Three significant digits say more than any run can repeat. */
const number = (value: number): string => (value >= 100 ? Math.round(value).toString() : value.toPrecision(3));

const aimText = (aim: Aim, samples: readonly number[] | null): string =>
  `${aim.kind} ${aim.value}${samples === null ? "" : isReached(aim, samples) ? ": reached" : ": missed"}`;

/** Columns of one width each, numbers to the right. */
function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows.reduce<readonly number[]>(
    (wide, row) => row.map((cell, column) => Math.max(wide[column] ?? 0, cell.length)),
    [],
  );
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column >= 1 && column <= 3 ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd(),
  );
}
