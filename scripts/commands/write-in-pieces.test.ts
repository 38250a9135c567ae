import { expect, it } from "vitest";
import { writeInPieces } from "./write-in-pieces.ts";

it.each([
  ["nothing", ""],
  ["a short text", "a\n"],
  ["a long text, no character of which is cut", `a${"😀".repeat(2 ** 20)}`],
])("writes %s whole", (_, text) => {
  const pieces: Buffer[] = [];
  writeInPieces({ write: (piece: string | Uint8Array) => pieces.push(Buffer.from(piece.toString())) > 0 }, text);
  expect(Buffer.concat(pieces).equals(Buffer.from(text))).toBe(true);
  expect(pieces.length > 1).toBe(text.length > 2 ** 20);
});
