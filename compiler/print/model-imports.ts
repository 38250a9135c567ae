import type { Resource, Resources } from "./resource.ts";

/** Imports of component types, each from the file that declares it. */
export function modelImports(names: ReadonlySet<string>, resource: Resource, all: Resources): string {
  const own = Object.keys(resource.components)
    .filter((name) => names.has(name))
    .sort();
  const shared = Object.keys(all.shared)
    .filter((name) => names.has(name))
    .sort();
  const line = (list: string[], file: string): string =>
    list.length > 0 ? `import type { ${list.join(", ")} } from "../models/${file}.ts";\n` : "";
  return line(own, resource.name) + line(shared, "shared");
}
