import { expect, it } from "vitest";
import { memberNames, shows, wrongMembers } from "./wrong-members.ts";

const wrong = {};

it("makes every member wrong in turn, or leaves it out, and leaves the others as they were", () => {
  expect(wrongMembers({ to: "a", urgent: true, when: { day: 1 } })).toEqual([
    {
      path: ["to"],
      sound: "a",
      body: { to: wrong, urgent: true, when: { day: 1 } },
      missing: { urgent: true, when: { day: 1 } },
      isOfRecord: false,
    },
    {
      path: ["urgent"],
      sound: true,
      body: { to: "a", urgent: wrong, when: { day: 1 } },
      missing: { to: "a", when: { day: 1 } },
      isOfRecord: false,
    },
    {
      path: ["when"],
      sound: { day: 1 },
      body: { to: "a", urgent: true, when: "bylaw" },
      missing: { to: "a", urgent: true },
      isOfRecord: false,
    },
    {
      path: ["when", "day"],
      sound: 1,
      body: { to: "a", urgent: true, when: { day: wrong } },
      missing: { to: "a", urgent: true, when: {} },
      isOfRecord: false,
    },
  ]);
});

it("makes the first item of a list wrong, and what it has, or leaves it out", () => {
  const [first, second] = [{ to: "a" }, { to: "b" }];
  expect(wrongMembers({ records: [first, second], none: [] })).toEqual([
    {
      path: ["records"],
      sound: [first, second],
      body: { records: wrong, none: [] },
      missing: { none: [] },
      isOfRecord: false,
    },
    {
      path: ["records"],
      sound: first,
      body: { records: ["bylaw", second], none: [] },
      missing: { records: [second], none: [] },
      isOfRecord: true,
    },
    {
      path: ["records", "to"],
      sound: "a",
      body: { records: [{ to: wrong }, second], none: [] },
      missing: { records: [{}, second], none: [] },
      isOfRecord: true,
    },
    {
      path: ["none"],
      sound: [],
      body: { records: [first, second], none: wrong },
      missing: { records: [first, second] },
      isOfRecord: false,
    },
  ]);
});

it("finds nothing to make wrong where there are no members", () => {
  for (const body of [undefined, null, "text", {}, []]) expect(wrongMembers(body)).toEqual([]);
});

it("names the members at whatever depth", () => {
  expect(memberNames({ records: [{ to: "a" }], when: { day: 1 } })).toEqual(["records", "to", "when", "day"]);
});

it("finds a text under any name, and what is no text under its own", () => {
  const [text, flag] = [
    { path: ["form", "title"], sound: "Bakery" },
    { path: ["enabled"], sound: true },
  ];
  expect(shows({ pages: [{ heading: "Bakery" }] }, text)).toBe(true);
  expect(shows({ title: "Baker" }, text)).toBe(false);
  expect(shows({ wallet: { enabled: true } }, flag)).toBe(true);
  expect(shows({ active: true }, flag)).toBe(false);
  expect(shows(undefined, flag)).toBe(false);
});
