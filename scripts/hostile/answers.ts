import { constants } from "../../generated/constants.ts";
import { errorRows } from "../../generated/error-rows.ts";
import type { ErrorRow } from "../../generated/runtime/refusal.ts";

/** One answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  /** Null for an answer to a method that has no body in answers. */
  readonly body: string | null;
}

export interface RawAnswers {
  readonly answers: readonly RawAnswer[];
  /** What is no whole answer at the end; interim ones (1xx) count for nothing. */
  readonly rest: string;
}

/** Reads answers one after the other. With `bodiless` they have lengths but no bodies. */
export function readAnswers(bytes: Buffer, bodiless: boolean): RawAnswers {
  const answers: RawAnswer[] = [];
  let at = 0;
  for (;;) {
    const end = bytes.indexOf("\r\n\r\n", at);
    if (end === -1) break;
    const [start = "", ...lines] = bytes.subarray(at, end).toString("latin1").split("\r\n");
    const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(start) ?? [];
    if (status === undefined) break;
    const headers = new Map(lines.map(nameAndValue));
    const next = end + 4;
    if (status.startsWith("1")) {
      at = next;
      continue;
    }
    const length = Number(headers.get("content-length") ?? Number.NaN);
    const left = bytes.length - next;
    if (bodiless && left === 0) {
      answers.push({ status: Number(status), headers, body: null });
      at = next;
    } else if (length <= left) {
      answers.push({ status: Number(status), headers, body: bytes.toString("utf8", next, next + length) });
      at = next + length;
    } else break;
  }
  return { answers, rest: bytes.toString("latin1", at) };
}

function nameAndValue(line: string): [string, string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

const lacks = Object.values<ErrorRow>(errorRows).filter(({ notOffered }) => notOffered !== null);

/** What an answer lacks that every answer under this server must have; empty when it is whole. */
export function flawsOf({ status, headers, body }: RawAnswer): readonly string[] {
  const id = headers.get(constants.requestIdHeader.toLowerCase()) ?? "";
  const { success, error, data } = parsed(body ?? "");
  // What the reference lacks it says with a status like that, which is no failure.
  const isLack = lacks.some((row) => status === row.referenceStatus && error?.code === row.code);
  const flaws = [
    ...(status >= 500 && !isLack ? [`status ${status}`] : []),
    ...(id === "" ? [`no ${constants.requestIdHeader}`] : []),
    ...(headers.get("content-type") === "application/json" ? [] : ["no JSON"]),
  ];
  if (body === null) return flaws;
  if (success === true)
    return [...flaws, ...(data === undefined || status >= 300 ? ["success without data or 2xx"] : [])];
  if (success !== false || status < 400) return [...flaws, "no envelope"];
  return [
    ...flaws,
    ...(typeof error?.code === "string" && typeof error.message === "string" ? [] : ["no code or message"]),
    ...(error?.request_id === id ? [] : ["another request id in the body"]),
  ];
}

interface Body {
  readonly success?: unknown;
  readonly data?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly request_id?: unknown };
}

function parsed(text: string): Body {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
