import { randomUUIDv7 } from "node:crypto";
import { bounds } from "../../../generated/limits.ts";
import type { Message } from "../../domain/messages/message.ts";
import type { Contrarian } from "../edit.ts";
import { storing } from "../port-changes.ts";
import { onAnswer, onRequest, parsed, withBody } from "../wire.ts";
import { withQuery } from "../wire-requests.ts";

/** Milliseconds after which the list shows a message. */
const late = 100;

/** More than any organization sends in that time. */
const mostHidden = 50;

/** An identifier of version 7 begins with the time at which it was made: milliseconds since 1970. */
const madeAt = (id: string): number => Number.parseInt(id.replace("-", "").slice(0, 12), 16);

/** Has the list on one page, whatever is asked for. */
const onOnePage = onRequest("listMessages", (request) =>
  withQuery(request, { cursor: undefined, limit: String(bounds.deliveryPageMax) }),
);

/** Servers that answer the questions on the list of messages in other ways. */
export const messageListContrarians: readonly Contrarian[] = [
  {
    id: "Q19-whole",
    does: "lists all messages on one page, and knows neither page sizes nor cursors",
    answers: "Q19",
    changes: [{ wire: onOnePage }],
  },
  {
    id: "Q100-uncanceled",
    does: "leaves canceled messages out of their list, and out of its total",
    answers: "Q100",
    changes: [
      {
        wire: (serve) =>
          onAnswer("listMessages", (answer) => {
            const { data, meta, ...others } = Object(parsed(answer.bytes));
            if (!Array.isArray(data)) return answer;
            const kept = data.filter(({ status }) => status !== "canceled");
            return withBody(answer, { ...others, data: kept, meta: { ...meta, total: kept.length } });
          })(onOnePage(serve)),
      },
    ],
  },
  {
    id: "Q170-oldest",
    does: "lists the oldest messages first",
    answers: "Q170",
    changes: [
      {
        wire: (serve) =>
          onAnswer("listMessages", (answer) => {
            const body = Object(parsed(answer.bytes));
            return Array.isArray(body.data) ? withBody(answer, { ...body, data: body.data.toReversed() }) : answer;
          })(onOnePage(serve)),
      },
    ],
  },
  {
    id: "Q170-late",
    does: "lists a message a tenth of a second after it was sent",
    answers: "Q170",
    changes: [
      { ports: (ports) => ({ ...ports, world: { ...ports.world, newId: randomUUIDv7 } }) },
      storing((store) => ({
        async messages(organizationId, page) {
          const shownUntil = Date.now() - late;
          const isOut = ({ id }: Message): boolean => madeAt(id) < shownUntil;
          const newest = await store.messages(organizationId, { before: null, limit: mostHidden });
          const hidden = newest.messages.filter((message) => !isOut(message)).length;
          const found = await store.messages(organizationId, { ...page, limit: page.limit + mostHidden });
          return { messages: found.messages.filter(isOut).slice(0, page.limit), total: newest.total - hidden };
        },
      })),
    ],
  },
];
