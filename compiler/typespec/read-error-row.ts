import type { Model, ModelProperty } from "@typespec/compiler";
import { getHeaderFieldName, getStatusCodes, isHeader, isStatusCode } from "@typespec/http";
import type { EnvelopePart, ErrorRowFacts } from "../../spec/vocabulary/facts.ts";
import type { Declared } from "../../spec/vocabulary/vocabulary.ts";
import type { ErrorDetails, ErrorRow, ServiceName } from "../contract.ts";
import { propertiesOf } from "./model-facts.ts";
import type { SpecSource } from "./spec-source.ts";

/** An error row with where its parts stand. */
export interface ReadRow {
  readonly row: ErrorRow;
  readonly model: Model;
  /** JSON Pointer of each part in the body; the name of the header for the request id. */
  readonly parts: ReadonlyMap<EnvelopePart, string>;
}

/** Reads an error row off its model. */
export function readErrorRow(
  source: SpecSource,
  model: Model,
  { value }: Declared<ErrorRowFacts>,
  service: ServiceName,
): ReadRow {
  const { when, extension = false, referenceStatus, notStatus = [], anywhere = false, notOffered = null } = value;
  const found = new Map<EnvelopePart, readonly [pointer: string, property: ModelProperty]>();
  for (const [pointer, property] of propertiesOf(model)) {
    const part = source.partOf(property);
    if (part !== undefined && !found.has(part)) found.set(part, [pointer, property]);
  }
  const code = found.get("code")?.[1].type;
  if (code?.kind !== "String") {
    source.fault(
      "row-code",
      `${model.name} names no error code.`,
      "Give it a property with @envelope(EnvelopePart.code) whose type is a literal.",
      model,
    );
  }
  const status = statusOf(source, model);
  const requestId = found.get("requestId")?.[1];
  const headers = [...model.properties.values()]
    .filter((p) => isHeader(source.program, p) && source.partOf(p) !== "requestId")
    .map((p) => getHeaderFieldName(source.program, p));
  const allowed = typeof status === "number" ? status : { ...status, except: notStatus };
  return {
    model,
    parts: new Map(
      [...found].map(([part, [pointer]]) => [
        part,
        part === "requestId" && requestId ? getHeaderFieldName(source.program, requestId).toLowerCase() : pointer,
      ]),
    ),
    row: {
      name: model.name,
      service,
      code: code?.kind === "String" ? code.value : "",
      status: allowed,
      referenceStatus: referenceStatus ?? (typeof allowed === "number" ? allowed : allowed.from),
      details: detailsOf(found.get("details")?.[1]),
      when,
      extension,
      anywhere,
      notOffered,
      headers,
      place: source.place(model),
    },
  };
}

/** The status of a row, or the range in which it may lie. */
function statusOf(source: SpecSource, model: Model): number | { readonly from: number; readonly to: number } {
  const property = [...model.properties.values()].find((p) => isStatusCode(source.program, p));
  const [status] = property === undefined ? [] : getStatusCodes(source.program, property);
  if (typeof status === "number") return status;
  if (typeof status === "object") return { from: status.start, to: status.end };
  source.fault(
    "row-status",
    `${model.name} has no status.`,
    "Give it a @statusCode that is a literal or a range.",
    model,
  );
  return 500;
}

function detailsOf(property: ModelProperty | undefined): ErrorDetails {
  if (property?.type.kind !== "Model") return { kind: "none" };
  const keys = [...property.type.properties.keys()];
  return keys.length > 0 ? { kind: "keys", keys } : { kind: "fields" };
}
