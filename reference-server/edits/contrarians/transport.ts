import { randomUUID } from "node:crypto";
import { setTimeout as passed } from "node:timers/promises";
import { basePaths, constants } from "../../../generated/constants.ts";
import { buckets } from "../../../generated/limits.ts";
import { operations } from "../../../generated/operations.ts";
import type { Contrarian } from "../edit.ts";
import { parsed, retryAfter, type Wire, type WireAnswer, type WireRequest, withBody, withHeaders } from "../wire.ts";

/** Changes every answer of the API itself; its sandbox has a contract of its own. */
const onEveryAnswer =
  (change: (answer: WireAnswer, index: number) => WireAnswer): Wire =>
  (serve) => {
    let count = 0;
    return async (request) => {
      const answer = await serve(request);
      return request.path.startsWith(basePaths.api) ? change(answer, count++) : answer;
    };
  };

const textOf = ({ bytes }: WireAnswer): string => bytes.toString();

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Members that hold the id of a record or of an event. */
const shownIds = new RegExp(`"((?!request_)(?:\\w+_)?id)":(\\s*)"(${constants.eventIdPrefix})?([0-9a-f-]{36})"`, "g");

/** Milliseconds that an answer takes more, at most. */
const jitter = 30;

/** Whether a request is odd as HTTP, so that a strict front lets nobody behind it see it. */
const isOddHttp = ({ path, headers, rawHeaders }: WireRequest): boolean => {
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  return (
    /\/\/|%2f|%00|%(?![0-9a-f]{2})|%e0/i.test(path.split("?", 1)[0] ?? "") ||
    new Set(names).size < names.length ||
    /[^\t -~]/.test(headers.authorization ?? "")
  );
};

/** Returns true if the escapes of a query are UTF-8. */
function isText(query: string): boolean {
  try {
    decodeURIComponent(query);
    return true;
  } catch {
    return false;
  }
}

/** Servers that stand behind another framework or proxy: what they say is the same, how it travels is not. */
export const transportContrarians: readonly Contrarian[] = [
  {
    id: "Q30-upper-names",
    does: "writes the names of headers in upper case",
    answers: "Q30",
    changes: [
      {
        wire: onEveryAnswer((answer) => ({
          ...answer,
          headers: Object.fromEntries(Object.entries(answer.headers).map(([name, v]) => [name.toUpperCase(), v])),
        })),
      },
    ],
  },
  {
    id: "Q134-front",
    does: "stands behind a front that refuses odd HTTP with a page of its own",
    answers: "Q134",
    changes: [
      {
        wire: (serve) => async (request) =>
          isOddHttp(request)
            ? { status: 400, headers: { "content-type": "text/html" }, bytes: Buffer.from("<h1>Bad Request</h1>") }
            : serve(request),
      },
    ],
  },
  {
    id: "Q134-strict",
    does: "runs behind a proxy that refuses a body of a deletion, a body without a length and a broken escape in a query",
    answers: "Q134",
    changes: [
      {
        wire: (serve) => async (request) => {
          const { method, path, headers, bytes } = request;
          const status =
            headers["transfer-encoding"] !== undefined
              ? 411
              : (method === "DELETE" && bytes.length > 0) || !isText(path.split("?")[1] ?? "")
                ? 400
                : null;
          return status === null
            ? serve(request)
            : { status, headers: { "content-type": "text/html" }, bytes: Buffer.from("<h1>Refused</h1>") };
        },
      },
    ],
    excludes: ["Q134-front"],
  },
  {
    id: "Q30-framed",
    does: "closes the connection behind every answer and sends bodies in chunks, whose length is not known before",
    answers: "Q30",
    changes: [
      { wire: onEveryAnswer((answer) => withHeaders(answer, { connection: "close", "transfer-encoding": "chunked" })) },
    ],
  },
  {
    id: "Q30-proxied",
    does: "adds what a proxy adds: cookies, tags, where it came by and what may be done with it",
    answers: "Q30",
    changes: [
      {
        wire: onEveryAnswer((answer, index) => ({
          ...answer,
          headers: {
            ...answer.headers,
            "set-cookie": [`lb=${index}; Path=/; HttpOnly`, "region=eu; Secure"],
            etag: `W/"${answer.bytes.length.toString(16)}-${index}"`,
            via: "1.1 edge-7 (cache), 1.0 origin",
            "strict-transport-security": "max-age=63072000; includeSubDomains",
            "x-content-type-options": "nosniff",
            "x-powered-by": "Undertow/1",
          },
        })),
      },
    ],
  },
  {
    id: "Q30-jitter",
    does: "takes its time, each answer another one, so that calls made at once are answered in another order",
    answers: "Q30",
    changes: [
      {
        wire: (serve) => async (request) => {
          const answer = await serve(request);
          await passed(Math.random() * jitter);
          return answer;
        },
      },
    ],
  },
  {
    id: "Q33-spelled",
    does: "spells its media type in capitals, and a challenge out in full",
    answers: "Q33",
    changes: [
      {
        wire: onEveryAnswer((answer) =>
          withHeaders(answer, {
            "content-type": "Application/JSON ; Charset=UTF-8",
            "www-authenticate":
              answer.headers["www-authenticate"] === undefined
                ? undefined
                : 'Bearer realm="api", error="invalid_token", error_description="The token is not valid"',
          }),
        ),
      },
    ],
  },
  {
    id: "Q14-reversed",
    does: "writes the members of every object in another order, with spaces and line breaks",
    answers: "Q14",
    changes: [
      {
        wire: onEveryAnswer((answer) => ({
          ...answer,
          bytes: Buffer.from(`${JSON.stringify(reversed(parsed(answer.bytes)), null, "\t")}\r\n`),
        })),
      },
    ],
  },
  {
    id: "Q14-escaped",
    does: "escapes in its JSON whatever may be escaped, slashes and letters beyond ASCII, and writes whole numbers with a fraction",
    answers: "Q14",
    changes: [
      {
        wire: onEveryAnswer((answer) => ({
          ...answer,
          bytes: Buffer.from(
            textOf(answer)
              .replaceAll(
                /("(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*)/g,
                (_, text: string | undefined, number: string) =>
                  text?.replaceAll("/", "\\/") ?? (/^-?\d+$/.test(number) ? `${number}.0` : number),
              )
              .replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
          ),
        })),
      },
    ],
  },
  {
    id: "Q17-trimmed",
    does: "writes times to the nanosecond, and leaves out zeros at their end",
    answers: "Q17",
    changes: [
      {
        wire: onEveryAnswer((answer, index) => ({
          ...answer,
          bytes: Buffer.from(
            textOf(answer).replaceAll(/"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z"/g, (_, seconds, fraction = ".") => {
              const trimmed = `${fraction}${index % 2 === 0 ? "000" : "0000"}`.replace(/\.?0*$/, "");
              return `"${seconds}${trimmed}Z"`;
            }),
          ),
        })),
      },
    ],
  },
  {
    id: "Q17-capitals",
    does: "writes every id of a record in upper case, and reads ids in either",
    answers: "Q17",
    changes: [
      {
        wire: (serve) => async (request) => {
          const answer = await serve({ ...request, path: request.path.replaceAll(uuids, (id) => id.toLowerCase()) });
          const text = textOf(answer).replaceAll(
            shownIds,
            (_, name: string, space: string, mark = "", id: string) => `"${name}":${space}"${mark}${id.toUpperCase()}"`,
          );
          return request.path.startsWith(basePaths.api) ? { ...answer, bytes: Buffer.from(text) } : answer;
        },
      },
    ],
  },
  {
    id: "Q17-one-case",
    does: "finds nothing under an id that is written in upper case",
    answers: "Q17",
    // It would find nothing under its own.
    excludes: ["Q17-capitals"],
    changes: [
      {
        wire: (serve) => (request) => {
          const nobodys = request.path.replaceAll(uuids, (id) => (/[A-F]/.test(id) ? randomUUID() : id));
          return serve(request.path.startsWith(basePaths.api) ? { ...request, path: nobodys } : request);
        },
      },
    ],
  },
  {
    id: "Q15-traced",
    does: "names requests as a load balancer does, in a text of several parts",
    answers: "Q15",
    changes: [
      {
        wire: onEveryAnswer((answer, index) => {
          const id = `Root=1-${Date.now().toString(16)}-${index.toString(16).padStart(24, "0")}; Sampled=1`;
          const { error, ...others } = Object(parsed(answer.bytes));
          const told = withHeaders(answer, { [constants.requestIdHeader.toLowerCase()]: id });
          return error === undefined ? told : withBody(told, { ...others, error: { ...error, request_id: id } });
        }),
      },
    ],
  },
  {
    id: "Q49-whole-period",
    does: "tells whoever meets a limit to come back after the whole period, or later where that is needed",
    answers: "Q49",
    changes: [
      {
        wire: (serve) => async (request) => {
          const answer = await serve(request);
          const needed = answer.headers[retryAfter];
          if (request.operation === null || needed === undefined) return answer;
          const periods = operations[request.operation].draws.map(({ bucket }) => buckets[bucket].periodSeconds);
          return withHeaders(answer, { [retryAfter]: String(Math.max(Number(needed), ...periods)) });
        },
      },
    ],
  },
];

/** The same value with the members of its objects in another order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, reversed(member)]),
  );
}
