import { type DocumentedOperation, everywhere } from "./documented-operation.ts";

interface DocumentedKeyOperation extends DocumentedOperation {
  /** Whether the answer shows the full secret. */
  readonly showsSecret: boolean;
  /** The document shows the rest of the answer. */
  readonly showsShape: boolean;
}

export const documentedKeyOperations: readonly DocumentedKeyOperation[] = [
  {
    route: "POST /v1/api-keys",
    scope: "apikeys:write",
    answers: [...everywhere, "400 INVALID_INPUT", "422 VALIDATION_FAILED", "429 RATE_LIMITED"],
    // A body of the wrong shape may get either form of the validation error.
    open: ["400 VALIDATION_FAILED"],
    showsSecret: true,
    showsShape: true,
  },
  {
    route: "GET /v1/api-keys/{id}",
    scope: "apikeys:read",
    answers: [...everywhere, "400 VALIDATION_FAILED", "404 NOT_FOUND"],
    open: [],
    showsSecret: false,
    showsShape: true,
  },
  {
    route: "POST /v1/api-keys/{id}/rotate",
    scope: null,
    answers: [...everywhere, "404 NOT_FOUND", "429 RATE_LIMITED"],
    // The operation is known by name: how it refuses an id, a body or a revoked key is not shown.
    open: ["400 VALIDATION_FAILED", "422 VALIDATION_FAILED", "400 INVALID_INPUT", "409 CONFLICT"],
    showsSecret: true,
    showsShape: false,
  },
];

/** Fields of the key object with their JSON type, format and nullability. */
export const documentedKeyFields: { readonly [field: string]: string } = {
  id: "string, uuid",
  org_id: "string, uuid",
  label: "string",
  prefix: "string",
  scopes: "array of string",
  created_at: "string, date-time",
  last_used_at: "string, date-time or null",
  revoked_at: "string, date-time or null",
};

export const documentedSecretField = { name: "plaintext", shape: "string" } as const;

/** Fields of the body that creates a key. */
export const documentedKeyRequestFields: { readonly [field: string]: string } = {
  label: "string",
  scopes: "array of string",
};

/** What a list of scopes may not be, as the JSON Schema keywords that say so, and the answer to it. */
export const documentedScopeListRefusals = {
  empty: "minItems",
  duplicate: "uniqueItems",
  unknown: ["pattern", "enum", "const"],
  answer: "400 INVALID_INPUT",
} as const;
