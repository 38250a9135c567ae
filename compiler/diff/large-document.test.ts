import { describe, expect, it } from "vitest";
import type { Json, JsonSchema } from "../contract.ts";
import { includes, type Reading, Work } from "../schema/inclusion.ts";
import type { Change } from "./change.ts";
import { diff } from "./diff.ts";
import { contractOf, documentOf } from "./fixtures/document-of.ts";
import { hardDocument } from "./fixtures/hard-documents.ts";
import { largeDocument } from "./fixtures/large-document.ts";

const between = (base: Parameters<typeof diff>[0], head: Parameters<typeof diff>[1], reading: Reading = "letter") =>
  diff(base, head, { includes: (one, other) => includes(one, other, reading), extent: "document" });

describe("two documents of many operations", () => {
  const document = (changes: number) => largeDocument({ operations: 60, changes });

  it("are the same for the same options, and are no change from themselves", () => {
    expect(document(10)).toEqual(document(10));
    expect(between(contractOf(document(10)), contractOf(document(10)))).toEqual([]);
  });

  it("are compared in seconds, with a value for every narrowing and widening", () => {
    const changes = between(contractOf(document(0)), contractOf(document(20)));
    expect(changes.length).toBeGreaterThan(100);
    expect(changes.filter(({ evidence }) => evidence?.kind === "unproven")).toEqual([]);
  });
});

it("tells as not decided what is left of many comparisons when the work of all of them is spent", () => {
  const document = (changes: number) =>
    contractOf(hardDocument({ shape: "components given by id or whole", operations: 120, changes }));
  const work = new Work({ steps: 300, stepsInAll: 500, milliseconds: null });
  const changes = diff(document(0), document(40), {
    includes: (one, other) => includes(one, other, "names", work),
    extent: "document",
  });
  expect(work.isSpent).toBe(true);
  const left = changes.filter(
    ({ evidence }) =>
      evidence?.kind === "unproven" &&
      evidence.why.startsWith("Not decided within the 1,000 steps of work that all comparisons get together."),
  );
  expect(left.length).toBeGreaterThan(50);
  expect(new Set(left.map(({ id, verdict }) => `${id} ${verdict}`))).toEqual(new Set(["schema-undecided risky"]));
  // Each operation's answer reaches an edit, so that each is told of.
  expect(new Set(changes.map(({ operation }) => operation)).size).toBe(120);
});

describe("where everything leads everywhere and work is scarce", () => {
  const between = (operations: number, changes: number, work: Work) => {
    const [base, head] = [0, changes].map((made) =>
      contractOf(hardDocument({ shape: "components given by id or whole", operations, changes: made })),
    );
    if (base === undefined || head === undefined) throw new Error("There are two documents.");
    return diff(base, head, { includes: (one, other) => includes(one, other, "names", work), extent: "document" });
  };

  it("tells the nearest places of each operation, and every edit where it stands", () => {
    const plenty = new Work({ steps: 20_000, stepsInAll: 20_000, milliseconds: null });
    const scarce = new Work({ steps: 20_000, stepsInAll: 20_000, milliseconds: null });
    while (!scarce.isScarce) {
      scarce.grant();
      scarce.step(500);
    }
    const [all, some] = [between(20, 12, plenty), between(20, 12, scarce)];
    const most = (changes: readonly Change[]): number =>
      Math.max(...[...Map.groupBy(changes, ({ operation }) => operation).values()].map(({ length }) => length));
    expect(most(all)).toBeGreaterThan(11);
    expect(most(some)).toBe(11);
    const shown = (changes: readonly Change[]) =>
      new Set(changes.flatMap(({ edit, evidence }) => (evidence?.kind === "value" ? [edit.at] : [])));
    expect(shown(some)).toEqual(shown(all));
    expect(shown(all).size).toBe(12);
  });

  it("calls nothing breaking that the work did not suffice to prove", () => {
    const changes = between(60, 20, new Work({ steps: 150, stepsInAll: 20_000, milliseconds: null }));
    const unproved = changes.filter(({ evidence, edit }) => evidence?.kind === "unproven" && edit.keyword === "$ref");
    expect(unproved.length).toBeGreaterThan(0);
    expect(new Set(unproved.map(({ id, verdict }) => `${id} ${verdict}`))).toEqual(new Set(["schema-undecided risky"]));
  });
});

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const numbered = <T extends Json>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** What takes a bounded time: a schema on each side, with its components, and what is told of it. */
describe("what unfolds far ends in time", () => {
  const doubling = (leaf: JsonSchema) =>
    Object.fromEntries(
      numbered(40, (level) => level).map((level) => [
        `Level${level}`,
        level === 0
          ? leaf
          : { type: "object", properties: { a: ref(`Level${level - 1}`), b: ref(`Level${level - 1}`) } },
      ]),
    );
  const ring = (edit: (index: number) => JsonSchema) =>
    Object.fromEntries(
      numbered(120, (index) => index).map((index) => [
        `Node${index}`,
        {
          type: "object",
          properties: {
            ...edit(index),
            ...Object.fromEntries(
              numbered(6, (way) => way).map((way) => [`to${way}`, ref(`Node${(index * 7 + way * 13 + 1) % 120}`)]),
            ),
          },
        },
      ]),
    );
  const ids = (
    one: readonly [JsonSchema, Record<string, JsonSchema>],
    other: readonly [JsonSchema, Record<string, JsonSchema>],
    reading: Reading = "letter",
  ) =>
    between(documentOf("request", ...one), documentOf("request", ...other), reading).map(
      ({ id, evidence }) => `${id} ${evidence?.kind ?? "none"}`,
    );

  it("components that each use the next one twice, narrowed", () => {
    const [base, head] = [9, 8].map((maxLength) => doubling({ type: "string", maxLength }));
    expect(ids([ref("Level39"), base ?? {}], [ref("Level39"), head ?? {}])).toEqual(["request-body-narrowed value"]);
  });

  it("components that each use the next one twice, which nobody can decide about", () => {
    const [base, head] = ["a", "b"].map((letter) => doubling({ type: "string", pattern: `^(?=x)${letter}$` }));
    expect(ids([ref("Level39"), base ?? {}], [ref("Level39"), head ?? {}])).toEqual(["request-body-narrowed unproven"]);
  });

  it("components that all contain each other, regrouped", () => {
    const one = ring(() => ({ v: { type: "string", minLength: 1 } }));
    const other = ring(() => ({ v: { allOf: [{ type: "string" }, { minLength: 1 }] } }));
    expect(ids([ref("Node0"), one], [ref("Node0"), other])).toEqual([]);
  });

  it("components that all contain each other, with another default in the last", () => {
    const of = (last: string) => ring((index) => ({ v: { type: "string", default: index === 119 ? last : "a" } }));
    expect(ids([ref("Node0"), of("a")], [ref("Node0"), of("b")])).toEqual(["default-changed none"]);
  });

  it("a union of many tagged alternatives, each narrowed", () => {
    const union = (maxLength: number): JsonSchema => ({
      oneOf: numbered(60, (index) => ({
        type: "object",
        required: ["kind"],
        properties: { kind: { const: `k${index}` }, v: { type: "string", maxLength } },
      })),
    });
    expect(ids([union(9), {}], [union(8), {}])).toEqual(Array(60).fill("request-body-narrowed value"));
  });

  it("alternatives with many required enums, of which one is said otherwise", () => {
    const things = (inner: JsonSchema): Record<string, JsonSchema> =>
      Object.fromEntries(
        numbered(3, (index) => index).map((index) => {
          const enums = numbered(8, (at) => `e${at}`).map((name): [string, JsonSchema] => [
            name,
            { enum: numbered(20, (value) => `v${value}`) },
          ]);
          const properties = {
            ...Object.fromEntries(enums),
            [`only${index}`]: index === 2 ? inner : { type: "string" },
          };
          return [`Thing${index}`, { type: "object", required: Object.keys(properties), properties }];
        }),
      );
    const any: JsonSchema = { anyOf: [ref("Thing0"), ref("Thing1"), ref("Thing2")] };
    const [base, head] = [{ type: "string", minLength: 1 }, { allOf: [{ type: "string" }, { minLength: 1 }] }];
    const [one, other] = [base, head].map((inner) => ({ schema: any, components: things(inner ?? {}) }));
    expect(one && other && includes(one, other)).toEqual({ kind: "included" });
  });

  it("components that refer to each other by id or whole, as an expanded answer has them", () => {
    const many = 90;
    const things = (limit: (index: number) => JsonSchema): Record<string, JsonSchema> =>
      Object.fromEntries(
        numbered(many, (index) => index).flatMap((index) => {
          const kind = { enum: [`thing_${index}`] };
          const others = numbered(5, (way) => (index * 7 + way * 11 + 1) % many).map((other, way) => [
            `to_${way}`,
            { anyOf: [{ type: "string", maxLength: 500 }, ref(`Thing${other}`), ref(`Gone${other}`)] },
          ]);
          const properties = {
            id: { type: "string" },
            object: kind,
            amount: limit(index),
            ...Object.fromEntries(others),
          };
          const gone = { id: { type: "string" }, object: kind, deleted: { enum: [true] } };
          return [
            [`Thing${index}`, { type: "object", required: ["id", "object"], properties }],
            [`Gone${index}`, { type: "object", required: ["id", "object", "deleted"], properties: gone }],
          ];
        }),
      );
    const usual: JsonSchema = { type: "integer" };
    const less = things((index) => (index === 60 ? { ...usual, maximum: 9 } : usual));
    expect(ids([ref("Thing0"), things(() => usual)], [ref("Thing0"), less], "names")).toEqual([
      "request-body-narrowed value",
    ]);
    const regrouped = things(() => ({ allOf: [usual, { multipleOf: 1 }] }));
    expect(ids([ref("Thing0"), things(() => usual)], [ref("Thing0"), regrouped], "names")).toEqual([]);
  });

  it("what nests a hundred levels deep is not judged, and says why", () => {
    const deep = (leaf: JsonSchema) =>
      numbered(150, () => "a").reduce<JsonSchema>(
        (inner, name) => ({ type: "object", properties: { [name]: inner } }),
        leaf,
      );
    expect(ids([deep({ type: "string" }), {}], [deep({ type: "integer" }), {}])).toEqual([
      "request-body-narrowed unproven",
    ]);
  });
});
