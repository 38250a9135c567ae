import { describe, expect, it } from "vitest";
import { fileProblemText } from "../decisions/decision-file.ts";
import { parseAcceptedChanges } from "./parse-accepted-changes.ts";

const sound = `accepted:
  - fingerprint: 0f3a
    ids: [operation-removed]
    at: [/paths/~1widgets/get]
    keyword: operation-removed
    from: [get]
    to: []
    reason: Nobody called it for a year.
    owner: team-widgets
    expires: 2027-02-28
severities:
  - id: limit-tightened
    verdict: risky
    reason: Our clients wait and try again.
  - id: rule-added
    verdict: breaking
`;

const problemsOf = (text: string): readonly string[] =>
  parseAcceptedChanges("a.yaml", text).problems.map(fileProblemText);

it("reads what is accepted and what is judged otherwise, each with its place", () => {
  expect(parseAcceptedChanges("a.yaml", sound)).toEqual({
    problems: [],
    placeEntries: [],
    changes: {
      accepted: [
        {
          fingerprint: "0f3a",
          ids: ["operation-removed"],
          at: ["/paths/~1widgets/get"],
          keyword: "operation-removed",
          from: ["get"],
          to: [],
          reason: "Nobody called it for a year.",
          owner: "team-widgets",
          expires: "2027-02-28",
          where: "a.yaml:2:5",
        },
      ],
      severities: [
        {
          id: "limit-tightened",
          verdict: "risky",
          reason: "Our clients wait and try again.",
          where: "a.yaml:12:5",
        },
        { id: "rule-added", verdict: "breaking", reason: null, where: "a.yaml:15:5" },
      ],
    },
  });
});

it("an empty file accepts nothing", () => {
  expect(parseAcceptedChanges("a.yaml", "")).toEqual({
    problems: [],
    placeEntries: [],
    changes: { accepted: [], severities: [] },
  });
});

describe("what is wrong is told with file, line, pointer and what to do:", () => {
  const wrong: readonly (readonly [string, string, RegExp])[] = [
    [
      "a missing reason",
      sound.replace(/ {4}reason: Nobody.*\n/, ""),
      /^a\.yaml:2:5: \/accepted\/0\/reason: "reason" is missing\.\n {2}Write why/,
    ],
    ["an empty owner", sound.replace("team-widgets", '""'), /^a\.yaml:9:5: \/accepted\/0\/owner: "owner" is empty\./],
    [
      "a missing expiry",
      sound.replace(/ {4}expires.*\n/, ""),
      /^a\.yaml:2:5: \/accepted\/0\/expires: "expires" is missing\.[\s\S]+YYYY-MM-DD/,
    ],
    ["a day that does not exist", sound.replace("02-28", "02-30"), /^a\.yaml:10:5: [^ ]+ "2027-02-30" is no date/],
    [
      "an unknown id",
      sound.replace("[operation-removed]", "[operation-remove]"),
      /^a\.yaml:3:11: \/accepted\/0\/ids\/0: "operation-remove" is no id of a change\. Did you mean "operation-removed"\?/,
    ],
    ["an unknown member", sound.replace("owner:", "ower:"), /"ower" is not known here\. Did you mean "owner"\?/],
    [
      "a missing fingerprint",
      sound.replace("fingerprint: 0f3a", "to: []").replace("    to: []\n", ""),
      /"fingerprint" is missing/,
    ],
    [
      "no kind of change",
      sound.replace("[operation-removed]", "[]"),
      /^a\.yaml:3:5: \/accepted\/0\/ids: "ids" is empty/,
    ],
    ["no place", sound.replace(/ {4}at: .*\n/, ""), /\/accepted\/0\/at: "at" is missing/],
    ["a place that is no text", sound.replace("[/paths/~1widgets/get]", "[3]"), /\/accepted\/0\/at\/0: "0" is no text/],
    ["missing values", sound.replace(/ {4}from: .*\n/, ""), /\/accepted\/0\/from: "from" is missing/],
    ["values that are no list", sound.replace("from: [get]", "from: get"), /\/accepted\/0\/from: This is no list/],
    [
      "a lowered breaking change without a reason",
      sound.replace(/ {4}reason: Our.*\n/, ""),
      /^a\.yaml:12:5: \/severities\/0\/reason: "reason" is missing\.[\s\S]+a breaking change is not lowered/,
    ],
    [
      "an unknown verdict",
      sound.replace("verdict: breaking", "verdict: bad"),
      /^a\.yaml:16:5: \/severities\/1\/verdict: "verdict" is no verdict/,
    ],
    [
      "an acceptance that stands twice",
      sound.replace("severities:", `${sound.split("severities")[0]?.split("\n").slice(1).join("\n")}severities:`),
      /^a\.yaml:11:5: \/accepted\/1: This is said twice; the first time at a\.yaml:2:5\./,
    ],
    [
      "a severity that stands twice",
      sound.replace("rule-added", "limit-tightened"),
      /^a\.yaml:15:5: \/severities\/1: This is said twice/,
    ],
    ["no list", "accepted: 3", /^a\.yaml:1:1: \/accepted: This is no list/],
    ["no mapping", "- 1", /^a\.yaml:1:1: This is no mapping/],
    ["broken YAML", "accepted: [", /^a\.yaml:1:\d+: [\s\S]+Correct the YAML/],
    [
      "aliases that multiply",
      `a: &a [x, x, x]\nb: &b [*a, *a, *a]\nc: &c [*b, *b, *b]\nd: &d [*c, *c, *c]\naccepted: [*d, *d]\n`,
      /^a\.yaml: The file's aliases expand too far/,
    ],
  ];

  it.each(wrong)("%s", (_, text, message) => {
    const [first = ""] = problemsOf(text);
    expect(first).toMatch(message);
  });

  it("all problems at once", () => {
    expect(problemsOf("accepted: [{}, {}]").length).toBe(18);
  });
});

describe("an entry that names a place and no edit", () => {
  const former = `accepted:
  - id: operation-removed
    operation: GET /widgets
    pointer: /api/paths/~1widgets/get
    reason: Nobody called it for a year.
    owner: team-widgets
    expires: 2027-02-28
`;

  it("is one problem, which says what to do, and keeps its decision", () => {
    const { changes, problems, placeEntries } = parseAcceptedChanges("a.yaml", former);
    expect(changes.accepted).toEqual([]);
    expect(problems.map(fileProblemText)).toEqual([
      expect.stringMatching(
        /^a\.yaml:2:5: \/accepted\/0: This entry names a place and no edit[\s\S]+--print-acceptances/,
      ),
    ]);
    expect(placeEntries).toMatchObject([{ pointer: "/api/paths/~1widgets/get", owner: "team-widgets" }]);
  });

  it("without a decision has none to keep", () => {
    expect(parseAcceptedChanges("a.yaml", former.replace(/ {4}owner.*\n/, "")).placeEntries).toEqual([]);
  });
});
