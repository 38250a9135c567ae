import { expect, test } from "vitest";
import { starlessShapes } from "./starless-shapes.ts";

const shapes = (response: Readonly<Record<string, string>>) => ({ listMessages: { request: {}, response } });

test("a field of what is listed wants a star", () => {
  expect(starlessShapes(shapes({ id: "message_id", status: "*.state" }))).toEqual([
    { operation: "listMessages", field: "id", path: "message_id" },
  ]);
});

test("an operation whose data is one record wants none", () => {
  expect(starlessShapes({ getMessage: { request: {}, response: { id: "message_id" } } })).toEqual([]);
});
