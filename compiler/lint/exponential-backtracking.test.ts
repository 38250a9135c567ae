import { describe, expect, it } from "vitest";
import { patternTree } from "../schema/pattern-tree.ts";
import { backtracksExponentially } from "./exponential-backtracking.ts";

function verdictOn(pattern: string): string {
  const tree = patternTree(pattern);
  return tree === null ? "invalid" : backtracksExponentially(tree);
}

describe("backtracksExponentially", () => {
  it.each([
    "(a+)+",
    "^(a|ab?)*$",
    "^(a|aa)*$",
    "^(ab|a|b)*$",
    "^(a+)+$",
    "^(a*)*$",
    "^(?:a|a)*$",
    "^(\\w|\\d)+$",
    "^(a?b?c*)*$",
    "^(a|b|ab)*$",
    "^([a-z]+)*@$",
    "^(\\s*x?\\s*)*$",
    "^((a{1,3})b?)+$",
    "^(a{2,})+$",
    "^(a{0,100})+$",
    "^(.*,)+$",
    "^(?=(x+)+y)z$",
    "^(?<word>\\p{L}+)+$",
    "^([^a]|b)+$",
  ])("says yes to %s", (pattern) => {
    expect(verdictOn(pattern)).toBe("yes");
  });

  it.each([
    "^a+$",
    "^[^:]+:[^:]+$",
    "^([^:]+:)+$",
    "^v1=[^,\\s]+(,v1=[^,\\s]+)*$",
    "^(GET|POST|PUT|PATCH)*$",
    "^(ab?)*$",
    "^(ab|ba)*$",
    "^(a?b)*$",
    "^(a|ab)*$",
    "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{12}$",
    "^(\\d{1,3}\\.){3}\\d{1,3}$",
    "^(\\d{3})*$",
    "^(?=.*\\S)[^\\p{Cc}]*$",
    "^[a-z]+(-[a-z]+)*$",
    "^a*a*$",
    "^(?:\\u{1F600}|\\x41|\\cA|\\t|[\\b\\]\\-a-c])*$",
    "^svc_.",
    "",
  ])("says no to %s", (pattern) => {
    expect(verdictOn(pattern)).toBe("no");
  });

  it("gives up on a pattern that is larger than a contract needs", () => {
    expect(verdictOn("^((((a{12}){12}){12}){12}){12}$")).toBe("too large to tell");
  });

  it("leaves what is no pattern to another rule", () => {
    expect(verdictOn("^(a")).toBe("invalid");
    expect(verdictOn("^\\-$")).toBe("invalid");
  });
});
