export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A JSON Schema of draft 2020-12; references point into the components of the same document. */
export type JsonSchema = { readonly [keyword: string]: Json };
