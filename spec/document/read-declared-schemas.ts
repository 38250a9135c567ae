import { fileURLToPath } from "node:url";
import { NodeHost, compile } from "@typespec/compiler";
import { getOpenAPI3 } from "@typespec/openapi3";
import type { OpenApiDocument } from "../../compiler/contract.ts";

/**
 * The API's OpenAPI document with every declared schema. A contract shows only those that an operation reaches, yet
 * the envelope and the error table are declared as a whole before all operations are.
 */
export async function readDeclaredSchemas(title: string): Promise<OpenApiDocument> {
  const program = await compile(NodeHost, fileURLToPath(new URL("../main.tsp", import.meta.url)), { noEmit: true });
  const records = await getOpenAPI3(program, { "openapi-versions": ["3.1.0"], "omit-unreachable-types": false });
  for (const record of records) {
    if (record.versioned || record.document.info.title !== title) continue;
    const plain: OpenApiDocument = JSON.parse(JSON.stringify(record.document));
    return plain;
  }
  throw new Error(`The spec has no service with the title ${title}.`);
}
