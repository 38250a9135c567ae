import type { IncomingMessage } from "node:http";

/** Largest body that is read, in bytes. */
export const bodyLimit = 1024 * 1024;

/** Deepest nesting that is taken; nothing in the contract comes near, and recursion over the value stays safe. */
const depthLimit = 64;

/** What the body of a request is. */
export type Body =
  | { readonly kind: "absent" }
  | { readonly kind: "json"; readonly value: unknown; readonly bytes: number }
  | { readonly kind: "wrong-media-type" }
  | { readonly kind: "too-large" }
  | { readonly kind: "not-json"; readonly why: string };

/**
 * Reads a JSON body, of any media type if `anyType`. No more bytes are kept than the limit; the rest of a larger body
 * is thrown away.
 */
export async function readBody(request: IncomingMessage, anyType: boolean): Promise<Body> {
  const bytes = await readBytes(request, bodyLimit);
  if (bytes === null) return { kind: "too-large" };
  if (bytes.length === 0) return { kind: "absent" };
  if (!anyType && !isJson(request.headers["content-type"])) return { kind: "wrong-media-type" };
  if (isEncoded(request.headers["content-encoding"])) return { kind: "not-json", why: "it is compressed" };
  const text = utf8(bytes);
  if (text === null) return { kind: "not-json", why: "it is not UTF-8" };
  const value = parse(text);
  if (value === undefined) return { kind: "not-json", why: "it is not valid JSON" };
  const why = unusable(value);
  if (why !== null) return { kind: "not-json", why };
  return { kind: "json", value, bytes: bytes.length };
}

/** The body as it came; null when it has more bytes than the limit, of which no more are kept. */
export function readBytes(request: IncomingMessage, limit: number): Promise<Buffer | null> {
  if (Number(request.headers["content-length"] ?? 0) > limit) return Promise.resolve(null);
  if (request.destroyed) return Promise.reject(new ClientGone());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (act: () => void) => {
      request.off("data", take).off("end", finish).off("error", fail).off("close", fail);
      act();
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else {
        request.resume();
        settle(() => resolve(null));
      }
    };
    const finish = () => settle(() => resolve(Buffer.concat(chunks)));
    const fail = () => settle(() => reject(new ClientGone()));
    request.on("data", take).on("end", finish).on("error", fail).on("close", fail);
  });
}

/** The client left before its request was complete; nobody reads the answer. */
export class ClientGone extends Error {
  constructor() {
    super("The client closed the connection before its request was complete.");
    this.name = "ClientGone";
  }
}

/** `application/json`, by itself or with a charset that names UTF-8. */
function isJson(header: string | undefined): boolean {
  const [type = "", ...parameters] = (header ?? "").split(";").map((part) => part.trim().toLowerCase());
  if (type !== "application/json") return false;
  return parameters.every((parameter) => !parameter.startsWith("charset=") || /^charset="?utf-?8"?$/.test(parameter));
}

const isEncoded = (header: string | undefined): boolean => header !== undefined && header.toLowerCase() !== "identity";

function utf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Undefined, which no JSON text means, when the text is none. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Why a JSON value cannot be worked with; null when it can. */
function unusable(value: unknown): string | null {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > depthLimit) return `it nests deeper than ${depthLimit} levels`;
    // No store keeps half a surrogate pair, so it could not be given back as it came.
    if (level.some((part) => typeof part === "string" && !part.isWellFormed()))
      return "it holds text that is no Unicode";
    level = level.flatMap((part) => (typeof part === "object" && part !== null ? namesAndValues(part) : []));
  }
  return null;
}

const namesAndValues = (part: object): readonly unknown[] =>
  Array.isArray(part) ? part : [...Object.keys(part), ...Object.values(part)];
