import type { OpenApiParameter } from "../contract.ts";
import { banner } from "./banner.ts";
import { typeOfBody } from "./body.ts";
import { propertyKey } from "./literal.ts";
import { modelImports } from "./model-imports.ts";
import { bodyOf, type DescribedOperation, parametersIn, type Resource, type Resources } from "./resource.ts";
import { typeOfSchema } from "./type-of-schema.ts";

/** What each operation of a resource takes: path, query and header parameters and the body. */
export function printInputs(resource: Resource, all: Resources): string {
  const names = new Set<string>();
  const declared = resource.operations.map((o) => inputText(o, names));
  return `${banner}${modelImports(names, resource, all)}\n${declared.join("\n")}`;
}

function inputText({ inputType, described }: DescribedOperation, names: Set<string>): string {
  const members = (["path", "query", "header"] as const).flatMap((place) => {
    const parameters = parametersIn(described, place);
    if (parameters.length === 0) return [];
    const key = place === "header" ? "headers" : place;
    return [`  readonly ${key}: { ${parameters.map((p) => parameterText(p, names)).join("; ")} };\n`];
  });
  const body = bodyOf(described);
  if (body) {
    const type = typeOfBody(body, "  ");
    for (const name of type.names) names.add(name);
    members.push(`  readonly body${described.requestBody?.required ? "" : "?"}: ${type.text};\n`);
  }
  if (members.length === 0) return `export type ${inputType} = Readonly<Record<never, never>>;\n`;
  return `export interface ${inputType} {\n${members.join("")}}\n`;
}

function parameterText(parameter: OpenApiParameter, names: Set<string>): string {
  const type = typeOfSchema(parameter.schema);
  for (const name of type.names) names.add(name);
  const name = parameter.in === "header" ? parameter.name.toLowerCase() : parameter.name;
  return `readonly ${propertyKey(name)}${parameter.required ? "" : "?"}: ${type.text}`;
}
