import { expect, test } from "vitest";
import { htmlReport } from "../../conformance/reports/html.ts";
import { cleanRun, deliveredRun, madeUpRun } from "../../conformance/reports/made-up-run.ts";
import { openPage, submittedPage } from "../../reference-server/pages/hosted-form-page.ts";
import { htmlReport as comparisonPage } from "../diff/html-report.ts";
import { change, evidence, reportOf } from "../diff/made-up-comparison.ts";
import { chromium, type Look, lookAtPages } from "./look-at-pages.ts";

const browser = chromium();

const green = htmlReport(cleanRun);

const form = {
  senderName: "Tom & Jerry's very long name of a company without blanksinitwhichisbroken",
  phoneNumber: "+12025550130",
};

/** One change is shown by a value that is longer than a screen. */
const comparison = reportOf([
  change("request-body-narrowed", {
    evidence: { ...evidence, value: { name: "a name ".repeat(2_000), size: [1, 22] } },
  }),
  change("limit-tightened", { operation: null }),
]);

/** Pages as they are, and one with a fault for each thing that is looked at. */
const pages = {
  "of a red run": htmlReport(madeUpRun),
  "of a red run with deliveries": htmlReport(deliveredRun),
  "of a green run": green,
  "of a comparison": comparisonPage(comparison),
  "that asks a recipient": openPage(form, false),
  "that asks a recipient again": openPage(form, true),
  "that thanks a recipient": submittedPage(form),
  "with a fault planted": green
    .replace('<html lang="en">', "<html>")
    .replace("<footer>", '<p style="min-width: 1400px; color: #888; background: #999">wide</p><footer>')
    .replace("<main>", '<main><a href="#nowhere">nowhere</a>'),
};

/** Where there is no Chromium, the names of the tests say what is left out. */
const where =
  browser === null ? "SKIPPED, no Chromium on this machine (CHROMIUM names one)" : "in Chromium, light and dark";

test.skipIf(browser === null)(
  `pages are axe-clean, fit and work at 1280 and 390 px, ${where}; faults planted are found`,
  async () => {
    const looked = await lookAtPages(browser ?? "", Object.values(pages));
    const told = Object.keys(pages).map((name, at) => [name, looked[at] ?? []] as const);
    const looks = (["light", "dark"] as const).flatMap((scheme) =>
      ([1280, 390] as const).map((width): Look => ({ scheme, width })),
    );
    for (const [name, each] of told.slice(0, -1))
      expect([name, each]).toEqual([name, looks.map((look) => ({ ...look, problems: [] }))]);
    for (const { problems } of looked.at(-1) ?? [])
      for (const fault of [/^html-has-lang: /, /^color-contrast: /, /^wider than /, /^a link leads nowhere: #nowhere/])
        expect(problems).toContainEqual(expect.stringMatching(fault));
  },
);
