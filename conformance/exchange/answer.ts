/** What the receiver does with one delivery that it has read. */
export type Answer =
  | {
      readonly kind: "respond";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string | Uint8Array;
    }
  /** Says nothing and holds the connection until the sender or the run ends it. */
  | { readonly kind: "hang" }
  /** Breaks the connection off without an answer. */
  | { readonly kind: "reset" }
  /** Sends the head at once and then a byte every so many milliseconds; without an end when `bytes` is null. */
  | { readonly kind: "drip"; readonly status: number; readonly every: number; readonly bytes: number | null }
  /** Sends as fast as it is read; without an end when `bytes` is null. */
  | { readonly kind: "huge"; readonly status: number; readonly bytes: number | null }
  | { readonly kind: "delay"; readonly milliseconds: number; readonly then: Answer };

export interface ResponseParts {
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An ordinary answer; `status` from 200 to 599. */
export const respond = (status: number, { body = "", headers = {} }: ResponseParts = {}): Answer => ({
  ...{ kind: "respond", status, headers, body },
});

export const hang: Answer = { kind: "hang" };

export const reset: Answer = { kind: "reset" };

export const redirect = (to: string, status = 307): Answer => respond(status, { headers: { location: to } });

export const drip = (every: number, bytes: number | null = null, status = 200): Answer => ({
  ...{ kind: "drip", status, every, bytes },
});

export const huge = (bytes: number | null = null, status = 200): Answer => ({ kind: "huge", status, bytes });

export const delay = (milliseconds: number, then: Answer): Answer => ({ kind: "delay", milliseconds, then });

/** The status that an answer carries; null when it carries none. */
export function statusOfAnswer(answer: Answer): number | null {
  switch (answer.kind) {
    case "respond":
    case "drip":
    case "huge":
      return answer.status;
    case "delay":
      return statusOfAnswer(answer.then);
    case "hang":
    case "reset":
      return null;
  }
}

/** The body that an answer carries, as text; bodies of drops and floods say nothing. */
export function bodyOfAnswer(answer: Answer): string {
  if (answer.kind === "delay") return bodyOfAnswer(answer.then);
  if (answer.kind !== "respond") return "";
  return typeof answer.body === "string" ? answer.body : Buffer.from(answer.body).toString("utf8");
}

/** What is out of the ordinary about an answer, for people; null when nothing is. */
export function remarkOnAnswer(answer: Answer): string | null {
  switch (answer.kind) {
    case "respond": {
      const location = Object.entries(answer.headers).find(([name]) => name.toLowerCase() === "location");
      return location === undefined ? null : `to ${location[1]}`;
    }
    case "hang":
      return "no answer: the connection was held";
    case "reset":
      return "no answer: the connection was broken off";
    case "drip":
      return `a byte every ${answer.every} ms, ${amount(answer.bytes)}`;
    case "huge":
      return amount(answer.bytes);
    case "delay": {
      const rest = remarkOnAnswer(answer.then);
      return `held back for ${answer.milliseconds} ms${rest === null ? "" : `; ${rest}`}`;
    }
  }
}

const amount = (bytes: number | null): string => (bytes === null ? "without an end" : `${bytes} bytes`);
