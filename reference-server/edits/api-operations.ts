import { type ErrorRowName, errorRows } from "../../generated/error-rows.ts";
import { operationList } from "../../generated/operations.ts";
import type { Operation } from "../../generated/runtime/operation.ts";
import type { ErrorRow } from "../../generated/runtime/refusal.ts";
import { components, operationSchemas } from "../../generated/schemas.ts";

/** An operation of the messaging API. */
export type ApiOperation = Operation & { readonly id: keyof typeof operationSchemas };

const rowsOfLacks = Object.entries<ErrorRow>(errorRows).flatMap(([name, row]) =>
  row.notOffered === null ? [] : [name],
);

/** Operations that the server serves: one that it may lack altogether it lacks, and breaks no rule there. */
export const apiOperations = operationList.filter(
  (operation): operation is ApiOperation => operation.service === "api" && !isLacking(operation),
);

function isLacking({ errors }: Operation): boolean {
  return errors.some((name) => rowsOfLacks.includes(name));
}

/** Whether its path names a record by its id; a contact has a number, which no organization owns. */
export const onRecord = ({ id }: ApiOperation): boolean =>
  JSON.stringify(operationSchemas[id].path).includes("#/components/schemas/Uuid");

/** Whether it may answer with an error row. */
const declares = ({ errors }: ApiOperation, row: ErrorRowName): boolean => errors.some((name) => name === row);

/** Whether the operation finds nothing where its path names no record; others answer with a row of their own. */
export const findsNothing = (operation: ApiOperation): boolean =>
  onRecord(operation) && declares(operation, "NotFound");

/** Whether it takes a body. */
export const withBody = ({ id }: ApiOperation): boolean => operationSchemas[id].body !== null;

/** Members that its body must have. */
export const requiredIn = ({ id }: ApiOperation): readonly unknown[] => {
  const { body } = operationSchemas[id];
  const model = String(body?.$ref).split("/").at(-1) ?? "";
  const required = components[model]?.required;
  return Array.isArray(required) ? required : [];
};

/** Whether it takes parameters of a query. */
export const withQuery = ({ id }: ApiOperation): boolean => operationSchemas[id].query !== null;

/** Whether the contract describes one record in the answer. */
export const showsData = ({ id, list }: ApiOperation): boolean =>
  !list && !JSON.stringify(operationSchemas[id].answer).includes('"data":{}');

/** Whether a call leaves a trace. */
export const changesSomething = ({ changes }: ApiOperation): boolean => changes !== "nothing";

/** Whether the same call again leaves no trace in an organization; on a record one does, where that is another one. */
export const isOnceOnly = (operation: ApiOperation): boolean =>
  operation.changes === "once" && !onRecord(operation) && !takesNoKey(operation);

/** Whether only signed-in users may call it. */
export const takesNoKey = ({ caller }: ApiOperation): boolean => caller === "session";

/** Whether a key needs a scope for it. */
export const wantsScope = ({ scope }: ApiOperation): boolean => scope !== null;

/** Whether it answers with a page of records. */
export const isList = ({ list }: ApiOperation): boolean => list;
