import type { Dispatcher } from "undici";
import type { Answer, Transport } from "../../generated/runtime/transport.ts";
import type { Ledger } from "./ledger.ts";
import type { Moments } from "./moments.ts";
import { UnreadableFeed } from "./read-feed.ts";

export interface DeskParts {
  readonly ledger: Ledger;
  readonly moments: Moments;
  /** The address of a server that serves; null when there is none. */
  readonly server: () => string | null;
  readonly dispatcher: Dispatcher;
}

/** Sends requests, one at a time, to servers that may die in the middle of one. */
export class Desk {
  readonly #parts: DeskParts;
  #underway = false;

  constructor(parts: DeskParts) {
    this.#parts = parts;
  }

  /** Whether a request waits for its answer. */
  get underway(): boolean {
    return this.#underway;
  }

  /** Sends a request; `succeeded` hears of its success before anything else happens. */
  async ask<Data>(
    by: string,
    token: string,
    call: (caller: Transport) => Promise<Answer<Data>>,
    succeeded: (by: string, data: Data) => void,
  ): Promise<void> {
    const { ledger, moments } = this.#parts;
    const answer = await this.orLost((caller) => {
      const answering = call(caller);
      moments.happens("a request is sent");
      return answering;
    }, token);
    if (answer === null) return;
    if (answer.ok) succeeded(by, answer.data);
    else ledger.refused(by, `${answer.status} ${answer.error.code}`);
    moments.happens("a request is answered");
  }

  /** Null when no server answers. */
  async orLost<Result>(call: (caller: Transport) => Promise<Result>, token: string): Promise<Result | null> {
    const { server, dispatcher, ledger } = this.#parts;
    const baseUrl = server();
    if (baseUrl === null) return null;
    try {
      this.#underway = true;
      return await call({ baseUrl, token, dispatcher });
    } catch (problem) {
      if (problem instanceof UnreadableFeed) ledger.contradicts(problem.message);
      else if (isBroken(problem)) ledger.lost();
      else throw problem;
      return null;
    } finally {
      this.#underway = false;
    }
  }
}

/** Whether a connection failed: its server is gone. */
const isBroken = (problem: unknown): boolean =>
  problem instanceof Error && "code" in problem && /^(UND_ERR_|ECONN|EPIPE|ETIMEDOUT)/.test(String(problem.code));
