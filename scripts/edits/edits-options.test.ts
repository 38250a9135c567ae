import { describe, expect, it } from "vitest";
import { readEditsOptions } from "./edits-options.ts";

describe("the arguments of npm run edits", () => {
  it("ask for everything when there are none", () => {
    expect(readEditsOptions([])).toEqual({ only: [], changed: null, pack: null, format: "text" });
  });

  it("name edits, a commit and a format", () => {
    const args = ["KEYC-30", "--base", "HEAD~3", "--format", "json"];
    expect(readEditsOptions(args)).toEqual({ only: ["KEYC-30"], changed: "HEAD~3", pack: null, format: "json" });
  });

  it("name the choices of a pack", () => {
    expect(readEditsOptions(["--pack", "Q54-reads, lastUsed delayed"])).toMatchObject({
      pack: ["Q54-reads", "lastUsed delayed"],
    });
  });

  it.each([[["-at-"]], [["--all"]], [["--format", "xml"]], [["--pack", "a,b", "KEYC"]]])("are refused: %j", (args) => {
    expect(readEditsOptions(args)).toHaveProperty("problem");
  });
});
