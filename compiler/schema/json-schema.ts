export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 embeds it. */
export type JsonSchema = { readonly [keyword: string]: Json };
