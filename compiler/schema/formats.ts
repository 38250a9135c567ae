import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/**
 * Adds the formats of JSON Schema and OpenAPI. Three are stricter than in ajv-formats: a `uuid` has no `urn:`
 * prefix, a `date-time` is RFC 3339 to the letter (`T` between date and time, `+05:00` and not `+05`), and an
 * `int64` fits into 64 bits.
 */
export function addStrictFormats(ajv: Ajv2020): void {
  addFormats.default(ajv);
  ajv.addFormat("uuid", (text: string) => !/^urn:/i.test(text) && lenient.uuid(text));
  ajv.addFormat("date-time", (text: string) => dateTime.test(text) && lenient["date-time"](text));
  ajv.addFormat("int64", {
    type: "number",
    validate: (value: number) => Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63,
  });
}

/** True of a text that common validators take for the format although it is not: no fair example of a miss. */
export function isDisputed(format: string, text: string): boolean {
  return (format === "uuid" || format === "date-time") && lenient[format](text);
}

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

const lenient = { uuid: lenientCheck("uuid"), "date-time": lenientCheck("date-time") } as const;

function lenientCheck(format: string): (text: string) => boolean {
  const ajv = new Ajv2020({ meta: false, validateSchema: false, strict: false, logger: false });
  addFormats.default(ajv);
  return ajv.compile({ format });
}
