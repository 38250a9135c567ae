import { describe, expect, it } from "vitest";
import { type ChangeId, changeTable } from "../../compiler/diff/change-table.ts";
import { versionAdvice, versionText } from "./version-advice.ts";

const change = (id: ChangeId, service: "api" | "sandbox" = "api") => ({
  id,
  service,
  direction: changeTable[id].direction,
  verdict: changeTable[id].verdict,
});

const testing = new Set(["sandbox"]);

const advised = (base: string, head: string, ...ids: readonly ChangeId[]) => {
  const { needed, suggested, enough } = versionAdvice(
    base,
    head,
    ids.map((id) => change(id)),
    testing,
  );
  return [needed, suggested, enough];
};

describe("the version that changes ask for", () => {
  it("is major for what breaks, minor for what is risky or new, a patch for the rest, the gravest deciding", () => {
    expect(advised("1.2.3", "2.0.0", "rule-moved", "operation-removed", "operation-added")).toEqual([
      "major",
      "2.0.0",
      true,
    ]);
    expect(advised("1.2.3", "1.3.0", "rule-added")).toEqual(["minor", "1.3.0", true]);
    expect(advised("1.2.3", "1.3.0", "operation-added")).toEqual(["minor", "1.3.0", true]);
    expect(advised("1.2.3", "1.3.0", "operation-deprecated")).toEqual(["minor", "1.3.0", true]);
    expect(advised("1.2.3", "1.2.4", "rule-moved")).toEqual(["patch", "1.2.4", true]);
    expect(advised("1.2.3", "1.2.3")).toEqual(["none", "1.2.3", true]);
  });

  it("is not met by a smaller one, nor by one that goes back", () => {
    expect(advised("1.2.3", "1.3.0", "operation-removed")).toEqual(["major", "2.0.0", false]);
    expect(advised("1.2.3", "1.2.3", "rule-moved")).toEqual(["patch", "1.2.4", false]);
    expect(advised("1.2.3", "1.2.2")).toEqual(["none", "1.2.3", false]);
    expect(advised("1.2.3", "4.0.0", "rule-moved")).toEqual(["patch", "1.2.4", true]);
  });

  it("is one place lower before 1.0.0", () => {
    expect(advised("0.4.2", "0.5.0", "operation-removed")).toEqual(["minor", "0.5.0", true]);
    expect(advised("0.4.2", "0.4.3", "operation-added")).toEqual(["patch", "0.4.3", true]);
  });

  it("is the release that a pre-release announces, or its next pre-release", () => {
    expect(advised("2.0.0-rc.1", "2.0.0-rc.2", "operation-removed")).toEqual(["major", "2.0.0", true]);
    expect(advised("2.0.0-rc.1", "2.0.0-rc.1", "operation-removed")).toEqual(["major", "2.0.0", false]);
    expect(advised("1.9.0", "2.0.0-rc.1", "operation-removed")).toEqual(["major", "2.0.0", true]);
  });

  it("is told as far as it can be when a version is no semantic one", () => {
    expect(advised("2024-01-01", "2024-02-01", "operation-removed")).toEqual(["major", null, null]);
    expect(advised("1.0.0", "next", "operation-added")).toEqual(["minor", "1.1.0", null]);
    expect(advised("2024-01-01", "2024-01-01")).toEqual(["none", null, true]);
    expect(advised("v1", "v2", "operation-removed")).toEqual(["major", "2.0.0", true]);
  });

  it("is that of the API: the sandbox has its own", () => {
    expect(versionAdvice("1.0.0", "1.0.0", [change("operation-removed", "sandbox")], testing).needed).toBe("none");
  });

  it("is said in a sentence", () => {
    expect(versionText(versionAdvice("1.2.3", "1.3.0", [change("operation-removed")], testing))).toBe(
      "The changes ask for a major version: 1.2.3 → 2.0.0 or later. The head declares 1.3.0, which is too small.",
    );
  });
});
