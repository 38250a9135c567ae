import { type JsonObject, objectAt, textAt } from "../diff/json-at.ts";

/** Of these HTTP says nothing about bodies, so that OpenAPI 3.0 has them ignored; 3.1 permits them. */
export const methodsWithoutBodies: readonly string[] = ["get", "head", "delete"];

/** Schemes that OpenAPI 3.0 has no scopes of: all but those of OAuth 2 and OpenID Connect. */
export function schemesWithoutScopes(json: JsonObject): ReadonlySet<string> {
  const schemes = Object.entries(objectAt(json, "components", "securitySchemes"));
  const kinds = ["http", "apiKey", "mutualTLS"];
  return new Set(schemes.flatMap(([name, scheme]) => (kinds.includes(textAt(scheme, "type") ?? "") ? [name] : [])));
}
