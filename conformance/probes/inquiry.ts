import { setTimeout } from "node:timers/promises";
import { newBreaker } from "../liveness/breaker.ts";
import { checkSignal, openDeadline } from "../liveness/deadline.ts";
import { interruption } from "../liveness/or-ended.ts";
import type { Finding, Likely } from "../outcome/verdict.ts";
import { openSender } from "../sending/sender.ts";
import type { StorySoFar } from "../story/step.ts";
import {
  type Again,
  isRead,
  type LiveProbe,
  lateAnswer,
  outlivingCredential,
  ownAllowance,
  type Question,
} from "./live-probes.ts";
import type { Case } from "./probe.ts";

/** Every probe that asks, those first that say most. */
export const liveProbes: readonly LiveProbe[] = [ownAllowance, lateAnswer, outlivingCredential];

/** Milliseconds and calls that asking may take in a run, beside what is under way. */
const most = { milliseconds: 3_000, calls: 60 };

/** Times that one probe asks about breaches of one rule: what they have in common is known by then. */
const mostAlike = 2;

/** What the target is asked about breaches in one run, beside its checks. */
export interface Inquiry {
  /** Asks about what a check found, as long as there is time; to be called while what the check made is there. */
  ask(found: readonly Finding[], story: StorySoFar, secrets: readonly string[]): Promise<void>;
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
  const asked = new Map<string, number>();
  let spent = 0;

  const again: Again = async ({ operation, request, ...others }, headers = {}) => {
    if (!isDisposable && !isRead({ operation, request, ...others })) throw new Error("This would leave something.");
    if (sender.count() >= most.calls) throw new Error("Enough was asked.");
    return sender.send({
      method: request.method,
      path: request.url.slice(baseUrl.length),
      headers: { ...request.headers, ...headers },
      ...(request.repeatedHeaders && { repeatedHeaders: request.repeatedHeaders }),
      body: request.bodyBase64 === undefined ? request.body : Buffer.from(request.bodyBase64, "base64"),
    });
  };

  async function answered(question: Question): Promise<string | null> {
    const left = most.milliseconds - spent;
    const begun = performance.now();
    const wait = (milliseconds: number): Promise<void> =>
      setTimeout(milliseconds, undefined, { signal: checkSignal() ?? ended });
    try {
      return await openDeadline({ milliseconds: left, ended, late: interruption }).run(() => question(again, wait));
    } finally {
      spent += performance.now() - begun;
    }
  }

  return {
    async ask(found, { before, steps: own }, secrets) {
      const steps = [...before, ...own].sort((a, b) => a.at - b.at);
      const failed = found.filter(({ verdict }) => verdict === "fail");
      for (const { id, asks } of liveProbes)
        for (const finding of failed) {
          const cause = `${id} ${finding.rule}`;
          const times = asked.get(cause) ?? 0;
          if (ended.aborted || spent >= most.milliseconds || times >= mostAlike || said.has(finding)) continue;
          const question = questionOf(asks, { finding, steps, secrets });
          if (question === null) continue;
          asked.set(cause, times + 1);
          // Whatever comes of asking, the breach counts without it.
          const says = await answered(question).catch(() => null);
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
