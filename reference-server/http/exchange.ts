import type { Request, Response } from "express";
import type { Logger } from "pino";
import type { Operation, OperationSchemas } from "../../generated/runtime/operation.ts";
import type { Refusal } from "../../generated/runtime/refusal.ts";
import type { OperationValidators } from "./validation.ts";

/** One operation with the code that serves it. */
export interface Route<Caller> {
  readonly operation: Operation;
  readonly schemas: OperationSchemas;
  readonly validators: OperationValidators;
  readonly handle: (input: unknown, caller: Caller) => Promise<unknown>;
}

/** What a handler gets once it is validated. */
export interface Input {
  path?: unknown;
  query?: unknown;
  headers?: unknown;
  body?: unknown;
}

/** One request on its way to its answer; the steps fill it in. */
export interface Exchange<Caller> {
  readonly request: Request;
  readonly response: Response;
  readonly requestId: string;
  /** What stands in the path for the parameters of its template, decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly log: Logger;
  /** Null when no operation is at this path and method. */
  readonly route: Route<Caller> | null;
  readonly input: Input;
  /** What to undo when the request is refused in the end. */
  readonly undo: (() => Promise<void>)[];
  caller: Caller | null;
  /** The payload that the handler gave. */
  data: unknown;
  /** What stands in the answer beside the payload. */
  beside: Readonly<Record<string, unknown>>;
}

/** One step of the way. A refusal ends it. */
export type Step<Caller> = (exchange: Exchange<Caller>) => Promise<Refusal | null> | Refusal | null;

/** The caller, for steps behind authentication. */
export function callerOf<Caller>(exchange: Exchange<Caller>): Caller {
  if (exchange.caller === null) throw new Error("A step that needs the caller stands before authentication.");
  return exchange.caller;
}

/** The operation, for steps that only operations have. */
export function routeOf<Caller>(exchange: Exchange<Caller>): Route<Caller> {
  if (exchange.route === null) throw new Error("A step that needs an operation runs where there is none.");
  return exchange.route;
}
