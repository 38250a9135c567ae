import type { Contract } from "../../compiler/contract.ts";
import { type KeptList, listBanner } from "./kept-list.ts";

/** The folder of the reference server whose files handle a service's resources, and what precedes their names in types. */
const homes = [
  { service: "api", folder: "routes", prefix: "" },
  { service: "sandbox", folder: "sandbox", prefix: "sandbox-" },
];

/**
 * Binds the handlers of each resource. That of `webhooks` is `webhooksHandlers` of `routes/webhooks.ts`; where it is not
 * written yet, the list does not pass the types.
 */
export const routeLists = ({ operations }: Pick<Contract, "operations">): readonly KeptList[] =>
  homes.map(({ service, folder, prefix }) => {
    const resources = [...new Set(operations.filter((one) => one.service === service).map(({ resource }) => resource))];
    return { file: `reference-server/${folder}/all.ts`, text: printed(resources.sort(), prefix) };
  });

function printed(resources: readonly string[], prefix: string): string {
  const bindings = resources.map(
    (resource) => `import { bind${pascal(resource)} } from "../../generated/server/${resource}.ts";`,
  );
  const handlers = resources.map(
    (resource) => `import { ${camel(resource)}Handlers } from "./${resource.slice(prefix.length)}.ts";`,
  );
  const entries = resources.map((resource) => `  boundTo(bind${pascal(resource)}, ${camel(resource)}Handlers),`);
  return `${listBanner}${bindings.join("\n")}
import { boundTo } from "../http/routes.ts";
${handlers.join("\n")}

/** Every resource's operations with their handlers. */
export const allRoutes = [
${entries.join("\n")}
];
`;
}

const pascal = (name: string): string => name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
const camel = (name: string): string => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
