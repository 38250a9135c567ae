import type { Choices } from "../../../generated/choices.ts";
import { refuse } from "../../../generated/error-rows.ts";
import type { LedgerEntry } from "../wallet/wallet.ts";
import { segmentsOf } from "./segments.ts";

const day = 24 * 3_600_000;

/**
 * Where a message is in its life: `scheduled` for a later time or `queued` for the next moment, then `sending` once it is
 * claimed, `sent` or `failed` when the carrier has it or has refused it, and at last what the carrier reports.
 */
export const messageStatuses = [
  "scheduled",
  "queued",
  "sending",
  "sent",
  "delivered",
  "undelivered",
  "failed",
  "canceled",
] as const;

export type MessageStatus = (typeof messageStatuses)[number];

export const isMessageStatus = (text: string): text is MessageStatus => messageStatuses.some((one) => one === text);

export interface Message {
  readonly id: string;
  readonly organizationId: string;
  /** Recipient, E.164. */
  readonly to: string;
  readonly body: string;
  readonly status: MessageStatus;
  /** Milliseconds since 1970; null when it was to be sent at once. */
  readonly scheduledAt: number | null;
  /** What it was charged, in millionths of a US dollar. */
  readonly cost: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** A message that somebody wants to send. */
export interface Send {
  readonly to: string;
  readonly body: string;
  /** Milliseconds since 1970; null for at once. */
  readonly scheduledAt: number | null;
  readonly bypassesQuietHours: boolean;
  /** What it is charged, in millionths of a US dollar. */
  readonly cost: number;
}

/** What a text costs, in millionths of a US dollar. */
export const costOf = (body: string, { segmentPriceMicros }: Pick<Choices, "segmentPriceMicros">): number =>
  segmentsOf(body) * Number(segmentPriceMicros);

export function newMessage(
  send: Send,
  { id, organizationId, now }: { readonly id: string; readonly organizationId: string; readonly now: number },
): Message {
  const { to, body, scheduledAt, cost } = send;
  const status = scheduledAt === null ? "queued" : "scheduled";
  return { id, organizationId, to, body, status, scheduledAt, cost, createdAt: now };
}

/** Where a message is that nobody has claimed for sending. */
export const unclaimedStatuses = ["scheduled", "queued"] as const satisfies readonly MessageStatus[];

/** Whether nobody has claimed it for sending. What is to be decided by it must hold the message's work, too. */
export const isUnclaimed = ({ status }: Message): boolean => unclaimedStatuses.some((one) => one === status);

/** The charge for a message, or what gives it back. */
export const messageEntry = (kind: "charge" | "refund", { id, cost }: Message, at: number): LedgerEntry => ({
  kind,
  amount: cost,
  reference: `message ${id}`,
  at,
});

/** Null when a message can be scheduled for then. */
export function refuseSchedule(at: number | null, now: number, { scheduleDays }: Pick<Choices, "scheduleDays">) {
  if (at === null || (at >= now && at <= now + Number(scheduleDays) * day)) return null;
  const says = at < now ? "must not lie in the past" : `must be at most ${scheduleDays} days ahead`;
  return refuse.ValidationFailed("The message cannot be sent then.", { scheduled_at: says });
}

/** One answer for whatever cannot be canceled: claimed, over, unknown or another organization's. */
export const notCancelable = () =>
  refuse.MessageNotCancelable("The message cannot be canceled: it is on its way, or there is none.");

/** One answer for an unknown message and another organization's. */
export const messageNotFound = () => refuse.NotFound("There is no such message.");
