import { readdirSync } from "node:fs";
import type { Effect } from "../arrangements/effect.ts";
import type { Check } from "../context/check.ts";
import type { CallInput, CheckContext } from "../context/context.ts";
import { type Draws, timesDraws } from "../context/draws.ts";
import { type ApiOperation, type ApiOperationId, apiOperations } from "../context/for-each-operation.ts";
import type { Credential, Tenant } from "../provision/tenant.ts";
import { readScope } from "./grantable.ts";
import type { InputMaker, ListMaker } from "./input-maker.ts";

const folder = new URL("sound-inputs/", import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith(".ts"));

const modules: readonly object[] = await Promise.all(
  files.map((file): Promise<object> => import(new URL(file, folder).href)),
);

/** By operation: all that the files of the resources export as `soundInputs`. */
const makers: ReadonlyMap<string, InputMaker & Partial<ListMaker>> = new Map(
  modules.flatMap((module) => ("soundInputs" in module ? Object.entries(Object(module.soundInputs)) : [])),
);

/** Operations of which nobody has written how to call them soundly, each with what is to be done. */
export const withoutSoundInput: readonly string[] = apiOperations
  .filter(({ id }) => !makers.has(id))
  .map(({ id, resource }) => `write ${id} in conformance/steps/sound-inputs/${resource}.ts`);

/** What it takes to make so many sound inputs of an operation, beside its calls. */
export const soundInputCost = ({ id }: ApiOperation, inputs: number): Required<Pick<Check, "draws" | "sharedKeys">> => {
  const { draws = {}, sharedKeys = [] } = makers.get(id) ?? {};
  return { draws: timesDraws(draws, inputs), sharedKeys };
};

/** What sound calls of an operation do besides what every check says of itself. */
export const soundInputEffects = (operation: ApiOperationId): readonly Effect[] => makers.get(operation)?.effects ?? [];

/** Blocks where what the input speaks of cannot be made. A caller who holds not all scopes says what it holds. */
export async function soundInput(
  operation: ApiOperationId,
  t: CheckContext,
  tenant: Tenant,
  holding: readonly string[] = [readScope],
): Promise<CallInput> {
  const maker = makers.get(operation);
  if (maker === undefined) throw new Error(`There is no sound input of ${operation}: ${withoutSoundInput.join("; ")}.`);
  return maker.make(t, tenant, holding);
}

/** An update of every optional property of the contract; null for an operation that has no such input. */
export async function wideInput(operation: ApiOperationId, t: CheckContext, as: Credential): Promise<CallInput | null> {
  const makeWide = makers.get(operation)?.makeWide;
  return makeWide === undefined ? null : makeWide(t, as.tenant, as);
}

/** What it takes to add so many records to a list. */
export const addedCost = ({ id }: ApiOperation, records: number): Draws =>
  timesDraws(makers.get(id)?.addDraws ?? {}, records);

/** Adds a record to a list; blocks where none can be made. */
export async function addRecord({ id }: ApiOperation, t: CheckContext, tenant: Tenant): Promise<void> {
  const add = makers.get(id)?.add;
  if (add === undefined) throw new Error(`Nobody has written how a record is added to the list of ${id}.`);
  await add(t, tenant);
}
