/** What an OpenAPI document says in extensions. They stand where OpenAPI and JSON Schema have no word of their own. */

/** Beside `enum`: later versions may add values, and clients are told to expect them. */
export const openEnum = "x-bylaw-open-enum";
