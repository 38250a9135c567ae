import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { benchJson } from "./bench/bench-json.ts";
import { benchText } from "./bench/bench-text.ts";
import { type Figure, isReached, ratioOf, type Section, spreadOf } from "./bench/figure.ts";
import { inRounds } from "./bench/rounds.ts";

const machine = { cpu: "A processor", cores: 2, memoryGiB: 4, system: "linux", node: "24.0.0" };
const ours: Figure = { name: "ours", unit: "requests/s", samples: [50, 60, 40] };
const anchor: Figure = { name: "anchor", unit: "requests/s", samples: [100, 100, 50] };
const section: Section = {
  title: "Something",
  notes: ["How it was measured."],
  figures: [ours, anchor],
  ratios: [ratioOf(ours, anchor, { kind: "at least", value: 0.5 })],
  aims: { ours: { kind: "below", value: 50 } },
};

describe("figures", () => {
  it("are told with their least, middle and greatest sample", () => {
    expect(spreadOf([3, 1, 2])).toEqual({ min: 1, median: 2, max: 3 });
    expect(spreadOf([4, 1, 2, 3])).toEqual({ min: 1, median: 2.5, max: 4 });
    expect(() => spreadOf([])).toThrow("Nothing was measured.");
  });

  it("are set against their anchor round by round", () => {
    expect(ratioOf(ours, anchor, null).samples).toEqual([0.5, 0.6, 0.8]);
  });

  it("reach an aim by their median", () => {
    expect(isReached({ kind: "at least", value: 50 }, ours.samples)).toBe(true);
    expect(isReached({ kind: "at most", value: 49 }, ours.samples)).toBe(false);
    expect(isReached({ kind: "below", value: 50 }, ours.samples)).toBe(false);
  });

  it("are measured in rounds, each of which begins with another one", async () => {
    const order: string[] = [];
    const subject = (name: string) => ({
      ...{ name, unit: "s" as const },
      sample: async () => order.push(name),
    });
    const figures = await inRounds([subject("a"), subject("b")], 2, () => undefined);
    expect(order).toEqual(["a", "b", "b", "a"]);
    expect(figures.map(({ name, samples }) => [name, samples])).toEqual([
      ["a", [1, 4]],
      ["b", [2, 3]],
    ]);
  });
});

describe("the output", () => {
  it("is a table with the machine, the spread of each figure and whether it reached its aim", () => {
    expect(benchText(machine, false, [section])).toBe(`A processor, 2 cores, 4 GiB; linux; Node.js 24.0.0

Something
                   min  median    max              rounds  aim
  ours            40.0    50.0   60.0  requests/s  3       below 50: missed
  anchor          50.0     100    100  requests/s  3
  ours : anchor  0.500   0.600  0.800  ×           3       at least 0.5: reached
  How it was measured.
`);
  });

  it("judges no aim by a quick run", () => {
    expect(benchText(machine, true, [section])).not.toMatch(/reached|missed/);
    expect(benchJson(machine, true, [section])).toContain('"reached": null');
    expect(benchJson(machine, false, [section])).toContain('"reached": true');
  });
});

describe("the command", () => {
  it("measures every part in a quick run and prints JSON alone", async () => {
    const { code, out, err } = await bench("--quick", "--format", "json");
    expect(code, err).toBe(0);
    const { sections } = JSON.parse(out) as { readonly sections: readonly Section[] };
    const figures = sections.flatMap((each) => each.figures.map(({ name }) => name));
    expect(figures).toEqual(
      expect.arrayContaining([
        ...["reference on SQLite", "bare Express", "Prism's mock", "bylaw compile", "tsp compile"],
        ...["read a key on SQLite", "create a key on SQLite", "create an endpoint on PostgreSQL"],
        ...["a lookup with an idempotency key on SQLite", "create a key on PostgreSQL, 95th percentile of latency"],
        ...["20 operations", "10 operations"],
        ...["bylaw verify --reference", "its webhook part", "the kit's requests"],
        ...["a bare insert on SQLite", "a send on PostgreSQL", "its limits on PostgreSQL"],
        ...["reference on SQLite, claims", "reference on PostgreSQL, statements"],
        ...["reference on PostgreSQL", "undici, a connection each", "undici, connections kept"],
        ...["first page of 100", "page in the middle, one endpoint of 1 k", "first page, whole request of 1 k"],
      ]),
    );
    for (const { samples } of sections.flatMap((each) => [...each.figures, ...each.ratios]))
      expect(samples).toEqual([expect.any(Number)]);
  }, 900_000);

  it("says what is wrong with its flags", async () => {
    expect(await bench("--only", "speed")).toMatchObject({
      code: 2,
      err: expect.stringContaining("requests, writes, compile, diff"),
    });
    expect(await bench("--shape", "wide")).toMatchObject({ code: 2, err: expect.stringContaining("wide enums") });
    expect(await bench("--format", "xml")).toMatchObject({ code: 2, err: expect.stringContaining("text or json") });
    expect(await bench("--fast")).toMatchObject({ code: 2, err: expect.stringContaining("--fast") });
  });
});

async function bench(...flags: readonly string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, "bench.ts"), ...flags], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => (out += String(chunk)));
  child.stderr.on("data", (chunk) => (err += String(chunk)));
  const [code] = await once(child, "close");
  return { code, out, err };
}
