import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import type { ChangeId } from "../../compiler/diff/change-table.ts";
import { paintWith } from "../../conformance/reports/paint.ts";
import { acceptanceEntries } from "./acceptance-entries.ts";
import type { Acceptance } from "./accepted-changes.ts";
import { type DiffFormat, reportAs } from "./diff-formats.ts";
import { type DiffReport, evidenceText, fails, failuresOf } from "./diff-report.ts";
import { jsonReportSchema } from "./json-report-schema.ts";
import type { MergedAcceptance, StaleAcceptance } from "./judge-changes.ts";
import { change, evidence, reportOf } from "./made-up-comparison.ts";
import { parseAcceptedChanges } from "./parse-accepted-changes.ts";

it("of a long value the part is shown that is refused", () => {
  const long = { ...evidence, value: { name: "a".repeat(400), size: [1, 22] } };
  expect(evidenceText(change("request-body-narrowed", { evidence: long }), 300)).toBe(
    '22 at /size/1, in a value of 425 characters, is valid in base, refused by "maximum" in head',
  );
  const missing = { ...long, at: "/colour", keyword: "required" };
  expect(evidenceText(change("request-body-narrowed", { evidence: missing }), 300)).toMatch(
    /^\{"name":"a+… \(125 characters more\) is valid in base, refused by "required" at \/colour in head$/,
  );
});

const decision = {
  reason: "Nobody drew from it.",
  owner: "team-widgets",
  expires: "2030-01-01",
  where: ".bylaw/accepted-changes.yaml:2:5",
};

const acceptance: Acceptance = {
  fingerprint: "0f",
  ids: ["parameter-narrowed"],
  at: ["/paths/~1widgets/get/parameters/query:limit/schema"],
  keyword: "maximum",
  from: [100],
  to: [50],
  ...decision,
};

const stale: StaleAcceptance = { ...acceptance, merged: false, missing: acceptance.at, found: [] };
const merged: MergedAcceptance = { ...acceptance, repeated: false };

const broken = change("request-body-narrowed", { evidence });
const accepted = change("operation-removed", { acceptance: { ...decision, expired: false } });
const expired = change("limit-tightened", { acceptance: { ...decision, expired: true }, operation: null });
const lowered = change("scope-removed", {
  verdict: "safe",
  override: { from: "breaking", reason: "Nobody asks for it.", where: "a.yaml:3:5" },
});
const rich = reportOf([broken, accepted, expired, lowered], { stale: [stale], merged: [merged] });

const shown = (format: DiffFormat, report: DiffReport): string => reportAs(format, report, paintWith(false));

describe("a comparison fails", () => {
  it("for a change that is grave enough, unless it is accepted and the acceptance holds", () => {
    expect(fails(reportOf([broken]))).toBe(true);
    expect(fails(reportOf([broken], { failOn: "none" }))).toBe(false);
    expect(fails(reportOf([accepted, lowered]))).toBe(false);
    expect(fails(reportOf([expired]))).toBe(true);
    expect(fails(reportOf([change("rule-added")]))).toBe(false);
    expect(fails(reportOf([change("rule-added")], { failOn: "risky" }))).toBe(true);
  });

  it("for a stale acceptance, whatever the changes, but not for one that was merged", () => {
    const found = [{ at: acceptance.at[0] ?? "", keyword: "maximum", before: [100], after: [10] }];
    const other: StaleAcceptance = { ...stale, found };
    expect(failuresOf(reportOf([], { stale: [stale, other, { ...stale, merged: true }], failOn: "none" }))).toEqual([
      'Stale acceptance: .bylaw/accepted-changes.yaml:2:5: nobody made the edit "maximum 100 → 50" at /paths/~1widgets/get/parameters/query:limit/schema. Remove the entry, or replace it by what --print-acceptances prints.',
      expect.stringContaining('The edit there is "maximum 100 → 10".'),
      "Stale acceptance: .bylaw/accepted-changes.yaml:2:5: the base has this entry already, so it accepts nothing. Remove it.",
    ]);
    expect(fails(reportOf([], { merged: [merged] }))).toBe(false);
  });

  it("for a version that is too small, or can't be told, when that is asked", () => {
    expect(fails(reportOf([accepted], { checkVersion: true }))).toBe(true);
    const version = { base: "1.2.3", head: "2.0.0", needed: "major", suggested: "2.0.0", enough: true } as const;
    expect(fails(reportOf([accepted], { checkVersion: true, version }))).toBe(false);
    expect(fails(reportOf([accepted], { checkVersion: true, version: { ...version, enough: null } }))).toBe(true);
  });
});

describe("every format for people and machines", () => {
  const formats: readonly DiffFormat[] = ["text", "markdown", "html", "github", "sarif", "junit"];

  it.each(formats)("says what is overridden, accepted, expired and stale: %s", (format) => {
    const text = shown(format, rich);
    expect(text).toMatch(/OVERRIDDEN: breaking (→|&#8594;) safe/);
    expect(text).toContain("accepted by team-widgets until 2030-01-01");
    expect(text).toMatch(/EXPIRED: the acceptance by team-widgets ended with 2030-01-01/);
    if (format !== "sarif") expect(text).toContain("Stale acceptance");
  });

  it.each(["text", "markdown", "html", "json", "github"] as const)("says which version is asked for: %s", (format) => {
    expect(shown(format, rich)).toContain("2.0.0");
  });

  it.each(["text", "markdown", "html", "junit", "github"] as const)("names rules and checks: %s", (format) => {
    const text = shown(format, rich);
    expect(text).toContain("WID-01");
    expect(text).toContain("widgets.made");
  });

  it.each(["text", "markdown", "html", "github", "junit"] as const)(
    "gives foreign text no power over what is around it: %s",
    (format) => {
      const text = shown(format, rich);
      expect(text).not.toContain("\u202e");
      if (format !== "text" && format !== "github") expect(text).not.toMatch(/<b>differs|<script>alert/);
    },
  );
});

it("in Markdown code keeps the backticks and bars of names", () => {
  const text = shown("markdown", reportOf([{ ...broken, operation: "GET /a`b``c|d" }]));
  expect(text).toContain("\n| ``` GET /a`b``c\\|d ``` | ");
});

it("an accepted change is a notice on GitHub, suppressed in SARIF and passes in JUnit", () => {
  const report = reportOf([accepted]);
  expect(shown("github", report)).toMatch(/^::notice file=spec\/main\.tsp,line=7,col=3,title=operation-removed/);
  expect(JSON.parse(shown("sarif", report))).toMatchObject({
    runs: [{ results: [{ suppressions: [{ kind: "external", justification: expect.stringContaining("Nobody") }] }] }],
  });
  expect(shown("junit", report)).not.toContain("<failure");
});

it("GitHub's annotations stay within ten of a level, the last counting the rest", () => {
  const lines = shown(
    "github",
    reportOf(
      Array.from({ length: 14 }, (_, index) => ({
        ...broken,
        edit: { ...broken.edit, at: `/paths/~1a/get/responses/${index}` },
      })),
    ),
  )
    .split("\n")
    .filter((line) => line.startsWith("::error"));
  expect(lines.length).toBe(10);
  expect(lines.at(-1)).toContain("5 more");
});

describe("the page", () => {
  const page = shown("html", rich);

  it("loads nothing from anywhere, and runs its own script only", () => {
    expect(page).toMatch(/default-src 'none'; style-src &#39;sha256-|default-src &#39;none&#39;/);
    expect(page).not.toMatch(/(?:src|href)="(?!#)/);
    expect(page.match(/<script/g)?.length).toBe(1);
  });

  it("shows the value on both sides, and the part that is refused", () => {
    expect(page).toMatch(/valid in base<\/h3><pre>\{&#34;name&#34;/);
    expect(page).toMatch(
      /refused in head<\/h3><p>Refused by <code>maximum<\/code> at <code>\/size\/1<\/code>\.<\/p><pre>22<\/pre>/,
    );
  });

  it("says who meets a change: who calls, or who is called", () => {
    const sees = (id: Parameters<typeof change>[0], pointer: string) =>
      /<dt>Who sees it<\/dt><dd>([^<]*)/.exec(shown("html", reportOf([change(id, { pointer })])))?.[1];
    expect(sees("request-property-removed", "/paths/~1things/post/requestBody")).toBe("who sends requests");
    expect(sees("response-property-removed", "/paths/~1webhooks~1things/get/responses/200")).toBe("who reads answers");
    expect(sees("request-property-removed", "/webhooks/sold/post/responses/200")).toBe("who answers deliveries");
    expect(sees("response-property-removed", "/api/paths/~1things/put/callbacks/sold/{$url}/post/requestBody")).toBe(
      "who receives deliveries",
    );
    expect(sees("webhook-answer-narrowed", "/api/webhooks/sold/post")).toBe("who answers deliveries");
    expect(sees("operation-renamed", "/paths/~1things/get/operationId")).toBeUndefined();
  });

  it("opens what fails, and says so when nothing changed", () => {
    expect(page.match(/<details[^>]* open>/g)?.length).toBe(2);
    expect(shown("html", reportOf([]))).toContain("No change.");
  });
});

describe("the JSON report", () => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
  addFormats.default(ajv);
  const isReport = ajv.compile(jsonReportSchema);

  it.each([
    ["everything at once", rich],
    ["no change", reportOf([])],
    ["nothing known of checks and places", reportOf([change("rule-added", { checks: null, place: null })])],
  ])("is as its schema says: %s", (_, report) => {
    isReport(JSON.parse(shown("json", report)));
    expect(isReport.errors).toBeNull();
  });

  it("is refused by the schema when a member is missing", () => {
    const { version: _, ...rest } = JSON.parse(shown("json", rich));
    expect(isReport(rest)).toBe(false);
  });

  it("has its schema published beside it", () => {
    const published: unknown = JSON.parse(readFileSync(join(import.meta.dirname, "changes.schema.json"), "utf8"));
    expect(published, "write it anew: npx bylaw diff --print-schema > scripts/diff/changes.schema.json").toEqual(
      JSON.parse(JSON.stringify(jsonReportSchema)),
    );
  });
});

describe("printed acceptances", () => {
  const filled = (text: string): string =>
    text.replaceAll('reason: ""', "reason: Because.").replaceAll('owner: ""', "owner: Me");

  it("are an entry for each edit that fails, to which only reason and owner are missing", () => {
    const text = acceptanceEntries(reportOf([broken, accepted, expired]));
    const { problems } = parseAcceptedChanges("a.yaml", text);
    expect(problems.map(({ pointer }) => pointer)).toEqual([
      ...["/accepted/0/reason", "/accepted/0/owner", "/accepted/1/reason", "/accepted/1/owner"],
    ]);
    const read = parseAcceptedChanges("a.yaml", filled(text));
    expect(read.problems).toEqual([]);
    expect(read.changes.accepted).toMatchObject([
      { ids: ["request-body-narrowed"], at: [broken.edit.at], from: [], to: [], expires: "2027-02-19" },
      { ids: ["limit-tightened"] },
    ]);
  });

  it("name all places of one edit, and the kinds of what follows from it, except safe ones", () => {
    const size = (schema: string, id: ChangeId, operation: string) =>
      change(id, {
        operation,
        edit: { at: `/components/schemas/${schema}/properties/size`, keyword: "maximum", before: [9], after: [5] },
      });
    const changes = [
      ...[size("A", "request-body-narrowed", "POST /a"), size("A", "request-body-narrowed", "PUT /a")],
      ...[size("B", "parameter-narrowed", "POST /b"), size("B", "response-body-narrowed", "POST /b")],
    ];
    const { changes: read, problems } = parseAcceptedChanges("a.yaml", filled(acceptanceEntries(reportOf(changes))));
    expect(problems).toEqual([]);
    expect(read.accepted).toMatchObject([
      {
        ids: ["request-body-narrowed", "parameter-narrowed"],
        at: ["/components/schemas/A/properties/size", "/components/schemas/B/properties/size"],
        ...{ keyword: "maximum", from: [9], to: [5] },
      },
    ]);
  });

  it.each([
    ["text that looks like YAML", ["a: b", "# c", "- d", "null", "1e3", "2020-01-01", "<<", "&a", "*a", "'", '"']],
    ["nested values", [{ "a b": [1, null, { c: true }], "": -0.5, "<<": 1 }]],
    ["what nobody sees", ["a\u202eb\u0000c\u2028d\u007f\u{e0041}e\nf"]],
    ["numbers", [1e300, 2 ** 64, 0.1]],
  ])("keep the values of an edit as they are: %s", (_, values) => {
    const edit = { at: "/components/schemas/A: b/properties/#x", keyword: "enum", before: values, after: [] };
    const text = filled(acceptanceEntries(reportOf([change("request-body-narrowed", { edit })])));
    expect(text).not.toMatch(/[\u202e\u2028\u007f]/);
    const { changes, problems } = parseAcceptedChanges("a.yaml", text);
    expect(problems).toEqual([]);
    expect(changes.accepted).toMatchObject([{ at: [edit.at], from: values, to: [] }]);
  });

  it("carry over the decision of entries that name places of the edit, where these agree", () => {
    const entry = (operation: string, reason: string) => ({
      ...{ id: "request-body-narrowed", operation, pointer: broken.pointer, reason },
      ...{ owner: "us", expires: "2027-01-01" },
    });
    const printed = (...entries: readonly ReturnType<typeof entry>[]): string =>
      acceptanceEntries(reportOf([broken], { placeEntries: entries }));
    expect(printed(entry("POST /widgets", "Old."), entry("GET /others", "No."))).toMatch(
      /reason: Old\.\n {4}owner: us\n {4}expires: 2027-01-01\n/,
    );
    expect(printed(entry("POST /widgets", "Old."), entry("POST /widgets", "Other."))).toContain('reason: ""');
  });

  it("say when there is nothing to accept", () => {
    expect(parseAcceptedChanges("a.yaml", acceptanceEntries(reportOf([]))).problems).toEqual([]);
  });
});
