import { describe, expect, it } from "vitest";
import { type Contract, contractFormat, type Rule } from "./contract.ts";
import { emptyLock, parseRulesLock, printRulesLock, relock } from "./rules-lock.ts";

const envelope = { code: "/code", message: null, details: null, requestId: null };

const place = { file: "spec/a.tsp", line: 3, column: 1 };

function contractWith(rules: Readonly<Record<string, string>>): Contract {
  const document = { openapi: "3.1.0", info: { title: "", version: "" }, paths: {}, components: { schemas: {} } };
  return {
    contractFormat,
    services: [{ name: "api", testing: false, basePath: "/", document, envelope }],
    callers: [],
    ...{
      operations: [],
      errors: [],
      reservedCodes: [],
      scopes: [],
      buckets: [],
      bounds: [],
      constants: [],
      eventTypes: [],
    },
    ...{ deliveryHeaders: [], entities: [], questions: [] },
    rules: Object.entries(rules).map(
      ([id, template]): Rule => ({
        ...{ id, template, about: "a", says: template, level: "must", basis: "explicit" },
        ...{
          why: null,
          unobservable: null,
          questions: [],
          place,
          ...{ operations: [], rows: [], demands: null },
        },
      }),
    ),
  };
}

const text = `# Head.
# More of it.
ABC-01  Nuts are {limit.size} wide.
# Why it went.
ABC-02  (retired) Bolts are long.
ABC-10  Ten.
`;

const { lock } = parseRulesLock(text, "spec/rules.lock");

describe("parseRulesLock", () => {
  it("reads ids, sentences, retirements and the comments above them", () => {
    expect(lock.head).toEqual(["# Head.", "# More of it."]);
    expect(lock.entries).toEqual([
      { id: "ABC-01", sentence: "Nuts are {limit.size} wide.", retired: false, line: 3, comments: [] },
      { id: "ABC-02", sentence: "Bolts are long.", retired: true, line: 5, comments: ["# Why it went."] },
      { id: "ABC-10", sentence: "Ten.", retired: false, line: 6, comments: [] },
    ]);
  });

  it("names the line of what is neither an entry nor a comment, and of an id that stands twice", () => {
    const { problems } = parseRulesLock("ABC-01  One.\nABC-02 one space\n\nABC-01  Again.\n", "spec/rules.lock");
    expect(problems.map(({ code, place: at }) => [code, at?.line])).toEqual([
      ["lock-line", 2],
      ["lock-duplicate", 4],
    ]);
  });

  it.each([text, "# Head.\n\n# Of the first.\nABC-01  One.\n# Tail.\n", "ABC-01  One.\n"])(
    "reads what is printed, and prints what was read (%#)",
    (written) => {
      const { lock: read, problems } = parseRulesLock(written, "spec/rules.lock");
      expect(problems).toEqual([]);
      expect(printRulesLock(read)).toBe(written);
    },
  );

  it("reads lines that end as on Windows", () => {
    expect(parseRulesLock("ABC-01  One.\r\n", "spec/rules.lock").lock.entries[0]?.sentence).toBe("One.");
  });
});

const same = { "ABC-01": "Nuts are {limit.size} wide.", "ABC-10": "Ten." };

describe("relock", () => {
  it("changes nothing when the lock follows the contract", () => {
    const result = relock(contractWith(same), lock);
    expect(result).toMatchObject({ added: [], retired: [], changed: [], problems: [] });
    expect(printRulesLock(result.lock)).toBe(text);
  });

  it("adds new ids in order and retires vanished ones", () => {
    const result = relock(contractWith({ "ABC-09": "Nine,\n  on two lines.", "ABC-10": "Ten." }), lock);
    expect(result).toMatchObject({ added: ["ABC-09"], retired: ["ABC-01"], problems: [] });
    expect(printRulesLock(result.lock)).toBe(`# Head.
# More of it.
ABC-01  (retired) Nuts are {limit.size} wide.
# Why it went.
ABC-02  (retired) Bolts are long.
ABC-09  Nine, on two lines.
ABC-10  Ten.
`);
  });

  it("refuses to change the sentence of an id that stays, unless it is named", () => {
    const contract = contractWith({ ...same, "ABC-10": "Eleven." });
    const refused = relock(contract, lock);
    expect(refused.problems.map((p) => p.code)).toEqual(["rule-meaning-changed"]);
    expect(refused.problems[0]?.fix).toContain("npx bylaw lock --change ABC-10");
    expect(refused.lock.entries).toEqual(lock.entries);
    const told = relock(contract, lock, new Set(["ABC-10"]));
    expect(told).toMatchObject({ changed: ["ABC-10"], problems: [] });
    expect(told.lock.entries.at(-1)?.sentence).toBe("Eleven.");
  });

  it("never takes a retired id back, even when it is named", () => {
    const result = relock(contractWith({ ...same, "ABC-02": "Bolts are long." }), lock, new Set(["ABC-02"]));
    expect(result.problems.map((p) => p.code)).toEqual(["rule-reused"]);
  });

  it("makes a first lock with a head that explains it", () => {
    const result = relock(contractWith({ "ABC-01": "One." }), emptyLock("spec/rules.lock"));
    const printed = printRulesLock(result.lock);
    expect(printed.startsWith("# Every rule id")).toBe(true);
    expect(printed.endsWith("\nABC-01  One.\n")).toBe(true);
  });
});
