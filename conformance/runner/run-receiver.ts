import type { Check } from "../context/check.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Inbox } from "../receiver/inbox.ts";
import { type OpenedReceiver, openReceiver, type Receiver } from "../receiver/receiver.ts";
import type { Target } from "../target/target.ts";
import { needsReceiver, type Plan } from "./plan.ts";

/** The receiver of a run, which is started only when a check wants it. */
export interface RunReceiver {
  /** The inboxes of one check. */
  inboxesOf(check: Check): CheckInboxes;
  close(): Promise<void>;
}

export interface CheckInboxes {
  /** Throws `Blocked` when the receiver could not be started. */
  inbox(): Inbox;
  /** For a check that can do without; null where the target has no receiver, or it could not be started. */
  spareInbox(): Promise<Inbox | null>;
  /** Ends the use of its inboxes. */
  close(): void;
}

export async function openRunReceiver(
  { receiver: settings, timing }: Target,
  plan: Plan,
  signal: AbortSignal,
): Promise<RunReceiver> {
  const run = { patience: timing.pollTimeout, signal };
  let opening: Promise<OpenedReceiver> | null = null;
  const open = (): Promise<OpenedReceiver> | null => {
    if (settings !== null) opening ??= openReceiver(settings, run);
    return opening;
  };
  const opened = needsReceiver(plan) ? await open() : null;
  return {
    inboxesOf(check) {
      const inboxes: Inbox[] = [];
      const inboxOf = (receiver: Receiver): Inbox => {
        const inbox = receiver.path();
        inboxes.push(inbox);
        return inbox;
      };
      return {
        inbox() {
          if (opened === null || !check.needs.includes("receiver")) {
            throw new Error(`Check ${check.id} asks for an inbox without declaring that it needs a receiver.`);
          }
          if (!opened.ok) {
            const { where, message, fix } = opened.failure;
            throw new Blocked(`the kit's receiver could not be started: ${where}: ${message}`, fix, "environment");
          }
          return inboxOf(opened.receiver);
        },
        async spareInbox() {
          const there = await open();
          return there?.ok ? inboxOf(there.receiver) : null;
        },
        close() {
          for (const inbox of inboxes) inbox.close();
        },
      };
    },
    async close() {
      const there = await opening;
      if (there?.ok) await there.receiver.close();
    },
  };
}
