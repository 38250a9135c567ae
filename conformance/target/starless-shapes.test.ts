import { expect, test } from "vitest";
import { starlessShapes } from "./starless-shapes.ts";

const shapes = (response: Readonly<Record<string, string>>) => ({ listMessages: { request: {}, response } });

test("the path of a field in a list requires a star", () => {
  expect(starlessShapes(shapes({ id: "message_id", status: "*.state" }))).toEqual([
    { operation: "listMessages", field: "id", path: "message_id" },
  ]);
});

test("the path of a field in one record requires no star", () => {
  expect(starlessShapes({ getMessage: { request: {}, response: { id: "message_id" } } })).toEqual([]);
});
