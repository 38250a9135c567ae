import { expect, test } from "vitest";
import { formattedJson } from "../configuration/formatted.ts";
import { hookDefinitions } from "./all.ts";
import { hookSchemas } from "./hook-schemas.ts";

test("the published schemas of hooks are those by which answers are judged", async () => {
  await expect(formattedJson(hookSchemas(hookDefinitions))).toMatchFileSnapshot("../examples/hooks.schema.json");
});
