import { expect, test } from "vitest";
import type { Mutant } from "./edit.ts";
import { editedFiles } from "./load-edited.ts";

const stale = { file: "server.ts", find: "noSuchCall()", replace: "" };
const mutant: Mutant = { id: "WHR-15-made", does: "", breaks: "WHR-15", changes: [stale] };

test("an edit that no longer applies is told with the place where it is written and the file that it looked in", () => {
  expect(() => editedFiles([mutant])).toThrow(
    /^Edit WHR-15-made \(reference-server\/edits\/mutants\/endpoint-access\.ts:\d+\) does not apply to reference-server\/server\.ts: it is not in the file/,
  );
});

test("one that nobody wrote there is told by its name", () => {
  expect(() => editedFiles([{ ...mutant, id: "nobodys" }])).toThrow(
    "Edit nobodys (reference-server/edits/) does not apply",
  );
});
