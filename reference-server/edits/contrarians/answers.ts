import { basePaths } from "../../../generated/constants.ts";
import { operationList, operations } from "../../../generated/operations.ts";
import type { Contrarian } from "../edit.ts";
import { withMembers } from "../ports.ts";
import {
  dataOf,
  isRefusal,
  onAnswer,
  onData,
  onRequest,
  parsed,
  type Wire,
  type WireAnswer,
  type WireRequest,
  withBody,
  withData,
} from "../wire.ts";
import { bodyOf, withRequestBody } from "../wire-requests.ts";

const list = operations.listDeliveryAttempts.id;

/** A refusal of the API with other members in its `error`. */
function withError(answer: WireAnswer, change: (error: Readonly<Record<string, unknown>>) => object): WireAnswer {
  const { error, ...others } = Object(parsed(answer.bytes));
  return error === undefined ? answer : withBody(answer, { ...others, error: { ...error, ...change(error) } });
}

/** Names what failed validations say of fields in another way, but for what the document names itself: what is too many for a limit. */
const namingFields =
  (named: (name: string, request: WireRequest) => string): Wire =>
  (serve) =>
  async (request) => {
    const answer = await serve(request);
    if (!isRefusal(answer, "ValidationFailed") && !isRefusal(answer, "ValidationFailed400")) return answer;
    const { draws = [] } = operationList.find(({ id }) => id === request.operation) ?? {};
    const isCounted = (name: string) => draws.some(({ records }) => records === `/${name}`);
    return withError(answer, ({ details }) => ({
      details: Object.fromEntries(
        Object.entries(Object(details)).map(([name, why]) => [isCounted(name) ? name : named(name, request), why]),
      ),
    }));
  };

/** How far a server's clock is off, in milliseconds; clocks of two machines differ by that. */
const off = 3_000;

/** Servers that say the same in other words, and page in another way. */
export const answerContrarians: readonly Contrarian[] = [
  {
    id: "Q15-lengthy",
    does: "tells in its messages at length what was asked for and what else could be done, in several languages",
    answers: "Q15",
    changes: [
      {
        wire: (serve) => async (request) => {
          const answer = await serve(request);
          if (!request.path.startsWith(basePaths.api) || answer.status === 401) return answer;
          const asked = answer.status < 500 ? `${request.method} ${request.path.slice(0, 300)}\n` : "";
          const more = "Что-то не так. 何かがおかしい。 “Fix” the request & <try> again…\n".repeat(8);
          return withError(answer, ({ message }) => ({ message: `${message}\n${asked}${more}` }));
        },
      },
    ],
  },
  {
    id: "Q9-placed",
    does: "names in `details` the place of a field and the field behind it",
    answers: "Q9",
    changes: [
      {
        wire: namingFields((name, { method }) => `request.${method.toLowerCase()}.${name}`),
      },
    ],
  },
  {
    id: "Q9-innermost",
    does: "names in `details` a field alone, and not what it stands in",
    answers: "Q9",
    changes: [{ wire: namingFields((name) => name.split(/[./]/).findLast((part) => !/^\d*$/.test(part)) ?? name) }],
    excludes: ["Q9-placed"],
  },
  {
    id: "Q10-own-codes",
    does: "has codes of its own for paths and methods that it does not serve",
    answers: "Q10",
    changes: [
      {
        wire: (serve) => async (request) => {
          const answer = await serve(request);
          if (request.operation !== null || !request.path.startsWith(basePaths.api)) return answer;
          if (answer.status !== 404 && answer.status !== 405) return answer;
          const code = answer.status === 404 ? "ROUTE_NOT_FOUND" : "METHOD_NOT_SUPPORTED";
          return withError(answer, () => ({ code }));
        },
      },
    ],
  },
  {
    id: "Q11-own-code",
    does: "has a code of its own for broken JSON",
    answers: "Q11",
    changes: [
      {
        wire: (serve) => async (request) => {
          const answer = await serve(request);
          const isBroken = request.bytes.length > 0 && parsed(request.bytes) === undefined;
          if (!isBroken || ![400, 422].includes(answer.status)) return answer;
          const { error, ...others } = Object(parsed(answer.bytes));
          const { details: _, ...rest } = Object(error);
          return withBody({ ...answer, status: 400 }, { ...others, error: { ...rest, code: "MALFORMED_JSON" } });
        },
      },
    ],
  },
  {
    id: "Q14-sets",
    does: "gives scopes and event types in another order than they were asked for",
    answers: "Q14",
    changes: [
      operations.createApiKey,
      operations.getApiKey,
      operations.createWebhookEndpoint,
      operations.rotateEndpointSecret,
    ].map(({ id }) => ({
      wire: onData(id, (data) =>
        Object.fromEntries(
          Object.entries(data).map(([name, value]) => [
            name,
            Array.isArray(value) ? value.toSorted().reverse() : value,
          ]),
        ),
      ),
    })),
  },
  {
    id: "Q17-behind",
    does: "has a clock that is three seconds behind",
    answers: "Q17",
    changes: [{ ports: (ports) => ({ ...ports, world: { ...ports.world, now: () => ports.world.now() - off } }) }],
  },
  {
    id: "Q17-ahead",
    does: "has a clock that is three seconds ahead",
    answers: "Q17",
    // Together they are on time.
    excludes: ["Q17-behind"],
    changes: [{ ports: (ports) => ({ ...ports, world: { ...ports.world, now: () => ports.world.now() + off } }) }],
  },
  {
    id: "Q3-again",
    does: "answers the deletion of what is already deleted as it did the first time",
    answers: "Q3",
    changes: [
      {
        wire: (serve) => {
          const deleted = new Map<string, WireAnswer>();
          return async (request) => {
            const answer = await serve(request);
            if (request.operation !== operations.deleteWebhookEndpoint.id) return answer;
            const who = `${request.headers.authorization} ${request.path}`;
            if (answer.status < 300) deleted.set(who, answer);
            const first = deleted.get(who);
            return answer.status === 404 && first ? { ...answer, status: first.status, bytes: first.bytes } : answer;
          };
        },
      },
    ],
  },
  {
    id: "Q4-empty-page",
    does: "has a cursor behind the last records too, which leads to a page without any",
    answers: "Q4",
    changes: [
      {
        wire: (serve) => {
          let ends = 0;
          const reached = new Map<string, WireAnswer>();
          return async (request) => {
            if (request.operation !== list) return serve(request);
            const { searchParams } = new URL(request.path, "http://localhost");
            const who = (cursor: string): string => `${request.headers.authorization} ${cursor}`;
            const end = reached.get(who(searchParams.get("cursor") ?? ""));
            // Another answer than the first time, but for what it says.
            if (end !== undefined)
              return { ...end, headers: (await serve({ ...request, path: basePaths.api })).headers };
            const answer = await serve(request);
            const body = Object(parsed(answer.bytes));
            const records: readonly unknown[] = Array.isArray(body.data) ? body.data : [];
            if (answer.status >= 300 || records.length === 0 || body.meta?.next_cursor !== undefined) return answer;
            const cursor = `end-${ends++}-${Math.random().toString(36).slice(2)}`;
            const { offset } = body.meta;
            reached.set(
              who(cursor),
              withBody(answer, { ...body, data: [], meta: { ...body.meta, offset: Number(offset) + records.length } }),
            );
            return withBody(answer, { ...body, meta: { ...body.meta, next_cursor: cursor } });
          };
        },
      },
    ],
  },
  {
    id: "Q5-half-full",
    does: "puts on a page half of what fits on it, as one that leaves records out after it has read them",
    answers: "Q5",
    changes: [
      {
        wire: (serve) => async (request) => {
          const url = new URL(request.path, "http://localhost");
          const limit = Number(url.searchParams.get("limit") ?? "50");
          const isSound = request.operation === list && Number.isInteger(limit) && limit >= 2 && limit <= 200;
          if (!isSound || url.searchParams.getAll("limit").length > 1) return serve(request);
          const [path = "", query = ""] = request.path.split("?");
          const others = query.split("&").filter((each) => each !== "" && !each.startsWith("limit="));
          const half = [...others, `limit=${Math.ceil(limit / 2)}`].join("&");
          const answer = await serve({ ...request, path: `${path}?${half}` });
          const body = Object(parsed(answer.bytes));
          return answer.status < 300 ? withBody(answer, { ...body, meta: { ...body.meta, limit } }) : answer;
        },
      },
    ],
  },
  {
    id: "Q6-numbered",
    does: "numbers its cursors",
    answers: "Q6",
    changes: [
      {
        wire: (serve) => {
          const cursors: string[] = [];
          return async (request) => {
            if (request.operation !== list) return serve(request);
            const path = request.path.replace(/([?&]cursor=)(\d+)(?=&|$)/, (all, name: string, number: string) => {
              const cursor = cursors[Number(number) - 1000];
              return cursor === undefined ? all : name + encodeURIComponent(cursor);
            });
            const answer = await serve({ ...request, path });
            const body = Object(parsed(answer.bytes));
            const next = body.meta?.next_cursor;
            if (typeof next !== "string" || next === "") return answer;
            const number = String(cursors.push(next) - 1 + 1000);
            return withBody(answer, { ...body, meta: { ...body.meta, next_cursor: number } });
          };
        },
      },
    ],
  },
  {
    id: "Q71-forgotten",
    does: "shows attempts no more whose endpoint was deleted",
    answers: "Q71",
    changes: [
      {
        wire: (serve) => {
          const deleted = new Set<string>();
          return async (request) => {
            const answer = await serve(request);
            const { id } = request.parameters;
            if (request.operation === operations.deleteWebhookEndpoint.id && answer.status < 300 && id !== undefined)
              deleted.add(id.toLowerCase());
            const { data } = Object(parsed(answer.bytes));
            if (request.operation !== list || !Array.isArray(data)) return answer;
            return withData(
              answer,
              data.filter((record) => !deleted.has(String(Object(record).endpoint_id).toLowerCase())),
            );
          };
        },
      },
    ],
  },
  {
    id: "Q24-shortened",
    does: "keeps at most 60 bytes of a label, in whole characters, without blanks at the end",
    answers: "Q24",
    changes: [
      {
        wire: onRequest("createApiKey", (request) => {
          const { label, ...others } = Object(bodyOf(request));
          if (typeof label !== "string" || Buffer.byteLength(label) <= 60) return request;
          const bytes = Buffer.from(label).subarray(0, 60);
          const short = new TextDecoder().decode(bytes, { stream: true }).trimEnd();
          return withRequestBody(request, { ...others, label: short });
        }),
      },
    ],
  },
  {
    id: "Q24-tidied",
    does: "keeps labels in the composed form of Unicode, without white space around them",
    answers: "Q24",
    changes: [operations.createApiKey, operations.getApiKey].map(({ id }) => ({
      wire: onAnswer(id, (answer) => {
        const data = dataOf(answer);
        return typeof data?.label === "string"
          ? withData(answer, { ...data, label: data.label.normalize("NFC").trim() })
          : answer;
      }),
    })),
  },
  {
    id: "Q61-lower-case",
    does: "writes the names of a delivery's headers in lower case, as newer versions of HTTP do",
    answers: "Q61",
    changes: [
      {
        ports: (ports) => ({
          ...ports,
          sender: withMembers(ports.sender, {
            send: ({ headers, ...request }) =>
              ports.sender.send({
                ...request,
                headers: Object.fromEntries(Object.entries(headers).map(([name, v]) => [name.toLowerCase(), v])),
              }),
          }),
        }),
      },
    ],
  },
];
