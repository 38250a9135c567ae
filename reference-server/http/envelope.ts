import type { ServerResponse } from "node:http";
import { constants } from "../../generated/constants.ts";
import { type ErrorRowName, errorRows } from "../../generated/error-rows.ts";
import type { ErrorRow, Refusal } from "../../generated/runtime/refusal.ts";

/** The success answer of the contract. */
export const successBody = (data: unknown) => ({ success: true, data });

/** The error answer of the contract. */
export function errorBody(refusal: Refusal, requestId: string) {
  const details = refusal.details === null ? {} : { details: refusal.details };
  const data = refusal.data === undefined ? {} : { data: refusal.data };
  return {
    success: false,
    error: { code: rowOf(refusal).code, message: refusal.message, request_id: requestId, ...details },
    ...data,
  };
}

export function rowOf(refusal: Refusal): ErrorRow {
  if (isRowName(refusal.row)) return errorRows[refusal.row];
  throw new Error(`The catalog has no error row ${refusal.row}.`);
}

/** Answers with JSON. Headers that stand on the response already would be looked at one by one: all of them come with it. */
export function writeJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    // Answers are one caller's alone, and some show a secret.
    "cache-control": "no-store",
    [constants.requestIdHeader]: requestId,
    ...headers,
  });
  // Text goes out in one piece with the headers; bytes would be a piece of their own.
  response.end(text);
}

export function writeRefusal(response: ServerResponse, refusal: Refusal, requestId: string): void {
  writeJson(response, rowOf(refusal).referenceStatus, errorBody(refusal, requestId), requestId, refusal.headers);
}

const isRowName = (name: string): name is ErrorRowName => Object.hasOwn(errorRows, name);
