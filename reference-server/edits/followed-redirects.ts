import { request as requestOver } from "undici";
import type { OutgoingRequest } from "../delivery/send-attempt.ts";
import type { ReceiverAnswer } from "../domain/deliveries/receiver-answer.ts";
import type { PortChange } from "./edit.ts";
import { withMembers } from "./ports.ts";

/** A response as far as a client that follows addresses reads it. */
interface FollowedResponse {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
}

/** A request to another address. */
interface NextRequest {
  readonly method: "GET" | "POST";
  readonly headers?: OutgoingRequest["headers"];
  readonly body?: OutgoingRequest["body"];
}

/** The requests of a sender after a response that names another address. */
export interface Following {
  /** Returns the next address after this response; null if there is none. */
  readonly follows: (response: FollowedResponse) => string | null;
  /** The request that it sends there. */
  readonly next?: (request: OutgoingRequest, response: FollowedResponse) => NextRequest;
  /** The response that it records. */
  readonly records: "first" | "last";
  /** Is called with the address of the last response. */
  readonly note?: (request: OutgoingRequest, url: string) => void;
}

/** The address in a response's `Location`, as a client resolves it. */
export const locationOf = (response: FollowedResponse): string | null => {
  const location = response.headers.get("location");
  return location === null ? null : new URL(location, response.url).href;
};

/** The location of a redirect alone. */
export const redirectOf = (response: FollowedResponse): string | null =>
  [301, 302, 303, 307, 308].includes(response.status) ? locationOf(response) : null;

const mostHops = 3;

/** Sends deliveries with a client that follows the addresses in responses. */
export const following = ({ follows, next = sameRequest, records, note }: Following): PortChange => ({
  ports: ({ sender, ...ports }) => ({
    ...ports,
    sender: withMembers(sender, {
      async send(request): Promise<ReceiverAnswer> {
        const begun = performance.now();
        const milliseconds = (): number => Math.round(performance.now() - begun);
        try {
          let { response, excerpt } = await send(request.url, sameRequest(request));
          const answers = [{ status: response.status, excerpt }];
          for (let hops = 0; hops < mostHops; hops += 1) {
            const url = follows(response);
            if (url === null) break;
            ({ response, excerpt } = await send(url, next(request, response)));
            answers.push({ status: response.status, excerpt });
            note?.(request, url);
          }
          const answer = records === "first" ? answers[0] : answers.at(-1);
          return { kind: "answered", milliseconds: milliseconds(), status: 0, excerpt: "", ...answer };
        } catch {
          return { kind: "unanswered", milliseconds: milliseconds(), error: "the request failed" };
        }
      },
    }),
  }),
});

/** Sends one request. Unlike fetch, it joins no headers of one name and decodes no body. */
async function send(url: string, request: NextRequest) {
  const { statusCode, headers, body } = await requestOver(url, request);
  const received = new Headers();
  for (const [name, value] of Object.entries(headers))
    for (const one of [value ?? []].flat()) received.append(name, one);
  const response: FollowedResponse = { url, status: statusCode, headers: received };
  return { response, excerpt: await body.text() };
}

const sameRequest = ({ headers, body }: OutgoingRequest): NextRequest => ({ method: "POST", headers, body });

/** A request without a body. */
export const getRequest = (): NextRequest => ({ method: "GET" });
