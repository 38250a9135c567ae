import type { Check } from "../check/check.ts";
import { Blocked } from "../check/verdict.ts";
import type { Inbox } from "../receiver/inbox.ts";
import { openReceiver } from "../receiver/receiver.ts";
import type { Target } from "../target/target.ts";
import { needsReceiver, type Plan } from "./plan.ts";

/** The receiver of a run, which is started only when a check of the plan wants it. */
export interface Reception {
  /** The inboxes of one check. */
  lease(check: Check): InboxLease;
  close(): Promise<void>;
}

export interface InboxLease {
  /** Throws `Blocked` when the receiver could not be started. */
  inbox(): Inbox;
  /** Ends the use of its inboxes. */
  close(): void;
}

export async function openReception(
  { receiver: settings, timing }: Target,
  plan: Plan,
  signal: AbortSignal,
): Promise<Reception> {
  const run = { patience: timing.pollTimeout, signal };
  const opened = settings !== null && needsReceiver(plan) ? await openReceiver(settings, run) : null;
  return {
    lease(check) {
      const inboxes: Inbox[] = [];
      return {
        inbox() {
          if (opened === null || !check.needs.includes("receiver")) {
            throw new Error(`Check ${check.id} asks for an inbox without declaring that it needs a receiver.`);
          }
          if (!opened.ok) {
            const { where, message, fix } = opened.failure;
            throw new Blocked(`the kit's receiver could not be started: ${where}: ${message}`, fix, "environment");
          }
          const inbox = opened.receiver.path();
          inboxes.push(inbox);
          return inbox;
        },
        close() {
          for (const inbox of inboxes) inbox.close();
        },
      };
    },
    async close() {
      if (opened?.ok) await opened.receiver.close();
    },
  };
}
