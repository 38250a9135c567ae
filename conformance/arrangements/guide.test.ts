import { expect, test } from "vitest";
import { formattedMarkdown } from "../configuration/formatted.ts";
import { hookDefinitions, requirements } from "./all.ts";
import { arrangementsGuide } from "./guide.ts";

test("the published guide is made of what the kit can be given", async () => {
  const guide = formattedMarkdown(arrangementsGuide(requirements, hookDefinitions));
  const advice = "npx vitest run --project sqlite conformance/arrangements -u writes it anew";
  await expect(guide, advice).toMatchFileSnapshot("../../docs/arrangements.md");
});
