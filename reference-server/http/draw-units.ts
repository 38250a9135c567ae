import type { OperationDraw } from "../../generated/runtime/operation.ts";

/** Units that a call draws: one, or one for each item of an array in its body, which is valid. */
export function drawUnits({ records }: OperationDraw, body: unknown): number {
  if (records === null) return 1;
  const [, name = ""] = records.split("/");
  const items: unknown = Object(body)[name.replaceAll("~1", "/").replaceAll("~0", "~")];
  return Array.isArray(items) ? items.length : 0;
}
