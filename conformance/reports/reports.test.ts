import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formattedJson } from "../configuration/formatted.ts";
import type { RunResult } from "../runner/run-result.ts";
import { readableBody } from "./body-lines.ts";
import { causesOf } from "./causes.ts";
import { reportedCauses } from "./folded-warnings.ts";
import { headlineOf } from "./headline.ts";
import { htmlReport } from "./html.ts";
import { junitXml } from "./junit.ts";
import { cleanRun, deliveredRun, hostile, madeUpRun } from "./made-up-run.ts";
import { markdownSummary } from "./markdown.ts";
import { resultsJson } from "./results-json.ts";
import { resultsSchema } from "./results-schema.ts";
import { terminalReport } from "./terminal.ts";

const terminal = (result: RunResult, more: Partial<Parameters<typeof terminalReport>[1]> = {}): string =>
  terminalReport(result, { colour: false, width: 100, reports: ["report/report.html"], quiet: false, ...more });

/** A run whose every foreign text is this one. */
function runSaying(text: string): RunResult {
  const rules = [...madeUpRun.rules, ...deliveredRun.rules].map((rule) => ({
    ...rule,
    message: text,
    coverage: rule.coverage && {
      ...rule.coverage,
      missing: rule.coverage.missing.map((missing) => ({ ...missing, message: text, unblock: text })),
    },
    findings: rule.findings.map((finding) => ({
      ...finding,
      ...{ message: text, expected: text, actual: text, counterexample: { seed: 1, path: "0", value: text } },
      exchanges: finding.exchanges.map((exchange) => ({
        ...exchange,
        request: { ...exchange.request, url: `http://h/${text}`, body: text, headers: { "x-a": text } },
        outcome:
          exchange.outcome.kind === "lost"
            ? { ...exchange.outcome, message: text }
            : { ...exchange.outcome, text, headers: { "content-type": text } },
      })),
      deliveries: finding.deliveries.map((delivery) => ({
        ...delivery,
        request: { ...delivery.request, method: text, url: `http://h/${text}`, body: text, headers: { [text]: text } },
        answer: { ...delivery.answer, remark: text, body: text },
      })),
    })),
  }));
  return {
    ...madeUpRun,
    rules,
    interrupted: text,
    scope: text,
    leftBehind: [{ kind: "api-key", id: text, organizationId: null }],
    baseline: baselineSaying(text),
  };
}

/** A baseline with an entry of every kind, all of whose texts are this one. */
function baselineSaying(text: string): RunResult["baseline"] {
  const names = { rule: "KEYC-15", checks: [text], operations: [text] };
  const entry = { ...names, reason: text, owner: text, expires: "2025-01-07", where: text };
  return {
    ...{ file: text, rules: ["KEYC-15"] },
    known: [true, false].map((possibleLeak) => ({ ...entry, daysLeft: 6, possibleLeak })),
    stale: [{ ...entry, why: text, fix: text }],
    untried: [{ ...entry, why: text }],
  };
}

describe("the headline", () => {
  test("says what was found and how much was decided", () => {
    expect(headlineOf(cleanRun)).toBe("no violation; 3 of 4 Core rules decided, 1 of them in part");
    expect(headlineOf(madeUpRun)).toBe(
      "3 violations; 1 warning; 1 kit error; 7 of 10 Core rules decided, 1 of them in part",
    );
  });

  test("does not stop at no violation where a rule is broken that only warns", () => {
    const warned = madeUpRun.rules.filter((one) => one.verdict === "warn");
    const run = (question: string | null) => {
      const rules = warned.map((one) => ({ ...one, findings: one.findings.map((found) => ({ ...found, question })) }));
      return { ...cleanRun, rules: [...cleanRun.rules, ...rules] };
    };
    expect(headlineOf(run(null))).toMatch(/^no violation, but 1 warning; [^w]*decided/);
    expect(headlineOf(run("Q1"))).toMatch(/^no violation; 1 warning; /);
    const both = {
      ...cleanRun,
      rules: [...run(null).rules, ...run("Q1").rules.filter((one) => one.verdict === "warn")],
    };
    expect(headlineOf(both)).toMatch(
      /^no violation, but 2 warnings, 1 of which hangs on no open question(: see cause \d+)?; [^w]*decided/,
    );
    expect(terminal(run(null))).toContain("\n! no violation, but");
    expect(markdownSummary(run(null))).toMatch(/^## 🟡 no violation, but/);
    expect(markdownSummary(run("Q1"))).toMatch(/^## ✅ no violation; /);
  });

  test("claims nothing when nothing was decided", () => {
    const nothing = { ...cleanRun, rules: cleanRun.rules.filter((r) => r.verdict === "blocked") };
    expect(headlineOf(nothing)).toBe("none of 1 Core rules decided");
  });

  test("begins with an interruption", () => {
    expect(headlineOf({ ...cleanRun, interrupted: "interrupted" })).toMatch(/^interrupted; no violation; /);
  });
});

describe("the terminal report", () => {
  test("reads as it was last looked at", async () => {
    await expect(terminal(madeUpRun)).toMatchFileSnapshot("snapshots/violations.txt");
    await expect(terminal(cleanRun)).toMatchFileSnapshot("snapshots/no-violation.txt");
    await expect(terminal(deliveredRun)).toMatchFileSnapshot("snapshots/deliveries.txt");
  });

  test("colours nothing but what it prints without colours", () => {
    const control = String.fromCharCode(27);
    const coloured = terminal(madeUpRun, { colour: true });
    expect(coloured).toContain(`${control}[31m✗${control}[39m`);
    expect(coloured.replaceAll(new RegExp(`${control}\\[\\d+m`, "g"), "")).toBe(terminal(madeUpRun));
  });

  test("says verdict and reports alone when asked to be quiet", () => {
    expect(terminal(madeUpRun, { quiet: true }).split("\n")).toHaveLength(6);
  });

  test("names the script of what led to a failure where a single call does not show it and the results were written", () => {
    const script = "npx bylaw replay 'my report/results.json' KEYC-15 --script";
    expect(terminal(madeUpRun, { reports: ["my report/results.json"] })).toContain(`script     ${script}\n`);
    expect(terminal(madeUpRun)).not.toContain("--script");
  });

  test("lets no foreign text steer the terminal", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const shown = terminal(runSaying(text)).replaceAll("\n", "");
        expect(/[\p{Cc}\p{Cf}\p{Cs}]/u.test(shown)).toBe(false);
      }),
      { seed: 1, numRuns: 50, examples: [[hostile]] },
    );
  });
});

describe("results.json", () => {
  const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(resultsSchema);

  test.each([
    ["a run with every verdict", madeUpRun],
    ["a clean run", cleanRun],
    ["a run with deliveries", deliveredRun],
    ["a run of hostile texts", runSaying(hostile)],
    ["an empty run", { ...cleanRun, rules: [], checks: [], nextSteps: [], leftBehind: [] }],
  ])("%s keeps the published schema", (_, result) => {
    validate(JSON.parse(resultsJson(result)));
    expect(validate.errors ?? []).toEqual([]);
  });

  test("has what a failure needs", () => {
    const { rules } = JSON.parse(resultsJson(madeUpRun));
    const rule = rules.find((r: { id: string }) => r.id === "KEYC-15");
    expect(rule).toMatchObject({ level: "must", verdict: "fail", checks: ["keyc.unknown-scope"] });
    expect(rule.failures[0]).toMatchObject({
      expected: "400 INVALID_INPUT",
      actual: "201 success",
      curl: expect.stringContaining("curl "),
      replay: "npx bylaw verify --url http://127.0.0.1:8080 --only keyc.unknown-scope --profile core --seed 42",
    });
    expect(rule.failures[0].exchanges).toHaveLength(3);
  });

  test("has what reached the receiver", () => {
    const { rules } = JSON.parse(resultsJson(deliveredRun));
    const [first, ...others] = rules[0].failures[0].deliveries;
    expect(first).toMatchObject({ number: 1, request: { bytes: 49 }, answer: { status: 503, how: "given" } });
    expect(others).toHaveLength(2);
  });

  test("the published schema is the one that is tested", async () => {
    await expect(formattedJson(resultsSchema)).toMatchFileSnapshot("results.schema.json");
  });
});

describe("a run with a baseline", () => {
  const run: RunResult = { ...madeUpRun, baseline: baselineSaying("a text") };
  const known = "POSSIBLE LEAK between organizations; known until 2025-01-07, expires within 6 days; a text: a text";

  test("tells what is known apart from what is new, and that there may be a leak", () => {
    expect(headlineOf(run)).toMatch(/^2 new violations; known: 2, 2 expire within 6 days, 1 may show an organization/);
    for (const report of [terminal(run, { width: 120 }), htmlReport(run), markdownSummary(run), junitXml(run)]) {
      expect(report.replace(/\s+/g, " ")).toContain(known);
    }
  });

  test("shows a known failure as skipped and a stale entry as failed to viewers of JUnit", () => {
    const xml = junitXml(run);
    expect(xml).toMatch(/name="KEYC-15 [^>]+><skipped message="known failure: POSSIBLE LEAK/);
    expect(xml).toMatch(/classname="bylaw.baseline" name="a text KEYC-15" time="0"><failure message="a text a text"/);
    expect(xml).toContain('tests="11" failures="3"');
  });
});

describe("junit.xml", () => {
  test("reads as it was last looked at", async () => {
    await expect(junitXml(madeUpRun)).toMatchFileSnapshot("snapshots/junit.xml");
  });

  test("is well-formed whatever the target says", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(malformed(junitXml(runSaying(text)))).toBeNull();
      }),
      { seed: 1, numRuns: 50, examples: [[hostile], ["]]>"], ["&"]] },
    );
  });

  test("is not green when the run failed as a whole", () => {
    expect(junitXml(cleanRun)).toContain('errors="0"');
    expect(junitXml({ ...cleanRun, interrupted: "interrupted" })).toContain('errors="1"');
  });
});

describe("the Markdown summary", () => {
  test("reads as it was last looked at", async () => {
    await expect(markdownSummary(madeUpRun)).toMatchFileSnapshot("snapshots/summary.txt");
  });

  test("holds no HTML of the target's outside code", () => {
    const text = markdownSummary(runSaying(hostile)).replace(/(`+)[^\n]*?[^`]\1(?!`)/g, "");
    expect(text).not.toContain("<script>");
  });
});

describe("the HTML report", () => {
  const page = htmlReport(madeUpRun);

  test("loads nothing from anywhere", () => {
    expect(page).toContain("default-src &#39;none&#39;");
    expect(page).not.toMatch(/<(link|img|iframe|object|embed)\b|\ssrc=|@import|url\(/);
  });

  test("holds no markup of the target's", () => {
    const foreign = htmlReport(runSaying(hostile));
    expect(foreign.match(/<script/g)).toHaveLength(1);
    expect(foreign).toContain("&#60;script&#62;alert(1)");
  });

  /** The kit fails twice in one check, for reasons of their own. */
  const twice: RunResult = {
    ...madeUpRun,
    rules: madeUpRun.rules.map((rule) => ({
      ...rule,
      findings:
        rule.verdict === "kit_error"
          ? rule.findings.flatMap((f) => [f, { ...f, message: "no such file" }])
          : rule.findings,
    })),
  };

  test("begins with what was found, and every link in it leads somewhere", () => {
    for (const run of [madeUpRun, deliveredRun, cleanRun, twice]) {
      const text = htmlReport(run);
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      const links = [...text.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(links.filter((link) => !ids.includes(link))).toEqual([]);
    }
    expect(causesOf(twice).length).toBeGreaterThan(causesOf(madeUpRun).length);
    const [, contents = ""] = /<nav class="contents"[^>]*>(.*?)<\/nav>/s.exec(page) ?? [];
    expect(contents.match(/<li>/g)).toHaveLength(reportedCauses(madeUpRun).causes.length);
    expect(page.indexOf(contents)).toBeLessThan(page.indexOf('<details class="cause'));
  });

  test("tells each reason why rules were not decided once", () => {
    const message = "the server refused the key that the check needs";
    const [rule] = madeUpRun.rules.filter(({ verdict }) => verdict === "blocked");
    const findings = (rule?.findings ?? []).map((finding) => ({ ...finding, message }));
    const rules = ["KEYC-29", "KEYC-30", "KEYC-31"].flatMap((id) => (rule ? [{ ...rule, id, message, findings }] : []));
    expect(htmlReport({ ...madeUpRun, rules }).split(message)).toHaveLength(2);
  });

  test("stays below a megabyte, however much there is to show", () => {
    const text = "x".repeat(30_000);
    // Faults of the kit, as no two of them are of one cause.
    const [rule] = madeUpRun.rules.filter(({ id }) => id === "KEYC-15");
    const rules = Array.from({ length: 400 }, (_, index) => {
      const check = `made-up.check-${index}`;
      const findings = (rule?.findings ?? []).map((finding) => ({
        ...{ ...finding, check, verdict: "kit_error" as const, expected: null, message: check },
        exchanges: finding.exchanges.map((one) => ({
          ...one,
          number: 10 * index + one.number,
          request: { ...one.request, body: text },
        })),
      }));
      return rule === undefined
        ? []
        : [{ ...rule, id: `KEYC-${index + 100}`, verdict: "kit_error" as const, findings }];
    }).flat();
    const large = htmlReport({ ...madeUpRun, rules });
    expect(large.length).toBeLessThan(1_000_000);
    // What it has no room for it says, and the first of it is shown whole.
    expect(large).toContain("The page has no room for the evidence; results.json has it.");
    expect(large.indexOf(text.slice(0, 10_000))).toBeGreaterThan(0);
  });

  test("shows violations open and first, and everything else closed", () => {
    const causes = [...page.matchAll(/<details class="cause (\w+)"[^>]*?( open)?>/g)].map((m) => [m[1], m[2] ?? ""]);
    expect(causes).toEqual([
      ["fail", " open"],
      ["fail", " open"],
      ["kit_error", ""],
      ["warn", ""],
    ]);
    for (const rule of madeUpRun.rules) expect(page).toContain(`id="${rule.id}"`);
  });
});

describe("what was asked for in particular", () => {
  const scope = "All that this check shows is judged.";

  test.each([
    ["the terminal report", (result: RunResult) => terminal(result)],
    ["the summary", markdownSummary],
    ["the page", htmlReport],
    ["junit.xml", junitXml],
    ["results.json", resultsJson],
  ])("stands in %s, and nothing stands there when all was asked for", (_, report) => {
    expect(report({ ...cleanRun, scope })).toContain(scope);
    expect(report(cleanRun)).not.toMatch(/judged/);
  });
});

describe("what reached the receiver", () => {
  const order = [...Array(5).keys()].map((n) => ["+0 ms", "+5 ms", "+5 s", "+59.5 s", "+1 min"][n] ?? "");
  const directions = ["client → server", ...Array(3).fill("server → receiver"), "client → server"];

  test.each([
    ["the summary", markdownSummary(deliveredRun)],
    ["junit.xml", junitXml(deliveredRun)],
    ["the page", htmlReport(deliveredRun)],
  ])("stands on one time line with the exchanges in %s", (_, report) => {
    const moments = [
      ...report.matchAll(/(\+[\d.]+ (?:ms|s|min))(?: \d+ s)?[^\n]{0,20}? (client → server|server → receiver)/g),
    ];
    expect(moments.map((m) => m[1])).toEqual(order);
    expect(moments.map((m) => m[2])).toEqual(directions);
    expect(report).toContain("no answer: the connection was held, the sender went away");
  });
});

describe("a body that is shown", () => {
  test("keeps every token of JSON as it was written", () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const shown = readableBody(json, Number.POSITIVE_INFINITY);
        if (!/[\p{C}]/u.test(json)) expect(shown.replace(/\s/g, "")).toBe(json.replace(/\s/g, ""));
      }),
      { seed: 1, numRuns: 200 },
    );
    const large = `{"a":1.0,"b":12345678901234567890,"a":2,"c":"${"x".repeat(100)}"}`;
    expect(readableBody(large, 1000)).toContain('"a": 1.0,\n  "b": 12345678901234567890,\n  "a": 2');
  });

  test("is cut at its limit and says by how much", () => {
    expect(readableBody("x".repeat(50), 40)).toBe(`${"x".repeat(40)}… (10 characters more)`);
  });
});

/** Why a text is not well-formed XML; null when it is. Knows the XML that these reports use. */
function malformed(xml: string): string | null {
  if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(xml))
    return "a character that XML does not admit";
  const open: string[] = [];
  const token = /<\?xml [^?<>]*\?>|<\/(\w[\w-]*)>|<(\w[\w-]*)((?: [\w-]+="[^"<]*")*)(\/?)>|[^<]+/gy;
  for (let at = 0; at < xml.length; at = token.lastIndex) {
    const match = token.exec(xml);
    if (match === null) return `something else at ${at}: ${xml.slice(at, at + 40)}`;
    if (/&(?!(amp|lt|gt|quot|#\d+);)/.test(match[0])) return `a bare ampersand at ${at}`;
    if (match[1] !== undefined && open.pop() !== match[1]) return `a wrong end tag at ${at}`;
    if (match[2] !== undefined && match[4] === "") open.push(match[2]);
    if (match[0].includes("]]>")) return `the end of a CDATA section at ${at}`;
  }
  return open.length === 0 ? null : `${open.length} elements left open`;
}
