import { refuse } from "../../../generated/error-rows.ts";
import type { Contrarian } from "../edit.ts";
import { dataOf, onAnswer, onData, onRequest, refusedWith, withData } from "../wire.ts";
import { bodyOf, withRequestBody } from "../wire-requests.ts";

const both = ["getNotifications", "updateNotifications"] as const;
const elsewhere = { email: "channels.email" };

/** Servers that answer the questions on notifications and legal acceptances in other ways. */
export const notificationContrarians: readonly Contrarian[] = [
  {
    id: "Q125-more",
    does: "shows an address and a toggle that nobody sets, and a second channel",
    answers: "Q125",
    changes: both.map((id) => ({
      wire: onData(id, ({ email }) => ({
        email: { address: "ada@example.com", verified: true, ...Object(email) },
        push: { billing: false },
      })),
    })),
  },
  {
    id: "Q125-shape",
    does: "takes and shows the toggles of e-mail one level below",
    answers: "Q125",
    shapes: {
      getNotifications: { request: {}, response: elsewhere },
      updateNotifications: { request: elsewhere, response: elsewhere },
    },
    changes: [
      {
        wire: onRequest("updateNotifications", (request) => {
          const body = bodyOf(request);
          // What has none of it stays as wrong as it is.
          if (typeof body !== "object" || body === null || !("channels" in body)) return request;
          const { channels, ...others } = Object(body);
          return withRequestBody(request, { ...others, ...Object(channels) });
        }),
      },
      ...both.map((id) => ({ wire: onData(id, ({ email }) => ({ channels: { email } })) })),
    ],
  },
  {
    id: "Q222-compliance",
    does: "lets nobody set what they are told of compliance alone",
    answers: "Q222",
    changes: [
      {
        wire: (serve) => async (request) => {
          const { email, ...channels } = Object(request.operation === "updateNotifications" ? bodyOf(request) : {});
          const { compliance, ...toggles } = Object(email);
          const isAlone = compliance !== undefined && Object.keys({ ...toggles, ...channels }).length === 0;
          if (!isAlone) return serve(request);
          // Whatever comes first does so for a change of nothing as well.
          const answer = await serve(withRequestBody(request, { email: {} }));
          return answer.status < 300
            ? refusedWith(answer, refuse.ImmutableNotificationKey("It stays on.", { "email.compliance": "stays on" }))
            : answer;
        },
      },
    ],
  },
  {
    id: "Q220-certain",
    does: "knows certain legal documents, and finds none of another name",
    answers: "Q220",
    changes: [
      {
        wire: onAnswer("createLegalAcceptance", (answer) =>
          answer.status < 300 ? refusedWith(answer, refuse.NotFound("There is no such document.")) : answer,
        ),
      },
    ],
  },
  {
    id: "Q125-nested-alone",
    does: "has the channels one level below, and passes over whatever else is sent beside them",
    answers: "Q125",
    shapes: {
      getNotifications: { request: {}, response: elsewhere },
      updateNotifications: { request: elsewhere, response: elsewhere },
    },
    changes: [
      {
        wire: onRequest("updateNotifications", (request) => {
          const body = bodyOf(request);
          const { channels } = Object(body);
          return typeof channels === "object" && channels !== null ? withRequestBody(request, channels) : request;
        }),
      },
      ...both.map((id) => ({ wire: onData(id, ({ email }) => ({ channels: { email } })) })),
    ],
    excludes: ["Q125-shape", "Q125-more"],
  },
  {
    id: "Q221-first",
    does: "answers whoever accepts a version again with the first acceptance",
    answers: "Q221",
    changes: [
      {
        wire: (serve) => {
          const first = new Map<string, object>();
          const remembering = onAnswer("createLegalAcceptance", (answer, request) => {
            const data = answer.status < 300 ? dataOf(answer) : null;
            if (data === null) return answer;
            const whose = `${request.headers.authorization} ${request.bytes}`;
            const known = first.get(whose) ?? data;
            first.set(whose, known);
            return withData(answer, known);
          });
          return remembering(serve);
        },
      },
    ],
  },
];
