import { canonicalJson } from "../schema/canonical-json.ts";
import type { JsonSchema } from "../schema/json-schema.ts";

/** Media type of bytes of which nothing else is said. */
const bytes = "application/octet-stream";

/** Returns what a schema says about the content of a text, in keywords or by a format, each as canonical JSON. */
function contentOf({ contentEncoding, contentMediaType, format }: JsonSchema): {
  readonly contentEncoding: string | null;
  readonly contentMediaType: string | null;
} {
  const encoding = contentEncoding ?? (format === "byte" ? "base64" : null);
  const mediaType = contentMediaType ?? (format === "binary" ? bytes : null);
  return {
    contentEncoding: encoding === null ? null : canonicalJson(encoding),
    contentMediaType: mediaType === null ? null : canonicalJson(mediaType),
  };
}

/** Returns true if the schemas of both sides say the same about the content of a text, whichever keyword says it. */
export const haveSameContent = (base: readonly JsonSchema[], head: readonly JsonSchema[]): boolean =>
  contentKeywords.every((keyword) => {
    const [before, after] = [base, head].map((schemas) =>
      [...new Set(schemas.flatMap((schema) => contentOf(schema)[keyword] ?? []))].sort().join(" or "),
    );
    return before === after;
  });

const contentKeywords = ["contentEncoding", "contentMediaType"] as const;
