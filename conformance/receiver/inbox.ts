import { type Answer, respond } from "../exchange/answer.ts";
import type { Delivery } from "../exchange/delivery.ts";
import { checkSignal, whileWaiting } from "../liveness/deadline.ts";
import { whyEnded } from "../liveness/or-ended.ts";
import { durationText } from "../target/duration.ts";

/** An address of the receiver for one check alone. Answers 200 to everything until it is told otherwise. */
export interface Inbox {
  /** To be given to the target. */
  readonly url: string;
  /** What to answer from now on: one after the other, the last one for good. */
  answer(...program: readonly [Answer, ...Answer[]]): void;
  /** What to answer from now on, by what has come. */
  answerBy(choose: (delivery: Delivery) => Answer): void;
  /** What has come so far, in the order in which it was whole. */
  deliveries(): readonly Delivery[];
  /**
   * Waits for so many deliveries, or for some of which the predicate holds; `within` milliseconds, the target's
   * `poll_timeout` when left out. That too little came is an answer, not an error; a check that is ended throws `Blocked`.
   */
  until(wanted: number | ((deliveries: readonly Delivery[]) => boolean), options?: UntilOptions): Promise<Arrival>;
  /** Waits for so many milliseconds and gives what came meanwhile: nothing, or at once what broke the silence. */
  quiet(milliseconds: number, options?: QuietOptions): Promise<readonly Delivery[]>;
  /** From now on the address answers 410, and the connections that it holds are cut. */
  close(): void;
}

export interface UntilOptions {
  /** Only deliveries like these count, and are given back. */
  readonly where?: (delivery: Delivery) => boolean;
  readonly within?: number;
}

export interface QuietOptions {
  readonly where?: (delivery: Delivery) => boolean;
  /** Deliveries that are known already, counted from the first; those so far when left out. */
  readonly after?: number;
}

export type Arrival =
  | { readonly ok: true; readonly deliveries: readonly Delivery[] }
  | {
      readonly ok: false;
      /** Those that did come. */
      readonly deliveries: readonly Delivery[];
      /** Such as "nothing arrived within 10 s". */
      readonly message: string;
      /** Whether anything ever reached the receiver; where nothing did, the way to it may be at fault. */
      readonly reached: boolean;
    };

/** What an inbox is told by the receiver that it belongs to. */
export interface InboxGround {
  readonly url: string;
  /** Milliseconds that a wait lasts at most when it does not say. */
  readonly patience: number;
  /** Fires when the run is interrupted. */
  readonly signal: AbortSignal;
  /** What the whole receiver has seen. */
  readonly traffic: () => Traffic;
  /** Addresses of the receiver that were waited for in vain while nothing had reached it at all. */
  readonly forsaken: Set<string>;
}

/** Requests that came: those that reached an inbox, and those that reached none. */
export interface Traffic {
  readonly deliveries: number;
  readonly strays: number;
}

/** Addresses that are waited for as long as was asked though nothing ever reached the receiver. */
export const mostForsaken = 3;

/** What share of its patience a wait has after that: enough to hear of a target that does deliver in the end. */
const restOfPatience = 1 / 20;

/** An inbox with the side that the receiver works with. */
export interface HeldInbox {
  readonly inbox: Inbox;
  /** Fires when the inbox is closed. */
  readonly closed: AbortSignal;
  /** Chooses the answer to a delivery that is whole. */
  choose(delivery: Delivery): Answer;
  /** Makes a delivery known. */
  record(delivery: Delivery): void;
  /** Remembers a fault of the check's own program; whoever waits next is thrown it. */
  fail(error: unknown): void;
}

/** Deliveries that an inbox keeps; a target that sends more is answered, and no more. */
const most = 10_000;

export function newInbox({ url, patience, signal, traffic, forsaken }: InboxGround): HeldInbox {
  const all: Delivery[] = [];
  const waiting = new Set<() => void>();
  const closing = new AbortController();
  const fault: unknown[] = [];
  let choose: (delivery: Delivery) => Answer = () => respond(200);

  const wake = (): void => {
    for (const look of [...waiting]) look();
  };

  /** Ends at the next thing that happens, or after so many milliseconds. */
  const change = (milliseconds: number, ends: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        clearTimeout(timer);
        waiting.delete(look);
        ends.removeEventListener("abort", look);
        resolve();
      };
      const timer = setTimeout(look, Math.ceil(milliseconds));
      waiting.add(look);
      ends.addEventListener("abort", look, { once: true });
    });

  /** What `look` finds at once or within so many milliseconds; null when it found nothing in that time. */
  const watch = async <T>(milliseconds: number, look: () => T | null): Promise<T | null> => {
    const begun = performance.now();
    const ends = checkSignal() ?? signal;
    for (;;) {
      if (fault.length > 0) throw fault[0];
      if (ends.aborted) throw whyEnded(ends);
      const found = look();
      if (found !== null) return found;
      const left = milliseconds - (performance.now() - begun);
      if (left <= 0 || closing.signal.aborted) return null;
      await whileWaiting(() => change(left, ends));
    }
  };

  const inbox: Inbox = {
    url,
    answer(...program) {
      let next = 0;
      const [first] = program;
      choose = () => {
        const answer = program[Math.min(next, program.length - 1)] ?? first;
        next += 1;
        return answer;
      };
    },
    answerBy(chosen) {
      choose = chosen;
    },
    deliveries: () => [...all],
    async until(wanted, { where = () => true, within = patience } = {}) {
      const seen = (): readonly Delivery[] => all.filter(where);
      const isEnough = (deliveries: readonly Delivery[]): boolean =>
        typeof wanted === "number" ? deliveries.length >= wanted : wanted(deliveries);
      const isForsaken = traffic().deliveries === 0 && forsaken.size >= mostForsaken;
      const milliseconds = isForsaken ? Math.min(within, patience * restOfPatience) : within;
      const deliveries = await watch(milliseconds, () => {
        const now = seen();
        return isEnough(now) ? now : null;
      });
      if (deliveries !== null) return { ok: true, deliveries };
      const came = seen();
      const reached = traffic().deliveries > 0;
      if (!reached && milliseconds >= patience) forsaken.add(url);
      const message = lackText({ wanted, came: came.length, milliseconds, traffic: traffic(), url, isForsaken });
      return { ok: false, deliveries: came, message, reached };
    },
    async quiet(milliseconds, { where = () => true, after = all.length } = {}) {
      const late = await watch(milliseconds, () => {
        const came = all.slice(after).filter(where);
        return came.length > 0 ? came : null;
      });
      return late ?? [];
    },
    close() {
      closing.abort();
      wake();
    },
  };
  return {
    inbox,
    closed: closing.signal,
    choose: (delivery) => choose(delivery),
    record(delivery) {
      if (all.length < most) all.push(delivery);
      wake();
    },
    fail(error) {
      fault.push(error);
      wake();
    },
  };
}

interface Lack {
  readonly wanted: unknown;
  /** Deliveries that did come. */
  readonly came: number;
  /** How long they were waited for. */
  readonly milliseconds: number;
  readonly traffic: Traffic;
  readonly url: string;
  /** The wait was cut short. */
  readonly isForsaken: boolean;
}

function lackText({ wanted, came, milliseconds, traffic: { deliveries, strays }, url, isForsaken }: Lack): string {
  const what =
    came === 0
      ? "nothing arrived"
      : typeof wanted === "number"
        ? `${came} of ${wanted} deliveries arrived`
        : `what was expected is not among the ${came} deliveries that arrived`;
  const never = deliveries === 0 ? `; nothing at all has reached ${new URL(url).origin} in this run` : "";
  const short = isForsaken ? `, where ${mostForsaken} addresses were waited for in full` : "";
  const astray = strays > 0 ? `; requests to paths that the kit gave nobody: ${strays}` : "";
  return `${what} within ${durationText(milliseconds)}${never}${never === "" ? "" : short}${astray}`;
}
