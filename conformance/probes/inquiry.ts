import { setTimeout } from "node:timers/promises";
import type { Exchange } from "../exchange/exchange.ts";
import type { Secrets } from "../exchange/redaction.ts";
import { newBreaker } from "../liveness/breaker.ts";
import { checkSignal, openDeadline } from "../liveness/deadline.ts";
import { interruption } from "../liveness/or-ended.ts";
import type { Finding, Likely } from "../outcome/verdict.ts";
import { openSender } from "../sending/sender.ts";
import type { Story } from "../story/stories.ts";
import {
  type Again,
  isRead,
  keptAnswer,
  type LiveProbe,
  lateAnswer,
  outlivingCredential,
  ownAllowance,
  type Question,
} from "./live-probes.ts";
import type { Case } from "./probe.ts";

/** Every probe that asks, those first that say most. */
export const liveProbes: readonly LiveProbe[] = [ownAllowance, keptAnswer, lateAnswer, outlivingCredential];

/** Milliseconds and calls that asking may take in a run, beside what is under way. */
const most = { milliseconds: 6_000, calls: 60 };

/** What is known of a check that has ended. */
export interface Done {
  readonly check: { readonly id: string; readonly operation?: string; readonly inTurn?: string };
  readonly story: Pick<Story, "soFar">;
  readonly secrets: Pick<Secrets, "known">;
}

/** What the target is asked about breaches in one run, beside its checks. */
export interface Inquiry {
  /**
   * Asks about the violations among what a check found, as long as there is time; to be called while what the check made is
   * there. Throws nothing.
   */
  ask(found: readonly Finding[], done: Done): Promise<void>;
  /** What that made likely of a finding. */
  saidOf(finding: Finding): readonly Likely[];
  /** Calls so far. */
  count(): number;
  close(): Promise<void>;
}

export interface InquiryOptions {
  readonly baseUrl: string;
  /** Milliseconds for a whole answer. */
  readonly timeout: number;
  /** Whether all that a check's organization has goes with it: elsewhere nothing is asked but reads. */
  readonly isDisposable: boolean;
  /** Fires when the run ends; nothing is asked any more. */
  readonly ended: AbortSignal;
}

export function openInquiry({ baseUrl, timeout, isDisposable, ended }: InquiryOptions): Inquiry {
  // Apart from the run's own, whose breaker and monitor decide verdicts.
  const breaker = newBreaker("target", "see whether the target still runs");
  const sender = openSender({
    baseUrl,
    timeout: Math.min(timeout, most.milliseconds),
    breaker,
    closing: ended,
    observe: () => undefined,
  });
  const said = new Map<Finding, Likely>();
  /** Breaches that were asked about, as reports tell them apart: many of one kind have one cause. */
  const asked = new Set<string>();
  let spent = 0;

  async function send(exchange: Exchange, headers: Readonly<Record<string, string>>): Promise<Exchange> {
    const { request } = exchange;
    if (sender.count() >= most.calls) throw new Error("Enough was asked.");
    return sender.send({
      method: request.method,
      path: request.url.slice(baseUrl.length),
      headers: { ...request.headers, ...headers },
      ...(request.repeatedHeaders && { repeatedHeaders: request.repeatedHeaders }),
      body: request.bodyBase64 === undefined ? request.body : Buffer.from(request.bodyBase64, "base64"),
    });
  }

  async function answered(question: Question, mayWrite: boolean): Promise<string | null> {
    const left = most.milliseconds - spent;
    const begun = performance.now();
    const again: Again = async (exchange, headers = {}) => {
      if (!mayWrite && !isRead(exchange)) throw new Error("This would leave something.");
      return send(exchange, headers);
    };
    const wait = (milliseconds: number): Promise<void> =>
      setTimeout(milliseconds, undefined, { signal: checkSignal() ?? ended });
    try {
      return await openDeadline({ milliseconds: left, ended, late: interruption }).run(() => question(again, wait));
    } finally {
      spent += performance.now() - begun;
    }
  }

  return {
    async ask(found, { check, story, secrets }) {
      const failed = found.filter(({ verdict }) => verdict === "fail");
      if (failed.length === 0) return;
      const { before, steps: own } = story.soFar();
      // What organizations take from each other does not go with one of them.
      const mayWrite = isDisposable && check.inTurn === undefined;
      const family = check.id.slice(0, check.id.length - (check.operation ?? "").length);
      const known = {
        steps: [...before, ...own].sort((a, b) => a.at - b.at),
        secrets: secrets.known(),
      };
      for (const { id, asks } of liveProbes)
        for (const finding of failed) {
          const kind = `${id} ${finding.rule} ${family} ${finding.actual}`;
          if (ended.aborted || spent >= most.milliseconds || asked.has(kind) || said.has(finding)) continue;
          const question = questionOf(asks, { finding, ...known });
          if (question === null) continue;
          asked.add(kind);
          // Whatever comes of asking, the breach counts without it.
          const says = await answered(question, mayWrite).catch(() => null);
          if (says !== null) said.set(finding, { probe: id, says });
          break;
        }
    },
    saidOf: (finding) => [said.get(finding) ?? []].flat(),
    count: sender.count,
    close: sender.close,
  };
}

function questionOf(asks: LiveProbe["asks"], seen: Case): Question | null {
  try {
    return asks(seen);
  } catch {
    // Whatever a target answered, it makes no question then.
    return null;
  }
}
