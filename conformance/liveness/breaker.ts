import { Blocked } from "../outcome/verdict.ts";

/** Tells a party that went away or hangs from one that lost a single request. */
export interface Breaker {
  /** Fires when the party is taken for gone; its reason is a `Blocked` that says since when. */
  readonly signal: AbortSignal;
  /** To be called when a request is sent. */
  begin(): Attempt;
  /** Requests sent so far. */
  sent(): number;
}

/** One request; one of its functions is called, once, when its outcome is known. */
export interface Attempt {
  /** Any answer at all came; `what` says which, such as "GET /v1/api-keys/1 (200)". */
  answered(what: string): void;
  /** Nothing came, or nobody was there; `why` says how, such as "timeout". */
  unanswered(why: string): void;
  /** Somebody was there and gave no answer that can be read, such as "reset". */
  cutOff(why: string): void;
}

/** Requests in a row that may stay without an answer, each sent after the one before was given up. */
export const mostUnanswered = 3;

/** The same where somebody is there: it costs no time, and a server that loses answers at random is not gone. */
export const mostCutOff = 20;

/** `name` is the party's, such as "target"; `advice` says what to do about it. */
export function newBreaker(name: string, advice: string): Breaker {
  const down = new AbortController();
  let sent = 0;
  let after = "no answer at all";
  const silence = newRow(mostUnanswered);
  /** Without any whole answer between them, silence or not. */
  const losses = newRow(mostCutOff);
  return {
    signal: down.signal,
    sent: () => sent,
    begin() {
      sent += 1;
      const number = sent;
      const begun = Date.now();
      const lose = (row: Row, why: string): void => {
        const since = row.lose({ number, begun, sent });
        if (since === null) return;
        const message = `${name} down since ${new Date(since).toISOString()}, after ${after}`;
        const lost = `${row.most} requests in a row got no whole answer (${why})`;
        down.abort(new Blocked(`${message}: ${lost}`, advice, "environment"));
      };
      return {
        answered(what) {
          for (const row of [silence, losses]) row.end();
          after = what;
        },
        unanswered(why) {
          for (const row of [silence, losses]) lose(row, why);
        },
        cutOff(why) {
          silence.end();
          lose(losses, why);
        },
      };
    },
  };
}

/** Requests in a row that were lost, each sent after the one before was given up. */
interface Row {
  /** How many make the row full. */
  readonly most: number;
  /** Adds one; since when the row goes on, once it is full, and null before. */
  lose(request: { readonly number: number; readonly begun: number; readonly sent: number }): number | null;
  end(): void;
}

function newRow(most: number): Row {
  let length = 0;
  let since = 0;
  /** Requests that had been sent when the last one was given up. */
  let sentByThen = 0;
  return {
    most,
    lose({ number, begun, sent }) {
      // Requests that were under way together are one sign, not many.
      if (length > 0 && number <= sentByThen) return null;
      if (length === 0) since = begun;
      length += 1;
      sentByThen = sent;
      return length < most ? null : since;
    },
    end() {
      length = 0;
    },
  };
}
