import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Contract } from "../contract.ts";
import { readOpenApi } from "../read-openapi.ts";
import { includes } from "../schema/inclusion.ts";
import { gravity } from "./change.ts";
import { diff } from "./diff.ts";
import { closedPairs } from "./fixtures/closed-pairs.ts";
import { loosePairs } from "./fixtures/loose-pairs.ts";
import type { Gravest } from "./fixtures/named-members.ts";
import { parameterPairs } from "./fixtures/parameter-pairs.ts";
import { schemaPairs } from "./fixtures/schema-pairs.ts";
import { specifiedPairs } from "./fixtures/specified-pairs.ts";
import { surroundingPairs } from "./fixtures/surrounding-pairs.ts";
import type { JsonObject } from "./json-at.ts";

const folder = mkdtempSync(join(tmpdir(), "bylaw-pairs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function read(document: JsonObject): Promise<Contract> {
  const path = join(folder, "document.json");
  writeFileSync(path, JSON.stringify(document));
  const { contract, problems } = await readOpenApi(path, folder);
  expect(problems).toEqual([]);
  if (contract === null) throw new Error("A document without problems is read.");
  return contract;
}

function gravest(base: Contract, head: Contract): { readonly verdict: Gravest; readonly told: readonly string[] } {
  const changes = diff(base, head, {
    includes: (one, other) => includes(one, other, "names"),
    extent: "document",
    reading: "names",
  });
  const [first] = changes.toSorted((one, other) => gravity[one.verdict] - gravity[other.verdict]);
  return { verdict: first?.verdict ?? "none", told: changes.map(({ id, message }) => `${id}: ${message}`) };
}

describe("an edit of a document and its reverse", () => {
  it.each([...schemaPairs, ...parameterPairs, ...surroundingPairs, ...loosePairs, ...closedPairs, ...specifiedPairs])(
    "$name",
    async ({ base, head, forth, back }) => {
      const [one, other] = [await read(base), await read(head)];
      const [there, again] = [gravest(one, other), gravest(other, one)];
      expect({ forth: there.verdict, back: again.verdict }, [...there.told, ...again.told].join("\n")).toEqual({
        forth,
        back,
      });
    },
  );
});
