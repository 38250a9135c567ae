import type { Contrarian } from "../edit.ts";
import { dataOf, onAnswer, onRequest, withData } from "../wire.ts";
import { bodyOf, withRequestBody } from "../wire-requests.ts";

/** Servers that answer the question on hosted forms in other ways. */
export const hostedFormContrarians: readonly Contrarian[] = [
  {
    id: "Q169-shape",
    does: "makes pages for whoever comes, under other names",
    answers: "Q169",
    shapes: { createHostedForm: { request: { sender_name: "page.title", source: "page.note" }, response: {} } },
    changes: [
      {
        wire: onRequest("createHostedForm", (request) => {
          const body = bodyOf(request);
          if (typeof body !== "object" || body === null || !("page" in body)) return request;
          const { page, ...others } = Object(body);
          const { title: sender_name, note: source } = Object(page);
          return withRequestBody(request, { ...others, sender_name, source });
        }),
      },
      {
        wire: onAnswer("createHostedForm", (answer) => {
          const data = dataOf(answer);
          return data === null ? answer : withData(answer, { page: { link: data.url } });
        }),
      },
    ],
  },
  {
    id: "Q169-plain",
    does: "knows neither where a consent is from nor who sends, and reads neither",
    answers: "Q169",
    changes: [
      {
        wire: onRequest("createHostedForm", (request) => {
          const body = bodyOf(request);
          if (typeof body !== "object" || body === null || "page" in body) return request;
          return withRequestBody(request, { ...body, source: "form", sender_name: "Us" });
        }),
      },
    ],
  },
];
