import { setTimeout } from "node:timers/promises";
import type { Exchange } from "../exchange/exchange.ts";
import type { Secrets } from "../exchange/redaction.ts";
import { newBreaker } from "../liveness/breaker.ts";
import { checkSignal, openDeadline } from "../liveness/deadline.ts";
import { interruption } from "../liveness/or-ended.ts";
import type { Finding, Likely } from "../outcome/verdict.ts";
import { openSender } from "../sending/sender.ts";
import type { Story } from "../story/stories.ts";
import { asksOtherwise, type Meanwhile } from "./asked-again.ts";
import type { AskedSandbox } from "./asked-sandbox.ts";
import {
  type Again,
  type Change,
  isRead,
  keptAnswer,
  type LiveProbe,
  lateAnswer,
  outlivingCredential,
  ownAllowance,
  type Wait,
} from "./live-probes.ts";
import { organizationOf } from "./owners.ts";
import { type Case, exchangeIn } from "./probe.ts";

/** Every probe that asks, those first that say most. */
export const liveProbes: readonly LiveProbe[] = [ownAllowance, keptAnswer, lateAnswer, outlivingCredential];

/** Milliseconds and calls that asking may take in a run, beside what is under way. */
const most = { milliseconds: 6_000, calls: 120 };

/** Breaches of which the call is made again otherwise. */
const mostVaried = 6;

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
  /** What came when the call of a finding was made again, as it was and otherwise, in words; empty where it was not. */
  againOf(finding: Finding): readonly string[];
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
  readonly sandbox: AskedSandbox | null;
}

export function openInquiry({ baseUrl, timeout, isDisposable, ended, sandbox }: InquiryOptions): Inquiry {
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
  const tried = new Map<Finding, readonly string[]>();
  let varied = 0;
  /** Breaches that were asked about, as reports tell them apart: many of one kind have one cause. */
  const asked = new Set<string>();
  let spent = 0;

  async function send({ request }: Exchange, { headers = {}, path, body }: Change): Promise<Exchange> {
    if (sender.count() >= most.calls) throw new Error("Enough was asked.");
    const asBefore = request.bodyBase64 === undefined ? request.body : Buffer.from(request.bodyBase64, "base64");
    return sender.send({
      method: request.method,
      path: path ?? request.url.slice(baseUrl.length),
      headers: { ...request.headers, ...headers },
      ...(request.repeatedHeaders && { repeatedHeaders: request.repeatedHeaders }),
      body: body ?? asBefore,
    });
  }

  /** What comes of asking, as long as there is time; null for nothing. Whatever that is, the breach counts without it. */
  async function answered<T>(ask: (again: Again, wait: Wait) => Promise<T>, mayWrite: boolean): Promise<T | null> {
    const left = most.milliseconds - spent;
    const begun = performance.now();
    const again: Again = async (exchange, change = {}) => {
      if (!mayWrite && !isRead(exchange)) throw new Error("This would leave something.");
      return send(exchange, change);
    };
    const wait: Wait = (milliseconds) => setTimeout(milliseconds, undefined, { signal: checkSignal() ?? ended });
    try {
      return await openDeadline({ milliseconds: left, ended, late: interruption }).run(() => ask(again, wait));
    } catch {
      return null;
    } finally {
      spent += performance.now() - begun;
    }
  }

  const isLate = (finding: Finding): boolean => said.get(finding)?.probe === lateAnswer.id;

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
          const says = await answered(question, mayWrite);
          if (says !== null) said.set(finding, { probe: id, says });
          break;
        }
      for (const finding of failed) {
        const kind = `otherwise ${finding.rule} ${family} ${finding.actual}`;
        if (ended.aborted || spent >= most.milliseconds || varied >= mostVaried || asked.has(kind)) continue;
        // What goes well a moment later hangs on nothing else.
        const question = isLate(finding) ? null : questionOf(asksOtherwise, { finding, ...known });
        asked.add(kind);
        if (question === null) continue;
        varied += 1;
        const move = mayWrite ? clockOf({ finding, ...known }, sandbox) : null;
        const anew = mayWrite ? anewIn(sandbox) : null;
        const came = await answered((again) => question(again, { move, anew }), mayWrite);
        if (came !== null && came.length > 0) tried.set(finding, came);
      }
    },
    saidOf: (finding) => [said.get(finding) ?? []].flat(),
    againOf: (finding) => tried.get(finding) ?? [],
    count: sender.count,
    close: sender.close,
  };
}

function questionOf<T>(asks: (seen: Case) => T | null, seen: Case): T | null {
  try {
    return asks(seen);
  } catch {
    // Whatever a target answered, it makes no question then.
    return null;
  }
}

/** Moves the clock of the organization whose call shows a breach; null where that goes by itself, or is not known. */
function clockOf(seen: Case, sandbox: AskedSandbox | null): Meanwhile["move"] {
  const exchange = exchangeIn(seen);
  const made = exchange === null ? null : organizationOf(seen, exchange);
  if (made === null || sandbox === null || made.settings.clock !== "manual") return null;
  return async (seconds) => void (await sandbox.moveClock(made.id, seconds));
}

/** Has an organization made for one call, and deleted. */
const anewIn = (sandbox: AskedSandbox | null): Meanwhile["anew"] =>
  sandbox === null
    ? null
    : async (settings, call) => {
        const made = await sandbox.make(settings);
        if (made === null) throw new Error("It has no key.");
        try {
          return await call({ headers: { authorization: made.authorization } });
        } finally {
          await made.remove().catch(() => undefined);
        }
      };
