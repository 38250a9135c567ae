import { randomUUIDv7 } from "node:crypto";
import { refuse } from "../../../generated/error-rows.ts";
import { operations } from "../../../generated/operations.ts";
import { successBody } from "../../http/envelope.ts";
import type { Contrarian } from "../edit.ts";
import { storing } from "../port-changes.ts";
import { idIn } from "../seen.ts";
import { dataOf, inPlaceOf, isRefusal, onAnswer, onData, onRequest, parsed, withBody, withData } from "../wire.ts";
import { withRequestBody } from "../wire-requests.ts";

const renamed = { id: "sms.sid", to: "sms.recipient", body: "sms.text", status: "sms.state", scheduled_at: "sms.due" };

/** Characters of the longest text that a short-spoken server takes. */
const mostText = 306;

const { reference: taken } = operations.uploadMedia.success;

/** Milliseconds for which a total is told that was counted once. */
const countedEvery = 400;

/** Servers that answer the questions on messages in other ways. */
export const messageContrarians: readonly Contrarian[] = [
  {
    id: "Q5-stale",
    does: "counts the messages of a list now and then, and tells the last total meanwhile",
    answers: "Q5",
    changes: [
      storing((store) => {
        const counted = new Map<string, { readonly total: number; readonly until: number }>();
        return {
          async messages(organizationId, page) {
            const found = await store.messages(organizationId, page);
            const last = counted.get(organizationId);
            if (last !== undefined && Date.now() < last.until) return { ...found, total: last.total };
            counted.set(organizationId, { total: found.total, until: Date.now() + countedEvery });
            return found;
          },
        };
      }),
    ],
  },
  {
    id: "Q138-null",
    does: "shows nothing of a message that is canceled",
    answers: "Q138",
    changes: [{ wire: onAnswer("cancelMessage", (answer) => (answer.status < 300 ? withData(answer, null) : answer)) }],
  },
  {
    id: "Q138-later",
    does: "shows that a message is canceled a moment later",
    answers: "Q138",
    changes: [
      {
        wire: (serve) => {
          const shown = new Map<string, unknown>();
          const canceled = new Map<string, boolean>();
          return async (request) => {
            const answer = await serve(request);
            const id = idIn(request);
            if (request.operation === "cancelMessage" && answer.status < 300 && !canceled.has(id))
              canceled.set(id, true);
            const data = request.operation === "getMessage" ? dataOf(answer) : null;
            if (data === null) return answer;
            if (canceled.get(id) === true && shown.has(id)) {
              canceled.set(id, false);
              return withData(answer, { ...data, status: shown.get(id) });
            }
            shown.set(id, data.status);
            return answer;
          };
        },
      },
    ],
  },
  {
    id: "Q138-interim",
    does: "calls a message that is canceled by another name at first",
    answers: "Q138",
    changes: [
      {
        wire: (serve) => {
          const canceled = new Set<string>();
          const settled = new Set<string>();
          return async (request) => {
            const answer = await serve(request);
            const id = idIn(request);
            if (request.operation === "cancelMessage" && answer.status < 300 && !settled.has(id)) canceled.add(id);
            const data = request.operation === "getMessage" ? dataOf(answer) : null;
            if (data === null || !canceled.has(id)) return answer;
            canceled.delete(id);
            settled.add(id);
            return withData(answer, { ...data, status: "canceling" });
          };
        },
      },
    ],
  },
  {
    id: "Q138-empty",
    does: "shows an empty object for a message that is canceled",
    answers: "Q138",
    changes: [{ wire: onData("cancelMessage", () => ({})) }],
  },
  {
    id: "Q99-shape",
    does: "takes and shows messages under other names",
    answers: "Q99",
    shapes: {
      sendMessage: { request: { to: "sms.recipient", body: "sms.text" }, response: renamed },
      getMessage: { request: {}, response: renamed },
    },
    changes: [
      {
        wire: onRequest("sendMessage", (request) => {
          const body = parsed(request.bytes);
          if (typeof body !== "object" || body === null || !("sms" in body)) return request;
          const { sms, ...others } = body;
          const { recipient: to, text } = Object(sms);
          return withRequestBody(request, { ...others, to, body: text });
        }),
      },
      ...(["sendMessage", "getMessage"] as const).map((id) => ({
        wire: onAnswer(id, (answer) => {
          const data = dataOf(answer);
          if (data === null) return answer;
          const { id: sid, to: recipient, body: text, status: state, scheduled_at: due } = data;
          return withData(answer, { sms: { sid, recipient, text, state, due } });
        }),
      })),
    ],
  },
  {
    id: "Q99-masked",
    does: "shows a part of the recipient's number, and no text",
    answers: "Q99",
    changes: [
      {
        wire: onData("getMessage", ({ to, ...data }) => ({ ...data, to: `${String(to).slice(0, -4)}****`, body: "" })),
      },
    ],
    excludes: ["Q99-shape"],
  },
  {
    id: "Q137-short",
    does: "takes texts of two segments and no longer ones",
    answers: "Q137",
    changes: [
      {
        wire: onRequest("sendMessage", (request) => {
          const sent = parsed(request.bytes);
          const { body } = Object(sent);
          const isTaken = typeof body !== "string" || body.length <= mostText;
          return isTaken ? request : withRequestBody(request, { ...Object(sent), body: "" });
        }),
      },
    ],
  },
  {
    id: "Q137-plain",
    does: "takes texts of printable ASCII characters and no others",
    answers: "Q137",
    changes: [
      {
        wire: onRequest("sendMessage", (request) => {
          const sent = parsed(request.bytes);
          const { body } = Object(sent);
          const isTaken = typeof body !== "string" || /^[ -~]*$/.test(body);
          return isTaken ? request : withRequestBody(request, { ...Object(sent), body: "" });
        }),
      },
    ],
  },
  {
    id: "Q89-forbidden",
    does: "forbids a send that the wallet does not cover",
    answers: "Q89",
    changes: [{ wire: inPlaceOf("sendMessage", "InsufficientCredit", refuse.Forbidden("The wallet is empty.")) }],
  },
  {
    id: "Q51-refunds",
    does: "counts as spent what it gave back",
    answers: "Q51",
    changes: [
      {
        file: "domain/wallet/wallet.ts",
        symbol: "walletAfter",
        find: 'kind === "refund" ? -amount : 0',
        replace: "0",
      },
    ],
  },
  {
    id: "Q171-taken",
    does: "takes uploads, and answers with a record of what it keeps",
    answers: "Q171",
    changes: [
      {
        wire: onAnswer("uploadMedia", (answer) => {
          if (!isRefusal(answer, "MmsDisabled")) return answer;
          const data = { id: randomUUIDv7(), media_type: "image/gif" };
          return { ...withBody(answer, successBody(data)), status: taken };
        }),
      },
    ],
  },
];
