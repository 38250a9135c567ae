import { banner } from "./banner.ts";
import { literal, propertyKey } from "./literal.ts";
import type { Resources } from "./resource.ts";

/** A Standard Schema of each component, by its name. */
export function printValidators({ resources, shared }: Resources): string {
  const files = [...resources, { name: "shared", components: shared }].map(({ name, components }) => ({
    name,
    types: Object.keys(components).sort(),
  }));
  const imports = files
    .filter(({ types }) => types.length > 0)
    .map(({ name, types }) => `import type { ${types.join(", ")} } from "./models/${name}.ts";\n`);
  const entries = files
    .flatMap(({ types }) => types)
    .sort()
    .map((type) => `  ${propertyKey(type)}: schemaOf<${type}>(${literal(type)}),\n`);
  return `${banner}${imports.join("")}import { standardSchemas } from "./runtime/standard-schema.ts";
import { components } from "./schemas.ts";

const schemaOf = standardSchemas(components);

/** Validators of what is sent and answered, for whatever takes a Standard Schema. */
export const validators = {
${entries.join("")}} as const;
`;
}
