import { afterEach, describe, expect, it } from "vitest";
import { readTypeSpec } from "../read-typespec.ts";
import { type ScratchProject, scratchProject } from "../scratch-project.ts";

let project: ScratchProject;
afterEach(() => project.remove());

describe("a name that nothing has", () => {
  it.each([
    ["a scope", "@post @scope(Scope.write)", "@post @scope(Scope.writes)", "Did you mean Scope.write?"],
    ["a bucket", "@draws(Bucket.makes)", "@draws(Bucket.make)", "Did you mean Bucket.makes?"],
    ["an error row", "| Denied | Missing;", "| Denied | Mising;", "Did you mean Missing?"],
    ["a model", "@body widget: Widget)", "@body widget: Wdget)", "Did you mean Widget?"],
    [
      "an operation",
      "@@question(WidgetStore.getWidget",
      "@@question(WidgetStore.getWidgt",
      "Did you mean WidgetStore.getWidget?",
    ],
  ])("is corrected where it is near %s", async (_, piece, by, fix) => {
    project = scratchProject([[piece, by]]);
    const { contract, problems } = await readTypeSpec(project.entry, project.root);
    expect(contract).toBeNull();
    expect(problems).toMatchObject([{ code: "invalid-ref", fix }]);
  });

  it.each([
    ["nothing", "Xylophone"],
    ["what is no type", "GetWidgetOf"],
  ])("is not corrected where it is near %s", async (_, name) => {
    project = scratchProject([["| Denied | Missing;", `| Denied | ${name};`]]);
    const { problems } = await readTypeSpec(project.entry, project.root);
    expect(problems).toMatchObject([{ code: "invalid-ref", fix: null }]);
  });

  it("is corrected in the placeholder of a sentence", async () => {
    project = scratchProject([["gives {Missing}.", "gives {Mising}."]]);
    const { problems } = await readTypeSpec(project.entry, project.root);
    expect(problems).toMatchObject([{ code: "unknown-placeholder" }]);
    expect(problems[0]?.message).toContain('Did you mean "Missing"?');
  });
});
