import fc from "fast-check";
import { codePoint } from "./hostile-text.ts";

/** Texts one small edit away from those given: the likeliest to be let through by a sloppy check. */
export function nearMisses(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(texts, fc.constantFrom(...edits), fc.nat(), codePoint()).map(([text, edit, position, point]) => {
    const points = [...text];
    return edit(points, points.length === 0 ? 0 : position % points.length, point).join("");
  });
}

type Edit = (points: readonly string[], at: number, point: string) => readonly string[];

const edits: readonly Edit[] = [
  (points, at) => points.toSpliced(at, 1),
  (points, at) => points.slice(0, at),
  (points, at, point) => points.toSpliced(at, 1, point),
  (points, at, point) => points.toSpliced(at, 0, point),
  (points, at) => points.toSpliced(at, 0, points[at] ?? "a"),
  (points, at) => points.map((point, index) => (index === at ? swapCase(point) : point)),
  (points) => points.map(swapCase),
  (points) => [...points, "\n"],
  (points) => [" ", ...points],
  (points) => [...points, ...points],
];

const swapCase = (point: string): string => (point === point.toLowerCase() ? point.toUpperCase() : point.toLowerCase());
