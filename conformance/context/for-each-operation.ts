import { type OperationId, operationList, type operations } from "../../generated/operations.ts";
import type { Operation } from "../../generated/runtime/operation.ts";
import type { Need } from "../arrangements/all.ts";
import type { Effect } from "../arrangements/effect.ts";
import { callerNeeds } from "./caller-of.ts";
import { type Check, sharedStock } from "./check.ts";

/** Operations of the API under test; the sandbox has others. */
export type ApiOperationId = {
  [Id in OperationId]: (typeof operations)[Id]["service"] extends "api" ? Id : never;
}[OperationId];

/** An operation of the API under test with the facts that the contract has of it. */
export interface ApiOperation extends Operation {
  readonly id: ApiOperationId;
}

export const apiOperations: readonly ApiOperation[] = operationList.filter(isOfApi);

function isOfApi(operation: Operation): operation is ApiOperation {
  return operation.service === "api";
}

/** The cost of the calls of a check: by default that of valid requests. */
export interface OperationCost {
  readonly needsOf?: (operation: ApiOperation) => readonly Need[];
  /** Returns true if the calls for this operation spend money. */
  readonly isPaid?: (operation: ApiOperation) => boolean;
}

/**
 * Returns one check for each operation, unless `make` returns null. By default a check needs the capabilities of the
 * operation's caller (`callerOf`). A blocked check blocks no other one. The id ends with that of the operation.
 */
export const forEachOperation = (
  make: (operation: ApiOperation) => Omit<Check, "operation"> | null,
  { needsOf = callerNeeds, isPaid = isPaidFor }: OperationCost = {},
): readonly Check[] =>
  apiOperations.flatMap((operation) => {
    const check = make(operation);
    if (check === null) return [];
    const effects: readonly Effect[] = isPaid(operation) ? [...check.effects, "spends"] : check.effects;
    const needs = [...new Set([...check.needs, ...needsOf(operation)])];
    const turn = isOrdered(operation) ? { inTurn: sharedStock } : {};
    return [{ ...check, ...turn, id: `${check.id}.${operation.id}`, operation: operation.id, needs, effects }];
  });

/**
 * Returns true if the operation or the records that it works on cost money: it is charged itself, another operation is
 * charged that makes these records, or it returns nothing before something was charged.
 */
export const isPaidWithRecords = (operation: ApiOperation): boolean =>
  isShortBeside(operation, "credit") || operation.shortages.includes("paidUse");

/** Returns true if a valid request costs money. A read of no particular record requires no record. */
export const isPaidFor = (operation: ApiOperation): boolean =>
  isPaidWithRecords(operation) && !(isReadOfNoRecord(operation) && operation.shortages.length === 0);

const isReadOfNoRecord = ({ changes, path }: ApiOperation): boolean => changes === "nothing" && !path.includes("{");

/** Whether to call the operation takes something out of stock, as that. */
const isOrdered = (operation: ApiOperation): boolean => isShortBeside(operation, "stock");

const isShortBeside = ({ resource }: ApiOperation, what: Operation["shortages"][number]): boolean =>
  apiOperations.some((other) => other.resource === resource && other.shortages.includes(what));
