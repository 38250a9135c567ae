import type { OutgoingRequest } from "../delivery/send-attempt.ts";
import type { ReceiverAnswer } from "../domain/deliveries/receiver-answer.ts";
import type { PortChange } from "./edit.ts";
import { withMembers } from "./ports.ts";

/** The requests of a sender after a response that names another address. */
export interface Following {
  /** Returns the next address after this response; null if there is none. */
  readonly follows: (response: Response) => string | null;
  /** The request that it sends there. */
  readonly next?: (request: OutgoingRequest, response: Response) => RequestInit;
  /** The response that it records. */
  readonly records: "first" | "last";
  /** Is called with the address of the last response. */
  readonly note?: (request: OutgoingRequest, url: string) => void;
}

/** The address in a response's `Location`, as fetch resolves it. */
export const locationOf = (response: Response): string | null => {
  const location = response.headers.get("location");
  return location === null ? null : new URL(location, response.url).href;
};

/** The location of a redirect alone. */
export const redirectOf = (response: Response): string | null =>
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
          const first = await fetch(request.url, { ...sameRequest(request), redirect: "manual" });
          const answers = [{ status: first.status, excerpt: await first.text() }];
          let response = first;
          for (let hops = 0; hops < mostHops; hops += 1) {
            const url = follows(response);
            if (url === null) break;
            response = await fetch(url, { ...next(request, response), redirect: "manual" });
            answers.push({ status: response.status, excerpt: await response.text() });
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

const sameRequest = ({ headers, body }: OutgoingRequest): RequestInit => ({ method: "POST", headers, body });

/** A request without a body. */
export const getRequest = (): RequestInit => ({ method: "GET" });
