import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { Contract } from "../../compiler/contract.ts";
import type { Change } from "../../compiler/diff/change.ts";
import { diff } from "../../compiler/diff/diff.ts";
import { asPublished } from "../../compiler/publish/described-document.ts";
import { readTypeSpec } from "../../compiler/read-typespec.ts";
import { includes } from "../../compiler/schema/inclusion.ts";
import { findingsOf } from "./finding.ts";
import type { JudgedChange } from "./judged-change.ts";
import { versionAdvice } from "./version-advice.ts";

const root = resolve(import.meta.dirname, "../..");
const copy = mkdtempSync(join(tmpdir(), "bylaw-event-"));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** The spec, with another type of event behind the last one. */
async function withEvent(): Promise<Contract | null> {
  cpSync(join(root, "spec"), join(copy, "spec"), { recursive: true });
  for (const name of ["compiler", "node_modules"]) symlinkSync(join(root, name), join(copy, name));
  const path = join(copy, "spec/events.tsp");
  const text = readFileSync(path, "utf8");
  const list = /enum EventType \{[^}]*/.exec(text)?.[0] ?? "";
  expect(list).not.toBe("");
  writeFileSync(path, text.replace(list, `${list}  carrierMoved: "carrier.moved",\n`));
  return (await readTypeSpec(join(copy, "spec/main.tsp"), copy)).contract;
}

it("an event of a new type is one finding, and asks for a minor version", async () => {
  const base: Contract = JSON.parse(readFileSync(join(root, "generated/contract.json"), "utf8"));
  const head = await withEvent();
  if (head === null) throw new Error("The copy of the spec does not compile.");
  const between = (one: Contract, other: Contract, extent: "contract" | "document"): readonly Change[] =>
    diff(one, other, { includes: (inner, outer) => includes(inner, outer, "names"), extent });
  const changes = between(base, head, "contract");
  const published = between(asPublished(base), asPublished(head), "document");
  for (const found of [changes, published]) {
    const judged = found.map(
      (change): JudgedChange => ({
        ...change,
        ...{ override: null, acceptance: null, checks: null, lines: { base: null, head: null } },
      }),
    );
    expect(findingsOf(judged).map(({ subject, verdict }) => [subject, verdict])).toEqual([
      ["schema EventType", "risky"],
    ]);
    expect(versionAdvice("1.0.0", "1.0.0", found, new Set(["sandbox"])).needed).toBe("minor");
  }
}, 60_000);
