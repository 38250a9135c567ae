import type { JsonSchema } from "../contract.ts";
import { type TypeText, typeOfSchema } from "./type-of-schema.ts";

/** The body of a request or an answer. */
export interface Body {
  readonly media: string;
  readonly schema: JsonSchema;
}

type Content = { readonly [mediaType: string]: { readonly schema: JsonSchema } };

/** The one body that a part of a document describes; null when it has none. */
export function bodyIn(content: Content | undefined): Body | null {
  const [first] = Object.entries(content ?? {});
  return first === undefined ? null : { media: first[0], schema: first[1].schema };
}

/** RFC 6839, section 3.1: JSON, or a type that ends in `+json`. */
export const isJson = (media: string): boolean => /^application\/(.+\+)?json(;|$)/.test(media);

export const isText = (media: string): boolean => media.startsWith("text/");

/** JSON is its value, text a string, anything else bytes. */
export function typeOfBody({ media, schema }: Body, indent = ""): TypeText {
  if (isJson(media)) return typeOfSchema(schema, indent);
  return { text: isText(media) ? "string" : "Uint8Array", names: new Set() };
}
