import type { IncomingMessage } from "node:http";

/** The body of a request, as far as it is kept. */
export interface KeptBody {
  readonly bytes: Buffer;
  /** Bytes that came in all. */
  readonly size: number;
  readonly truncated: boolean;
  /** It ended before it was whole. */
  readonly broken: boolean;
}

/** Bytes of one body that are kept. */
export const longestKept = 1024 * 1024;

/** Bytes of all bodies of a receiver that are kept; those that come later are counted only. */
const mostKept = 128 * 1024 * 1024;

/** Bytes of one body that are read at all before the connection is broken off. */
const longestRead = 64 * 1024 * 1024;

/** Reads bodies whole, and keeps of them what memory allows. */
export function keepsBodies(room: number = mostKept): (request: IncomingMessage) => Promise<KeptBody> {
  let left = room;
  return async (request) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let kept = 0;
    let broken = false;
    try {
      for await (const chunk of request) {
        const bytes = Buffer.from(chunk as Uint8Array);
        size += bytes.length;
        const wanted = bytes.subarray(0, Math.min(longestKept - kept, left));
        kept += wanted.length;
        left -= wanted.length;
        if (wanted.length > 0) chunks.push(wanted);
        if (size > longestRead) {
          broken = true;
          request.destroy();
          break;
        }
      }
    } catch {
      broken = true;
    }
    return { bytes: Buffer.concat(chunks), size, truncated: kept < size, broken: broken || !request.complete };
  };
}
