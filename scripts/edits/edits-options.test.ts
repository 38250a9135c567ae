import { describe, expect, it } from "vitest";
import { readEditsOptions } from "./edits-options.ts";

describe("the arguments of npm run edits", () => {
  it("ask for everything when there are none", () => {
    expect(readEditsOptions([])).toEqual({
      ...{
        only: [],
        changed: null,
        pack: null,
        drawn: null,
        reports: null,
        again: false,
        processes: null,
        format: "text",
      },
    });
  });

  it("name edits, a commit and a format", () => {
    const args = ["KEYC-30", "--base", "HEAD~3", "--format", "json"];
    const others = { pack: null, drawn: null, reports: null, again: false, processes: null, format: "json" };
    expect(readEditsOptions(args)).toEqual({ only: ["KEYC-30"], changed: "HEAD~3", ...others });
  });

  it("ask for what did not pass the last time", () => {
    expect(readEditsOptions(["--again"])).toMatchObject({ again: true, only: [] });
    expect(readEditsOptions(["--again", "KEYC"])).toHaveProperty("problem");
    expect(readEditsOptions(["--again", "--processes", "3"])).toMatchObject({ again: true, processes: 3 });
  });

  it("name the choices of a pack", () => {
    expect(readEditsOptions(["--pack", "Q54-reads, lastUsed delayed"])).toMatchObject({
      pack: ["Q54-reads", "lastUsed delayed"],
    });
  });

  it("ask for packs of any choices, by seed", () => {
    expect(readEditsOptions(["--packs-of", "60"])).toMatchObject({ drawn: { size: 60, seeds: [1] } });
    expect(readEditsOptions(["--packs-of", "9", "--seed", "2,3"])).toMatchObject({ drawn: { size: 9, seeds: [2, 3] } });
  });

  it("ask for whole reports of mutants, by seed", () => {
    expect(readEditsOptions(["--reports-of", "9", "--seed", "2"])).toMatchObject({ reports: { size: 9, seeds: [2] } });
  });

  it.each([
    [["-at-"]],
    [["--all"]],
    [["--format", "xml"]],
    [["--pack", "a,b", "KEYC"]],
    [["--pack", "a", "--packs-of", "9"]],
    [["--packs-of", "all"]],
    [["--packs-of", "9", "--reports-of", "9"]],
    [["--reports-of", "0"]],
    [["--processes", "0"]],
    [["--processes", "few"]],
    [["--seed", "2"]],
    [["--packs-of", "9", "--seed", "x"]],
  ])("are refused: %j", (args) => {
    expect(readEditsOptions(args)).toHaveProperty("problem");
  });
});
