import { expect, test } from "vitest";
import { formattedMarkdown } from "../configuration/formatted.ts";
import { hookDefinitions, requirements } from "./all.ts";
import { arrangementsGuide } from "./guide.ts";

test("the published guide is made of what the kit can be given", async () => {
  await expect(formattedMarkdown(arrangementsGuide(requirements, hookDefinitions))).toMatchFileSnapshot(
    "../../docs/arrangements.md",
  );
});
