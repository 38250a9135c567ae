import * as fc from "fast-check";
import { type OperationId, operations } from "../../generated/operations.ts";
import type { Operation } from "../../generated/runtime/operation.ts";
import { operationSchemas } from "../../generated/schemas.ts";
import type { Known } from "./known.ts";

/** Method and target of a request, as they stand in its first line. */
export interface Aim {
  readonly verb: string;
  readonly path: string;
}

/** In place of an id, as it stands in a path. */
export const oddSegments: readonly string[] = [
  ...["__proto__", "constructor", "'+OR+1=1+--", "null", "NaN", "-1", "%00", "%", "%zz", "%c0%af", "%ed%a0%80"],
  ...["%2e%2e", "..", ".", ";", "\\", "\xff\xfe", "\xa0", "{id}", "a".repeat(9_000)],
  ...["00000000-0000-0000-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF", "%7B00000000%7D"],
];

const token = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Values of query parameters: cursors that are none or another's, and whatever else a parameter may not be. */
const oddValues: readonly string[] = [
  ...["", "a", "%00", "%ff", "%", "null", "undefined", "[]", "{}", "true", "-0", "0", "1e3", "+1", "1.5", "1e999"],
  ...[
    "9007199254740993",
    "-9223372036854775809",
    "NaN",
    "Infinity",
    "0x10",
    "1%2C2",
    "' OR 1=1 --".replaceAll(" ", "+"),
  ],
  ...[
    "2026-01-01",
    "2026-13-45T99:99:99Z",
    "0000-01-01T00:00:00Z",
    "275760-09-13T00:00:00.001Z",
    "2026-06-30T23:59:60Z",
  ],
  ...[
    "2026-01-01T00:00:00.123456789012345678901234567890Z",
    "1969-12-31T23:59:59.999-23:59",
    "__proto__",
    "constructor",
  ],
  ...[token({}), token([]), token(null), token({ id: "x", offset: -1 }), token({ occurredAt: Number.MAX_VALUE })],
  ...[
    "A".repeat(8_000),
    "=".repeat(10),
    "_-_-",
    `${token({ offset: 0 })}.${"A".repeat(43)}`,
    "%F0%9F%98%80",
    "%ED%A0%80",
  ],
];

const oddExtras = ["?", "?&&&", "?id=1&id=2", "?__proto__[a]=1", "?a[]=1&a[0][b]=2", "?%00=%ff", "#fragment"];

/** A call of some operation: with ids that are there, or others, and with its own query parameters or none. */
export function aimAtOperation(known: Known): fc.Arbitrary<Aim> {
  const all = Object.entries(operations) as readonly (readonly [OperationId, Operation])[];
  return fc.constantFrom(...all).chain(([id, operation]) =>
    fc
      .record({
        odd: fc.option(fc.constantFrom(...oddSegments), { freq: 4 }),
        upper: fc.boolean(),
        query: queryOf(id),
      })
      .map(({ odd, upper, query }) => {
        const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
          const there = knownId(operation, name, known);
          return odd ?? (upper ? there.toUpperCase() : there);
        });
        return { verb: operation.method, path: `${path}${query}` };
      }),
  );
}

/** What is read stays; what may be changed or deleted is there for it. */
function knownId({ service, method, resource }: Operation, name: string, known: Known): string {
  if (name === "endpoint_id") return known.endpointId;
  if (service === "sandbox") return name === "id" ? known.victim : known.spareKeyId;
  if (resource === "webhooks") return known.endpointId;
  return method === "GET" ? known.keyId : known.spareKeyId;
}

function queryOf(id: OperationId): fc.Arbitrary<string> {
  const { properties = {} } = Object(operationSchemas[id].query);
  const names: readonly string[] = [...Object.keys(properties), "unknown"];
  const pairs = fc
    .array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...oddValues)), { minLength: 1, maxLength: 4 })
    .map((given) => `?${given.map(([name, value]) => `${name}=${value}`).join("&")}`);
  return fc.oneof(
    { arbitrary: fc.constant(""), weight: names.length > 1 ? 1 : 6 },
    { arbitrary: pairs, weight: names.length > 1 ? 6 : 1 },
    { arbitrary: fc.constantFrom(...oddExtras, `?${"a=1&".repeat(3_000)}`), weight: 1 },
  );
}
