import { addressOf } from "../target/address.ts";
import { tokenDefect } from "../target/credential.ts";
import type { TargetProblem } from "../target/target-problem.ts";
import type { ParsedTargetFile } from "./target-file.ts";

/** Where a target's description comes from; flags win over the environment, and that over the file. */
export interface TargetSources {
  readonly file: { readonly name: string; readonly text: string } | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly flags: TargetFlags;
}

/** Values by the flag that gives them. */
export interface TargetFlags {
  readonly "--url"?: string | undefined;
  readonly "--sandbox-url"?: string | undefined;
  /** The key that was piped in. */
  readonly "--key-stdin"?: string | undefined;
  readonly "--request-timeout"?: string | undefined;
  readonly "--max-wait"?: string | undefined;
  readonly "--receiver-listen"?: string | undefined;
  readonly "--receiver-url"?: string | undefined;
}

/** A value and where it was found. */
export interface Given {
  readonly value: string;
  readonly where: string;
}

/** Names under which each source may hold one value. */
export interface Names {
  readonly flag?: keyof TargetFlags;
  readonly variable?: string;
  /** Keys that lead to it in the file. */
  readonly path?: readonly string[];
}

/** Sources that are being read, with the problems found so far. */
export interface Reading {
  readonly sources: TargetSources;
  readonly file: ParsedTargetFile;
  readonly problems: TargetProblem[];
}

/** The value of the source that wins; null when none has it. */
export function pick(reading: Reading, { flag, variable, path }: Names, inFile?: string | number): Given | null {
  const { flags, environment } = reading.sources;
  const flagged = flag === undefined ? undefined : flags[flag];
  if (flag !== undefined && flagged !== undefined) return { value: flagged, where: flag };
  const fromEnvironment = variable === undefined ? "" : (environment[variable]?.trim() ?? "");
  if (variable !== undefined && fromEnvironment !== "") return { value: fromEnvironment, where: variable };
  return path === undefined || inFile === undefined ? null : resolved(reading, String(inFile), path);
}

/** A value of the file, or of the environment variable that it refers to. */
function resolved({ file, sources, problems }: Reading, text: string, path: readonly string[]): Given | null {
  const where = file.placeOf(path);
  const name = /^\$\{(\w+)\}$/.exec(text)?.[1];
  if (name === undefined) return { value: text, where };
  const value = sources.environment[name]?.trim() ?? "";
  if (value !== "") return { value, where: `${where} (${name})` };
  const fix = `Set it, or leave "${path.join(".")}" out of the file.`;
  problems.push({ where, message: `The environment variable ${name} is not set, or is empty.`, fix });
  return null;
}

/** A value that can stand in an Authorization header. */
export function secretIn(reading: Reading, given: Given | null): string | null {
  if (given === null) return null;
  const defect = tokenDefect(given.value);
  if (defect !== null) reading.problems.push({ where: given.where, ...defect });
  return given.value;
}

/** A value as the address of a service; empty when it is none. */
export function addressIn(reading: Reading, given: Given, service: "api" | "sandbox" | "hook" | "receiver"): string {
  const read = addressOf(given.value, service);
  if (read.ok) return read.address;
  reading.problems.push({ where: given.where, message: read.message, fix: read.fix });
  return "";
}
