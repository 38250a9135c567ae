import * as fc from "fast-check";
import { basePaths, constants } from "../../generated/constants.ts";
import { operations } from "../../generated/operations.ts";
import { type Aim, aimAtOperation, oddSegments } from "./hostile-operations.ts";
import type { Known } from "./known.ts";

const either = <T>(...weighted: readonly (readonly [number, fc.Arbitrary<T>])[]): fc.Arbitrary<T> =>
  fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const tokenCharacters = [..."ABCXYZabc!#$%&'*+-.^_`|~09"];

const method: fc.Arbitrary<string> = either(
  [14, fc.constantFrom("POST", "POST", "GET")],
  [4, fc.constantFrom("PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY", "PROPFIND", "M-SEARCH")],
  [1, fc.constantFrom("get", "GE T", "", "\u0000", "POST\t", "PRI", "SOURCE")],
  [1, fc.string({ unit: fc.constantFrom(...tokenCharacters), minLength: 1, maxLength: 20 })],
);

const segment = either(
  [3, fc.constantFrom(...oddSegments)],
  [2, fc.string({ unit: "binary", maxLength: 10 }).map((text) => encodeURI(text.toWellFormed()))],
);

const keys = operations.createApiKey.path;

const odd = [
  ...[
    "*",
    "/",
    "//",
    `///${keys.replaceAll("/", "//")}`,
    "",
    keys.slice(1),
    "?",
    basePaths.api,
    basePaths.api.slice(0, -1),
  ],
  ...[keys.toUpperCase(), `${keys}/`],
  ...[`http://x${keys}`, `http://x:99999${keys}`, `https://u:p@[::1]${keys}`, "HTTP://", `http://${basePaths.api}`],
  ...["x:443", `${basePaths.api}..${keys}`, `${basePaths.api}%2e%2e/healthz`, `//x${keys}`, "javascript:1"],
  `${basePaths.api}a HTTP/1.1`,
];

/** The first word and the target of a request: mostly a call of some operation, or nearly one. */
export const aim = (known: Known): fc.Arbitrary<Aim> =>
  either(
    [8, aimAtOperation(known)],
    // Another method there, or a path that no operation has.
    [2, fc.tuple(method, aimAtOperation(known)).map(([verb, { path }]) => ({ verb, path }))],
    [1, fc.record({ verb: method, path: fc.constantFrom(...odd) })],
    [1, fc.record({ verb: method, path: fc.tuple(folder, segment).map((parts) => parts.join("")) })],
  );

const folder = fc.constantFrom(`${keys}/`, basePaths.api, `${operations.createOrganization.path}/`);

/** Strange, and allowed. */
const oddLines = [
  ...["Expect: 100-continue", "Expect: 200-ok", "Expect: 100-continue, x", "Upgrade: websocket", "Connection: Upgrade"],
  ...["Upgrade: h2c", "Connection: close", "Connection: keep-alive", `Connection: ${constants.requestIdHeader}, Host`],
  ...["Content-Encoding: gzip", "Content-Encoding: br, x", "Host: ", "Host: a\r\nHost: b", "Host: \xff"],
  ...["Authorization: Bearer x", "X-HTTP-Method-Override: DELETE", "Trailer: Content-Length", "TE: trailers"],
  ...["Range: bytes=0-", "If-None-Match: *", "Accept: \xff", "Accept-Encoding: *;q=9", "X-Forwarded-For: ' --"],
  ...["__proto__: x", "constructor: y", "Proxy-Connection: keep-alive", "Keep-Alive: timeout=1e9", "Date: never"],
  ...["", "\xff\xfe", "' OR 1=1 --", "a".repeat(8_000)].map(
    (value) => `${constants.targetOrganizationHeader}: ${value}`,
  ),
  `Cookie: ${"a=b; ".repeat(2_500)}`,
  Array.from({ length: 800 }, (_, index) => `Cookie: c${index}=v`).join("\r\n"),
  Array.from({ length: 1_500 }, (_, index) => `X-${index}: `).join("\r\n"),
];

/** Forbidden, or too much. */
const brokenLines = [
  ...[
    `${constants.requestIdHeader}: \x1b[31m`,
    "X: \x00",
    "X: \x0b",
    "No colon at all",
    ": no name",
    "Sp ace: x",
    " folded: x",
    "\tX: y",
  ],
  ...["X: a\r\n  folded", "X: a\rInjected: b", "X: a\nY: b"],
  `X-Bomb: ${"b".repeat(20_000)}`,
  `${"N".repeat(20_000)}: x`,
  Array.from({ length: 5_000 }, (_, index) => `X-${index}: `).join("\r\n"),
];

const types = ["application/json", "application/json; charset=utf-8"];
const oddTypes = [
  'application/json; charset="',
  "text/html",
  "application/json, application/json",
  ";;;=",
  "\xff/\xfe",
];

export const headers = (known: Known): fc.Arbitrary<readonly string[]> => {
  const { key, staffSession, sandboxToken, victim } = known;
  const credential = either(
    [6, fc.constant(key)],
    [3, fc.constant(sandboxToken)],
    [2, fc.constant(staffSession)],
    [1, fc.constantFrom(`${key}x`, "", "\xff", "a".repeat(7_000), "__proto__")],
  );
  const scheme = either([8, fc.constant("Bearer ")], [1, fc.constantFrom("bearer  ", "Basic ", "", "Bearer\t")]);
  const authorization = fc.tuple(scheme, credential).map((parts) => `Authorization: ${parts.join("")}`);
  const type = either([6, fc.constantFrom(...types)], [1, fc.constantFrom(...oddTypes)]).map(
    (t) => `Content-Type: ${t}`,
  );
  const others = either<readonly string[]>(
    [6, fc.constant([])],
    [
      4,
      fc.array(fc.constantFrom(...oddLines, `${constants.targetOrganizationHeader}: ${victim}`), {
        minLength: 1,
        maxLength: 3,
        size: "max",
      }),
    ],
    [1, fc.constantFrom(...brokenLines).map((line) => [line])],
  );
  return fc
    .tuple(fc.option(authorization, { freq: 12 }), fc.option(type, { freq: 8 }), others)
    .map(([first, second, more]) => [first, second, ...more].filter((line) => line !== null));
};
