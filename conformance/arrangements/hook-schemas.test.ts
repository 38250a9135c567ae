import { expect, test } from "vitest";
import { formattedJson } from "../configuration/formatted.ts";
import { hookDefinitions } from "./all.ts";
import { hookSchemas } from "./hook-schemas.ts";

test("the published schemas of hooks are those by which answers are judged", async () => {
  const advice = "npx vitest run --project sqlite conformance/arrangements -u writes them anew";
  await expect(formattedJson(hookSchemas(hookDefinitions)), advice).toMatchFileSnapshot(
    "../examples/hooks.schema.json",
  );
});
