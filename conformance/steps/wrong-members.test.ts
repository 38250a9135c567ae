import { expect, it } from "vitest";
import { memberNames, wrongMembers } from "./wrong-members.ts";

const wrong = {};

it("makes every member wrong in turn, and leaves the others as they were", () => {
  expect(wrongMembers({ to: "a", urgent: true, when: { day: 1 } })).toEqual([
    { path: ["to"], sound: "a", body: { to: wrong, urgent: true, when: { day: 1 } } },
    { path: ["urgent"], sound: true, body: { to: "a", urgent: wrong, when: { day: 1 } } },
    { path: ["when"], sound: { day: 1 }, body: { to: "a", urgent: true, when: "bylaw" } },
    { path: ["when", "day"], sound: 1, body: { to: "a", urgent: true, when: { day: wrong } } },
  ]);
});

it("makes the first item of a list wrong, and what it has", () => {
  expect(wrongMembers({ records: [{ to: "a" }, { to: "b" }], scopes: ["c"], none: [] })).toEqual([
    { path: ["records"], sound: [{ to: "a" }, { to: "b" }], body: { records: wrong, scopes: ["c"], none: [] } },
    { path: ["records"], sound: { to: "a" }, body: { records: ["bylaw", { to: "b" }], scopes: ["c"], none: [] } },
    { path: ["records", "to"], sound: "a", body: { records: [{ to: wrong }, { to: "b" }], scopes: ["c"], none: [] } },
    { path: ["scopes"], sound: ["c"], body: { records: [{ to: "a" }, { to: "b" }], scopes: wrong, none: [] } },
    { path: ["scopes"], sound: "c", body: { records: [{ to: "a" }, { to: "b" }], scopes: [wrong], none: [] } },
    { path: ["none"], sound: [], body: { records: [{ to: "a" }, { to: "b" }], scopes: ["c"], none: wrong } },
  ]);
});

it("finds nothing to make wrong where there are no members", () => {
  for (const body of [undefined, null, "text", {}, []]) expect(wrongMembers(body)).toEqual([]);
});

it("names the members at whatever depth", () => {
  expect(memberNames({ records: [{ to: "a" }], when: { day: 1 } })).toEqual(["records", "to", "when", "day"]);
});
