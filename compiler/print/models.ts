import type { JsonSchema } from "../contract.ts";
import { banner } from "./banner.ts";
import type { Resource, Resources } from "./resource.ts";
import { declareType } from "./type-of-schema.ts";

/** Types of the component schemas that only this resource uses. */
export function printModels(resource: Resource, all: Resources): string {
  return declarations(resource.components, Object.keys(all.shared), "./shared.ts");
}

/** Types of the component schemas that several resources use. */
export function printSharedModels(all: Resources): string {
  return declarations(all.shared, [], "");
}

function declarations(
  components: Readonly<Record<string, JsonSchema>>,
  elsewhere: readonly string[],
  from: string,
): string {
  const declared = Object.entries(components).map(([name, schema]) => declareType(name, schema));
  const imported = elsewhere.filter((name) => declared.some((d) => d.names.has(name))).sort();
  const imports = imported.length > 0 ? `import type { ${imported.join(", ")} } from "${from}";\n\n` : "";
  const body = declared.length > 0 ? declared.map((d) => d.text).join("\n") : "export {};\n";
  return `${banner}${imports}${body}`;
}
