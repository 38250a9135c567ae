import type { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

type Check = (text: string) => boolean;

const lenientChecks = { uuid: stringCheck("uuid"), "date-time": stringCheck("date-time") } as const;

/**
 * Adds the formats of JSON Schema and OpenAPI. Three are stricter than in ajv-formats: a `uuid` has no `urn:`
 * prefix, a `date-time` is RFC 3339 to the letter (`T` between date and time, `+05:00` and not `+05`), and an
 * `int64` fits into 64 bits.
 */
export function addStrictFormats(ajv: Ajv2020): void {
  addFormats.default(ajv);
  ajv.addFormat("uuid", (text: string) => !/^urn:/i.test(text) && lenientChecks.uuid(text));
  ajv.addFormat("date-time", (text: string) => dateTime.test(text) && lenientChecks["date-time"](text));
  ajv.addFormat("int64", {
    type: "number",
    validate: (value: number) => Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63,
  });
}

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

/** True of a text that common validators take for the format although it is not: no fair example of a miss. */
export function isDisputed(format: string, text: string): boolean {
  return (format === "uuid" || format === "date-time") && lenientChecks[format](text);
}

function stringCheck(name: "uuid" | "date-time"): Check {
  const format = addFormats.default.get(name);
  if (format instanceof RegExp) return (text) => format.test(text);
  if (typeof format === "object" && "validate" in format) {
    const { validate } = format;
    if (validate instanceof RegExp) return (text) => validate.test(text);
    if (typeof validate === "function") return (text) => Reflect.apply(validate, undefined, [text]) === true;
  }
  throw new TypeError(`ajv-formats has no usable check of "${name}".`);
}
