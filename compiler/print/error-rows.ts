import type { Contract, ErrorRow } from "../contract.ts";
import { banner } from "./banner.ts";
import { literal, propertyKey } from "./literal.ts";

/** The error catalog and one typed constructor for each row. */
export function printErrorRows(contract: Contract): string {
  const rows = contract.errors
    .map((row) => `  ${row.name}: ${literal(entry(row), "  ", row.name.length + 4)},\n`)
    .join("");
  const constructors = contract.errors.map(constructorOf).join("");
  return `${banner}import { type ErrorRow, Refusal, type RefusalExtras } from "./runtime/refusal.ts";
import type { KnownError, UnknownError } from "./runtime/transport.ts";

/** Every row of the error catalog, by name. */
export const errorRows = {
${rows}} as const satisfies Readonly<Record<string, ErrorRow>>;

export type ErrorRowName = keyof typeof errorRows;

/** What a client of an operation reads of a refusal: one of the operation's rows, or what a later version added. */
export type ErrorOf<Operation extends { readonly errors: readonly ErrorRowName[] }> =
  | KnownError<typeof errorRows, Operation["errors"][number]>
  | UnknownError;

/** Codes that no operation of the contract answers with in normal operation. */
export const reservedCodes: readonly string[] = ${literal(contract.reservedCodes, "", 48)};

/** One constructor for each row: what the row documents is required, what it rules out cannot be given. */
export const refuse = {
${constructors}} as const;
`;
}

function entry(row: ErrorRow): object {
  const { service, code, status, referenceStatus, when, extension, anywhere, notOffered, headers } = row;
  const details = row.details.kind === "keys" ? row.details.keys : row.details.kind;
  return { service, code, status, referenceStatus, details, when, extension, anywhere, notOffered, headers };
}

function constructorOf(row: ErrorRow): string {
  const parameters = ["message: string"];
  const extras: string[] = [];
  if (row.details.kind === "fields") {
    parameters.push("details: Readonly<Record<string, string>>");
    extras.push("details");
  }
  if (row.details.kind === "keys") {
    const keys = row.details.keys.map((key) => `readonly ${propertyKey(key)}: string`).join("; ");
    parameters.push(`details: { ${keys} }`);
    extras.push("details");
  }
  if (row.headers.length > 0) {
    const headers = row.headers.map((name) => `readonly ${propertyKey(name)}: string`).join("; ");
    parameters.push(`headers: { ${headers} }`);
    extras.push("headers");
  }
  if (extras.length === 0) parameters.push('extras?: Pick<RefusalExtras, "headers" | "data">');
  const given = extras.length === 0 ? "extras" : `{ ${extras.join(", ")} }`;
  return `  ${row.name}: (${parameters.join(", ")}) => new Refusal("${row.name}", message, ${given}),\n`;
}
