import { describe, expect, it } from "vitest";
import { routeTable } from "./route-table.ts";

const find = routeTable(
  ["/a", "/a/{id}", "/a/{id}/b", "/a/fixed", "/a/fixed/{other}/c"].map((template) => [template, template] as const),
);

describe("a table of routes", () => {
  it.each([
    ["/a", "/a", {}],
    ["/a/1", "/a/{id}", { id: "1" }],
    ["/a/1/b", "/a/{id}/b", { id: "1" }],
    ["/a/%20%2F", "/a/{id}", { id: " /" }],
    ["/a/__proto__", "/a/{id}", { id: "__proto__" }],
  ])("finds %s at %s", (path, value, parameters) => {
    expect(find(path)).toEqual({ value, parameters });
  });

  it("takes a fixed word before a parameter, and goes back where it leads nowhere", () => {
    expect(find("/a/fixed")?.value).toBe("/a/fixed");
    expect(find("/a/fixed/b")).toEqual({ value: "/a/{id}/b", parameters: { id: "fixed" } });
    expect(find("/a/fixed/x/c")).toEqual({ value: "/a/fixed/{other}/c", parameters: { other: "x" } });
    expect(find("/a/fixed/x/d")).toBeNull();
  });

  it.each(["", "/", "/A", "/a/", "//a", "/a//b", "/a/1/b/", "/a/1/c", "/%61", "/a/fixed/x"])(
    "finds nothing at %j",
    (path) => {
      expect(find(path)).toBeNull();
    },
  );
});
