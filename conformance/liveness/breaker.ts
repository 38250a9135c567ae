import { Blocked } from "../check/verdict.ts";

/** Tells a party that went away or hangs from one that lost a single request. */
export interface Breaker {
  /** Fires when the party is taken for gone; its reason is a `Blocked` that says since when. */
  readonly signal: AbortSignal;
  /** To be called when a request is sent. */
  begin(): Attempt;
}

/** One request; one of its functions is called, once, when its outcome is known. */
export interface Attempt {
  /** Any answer at all came; `what` says which, such as "GET /v1/api-keys/1 (200)". */
  answered(what: string): void;
  /** Nothing came, or nobody was there; `why` says how, such as "timeout". */
  unanswered(why: string): void;
}

/** Requests in a row that may stay without an answer, each sent after the one before was given up. */
export const mostUnanswered = 3;

/** `name` is the party's, such as "target"; `advice` says what to do about it. */
export function newBreaker(name: string, advice: string): Breaker {
  const down = new AbortController();
  let sent = 0;
  let row = 0;
  let since = 0;
  /** Requests that had been sent when the last one was given up. */
  let sentByThen = 0;
  let after = "no answer at all";
  return {
    signal: down.signal,
    begin() {
      sent += 1;
      const number = sent;
      const begun = Date.now();
      return {
        answered(what) {
          row = 0;
          after = what;
        },
        unanswered(why) {
          // Requests that were under way together are one sign, not many.
          if (row > 0 && number <= sentByThen) return;
          if (row === 0) since = begun;
          row += 1;
          sentByThen = sent;
          if (row < mostUnanswered) return;
          const message = `${name} down since ${new Date(since).toISOString()}, after ${after}`;
          down.abort(
            new Blocked(`${message}: ${row} requests in a row got no whole answer (${why})`, advice, "environment"),
          );
        },
      };
    },
  };
}
