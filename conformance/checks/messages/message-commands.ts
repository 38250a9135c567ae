import type * as fc from "fast-check";
import { movedMessage } from "../../arrangements/moved-message.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, isSuccess, statusOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { balanceOf } from "../../steps/lookup.ts";
import {
  admissible,
  callCancel,
  callSend,
  messageIn,
  readMessage,
  settledStatus,
  statusOnce,
  statusShown,
  timeAhead,
} from "../../steps/message.ts";
import { eventually } from "../../steps/settle.ts";
import { shownStatus } from "../../steps/shown-status.ts";

export type LifeRule =
  | ("MSG-39" | "MSG-40" | "MSG-41" | "MSG-42" | "MSG-45" | "MSG-46" | "MSG-52" | "MSG-80")
  | ("TEN-07" | "TEN-13");

/** Which of the two organizations. */
export type Owner = 0 | 1;

/**
 * Where a message is, as far as the kit knows: its time is to come; its time has come, so that it may be claimed or not;
 * or what was done to it.
 */
type Stage = "waiting" | "due" | "canceled" | "claimed" | "terminal";

interface KnownMessage {
  readonly id: string;
  readonly owner: Owner;
  stage: Stage;
  /** The status that it has shown since it was canceled. */
  canceledAs: string | null;
}

export interface LifeModel {
  readonly messages: KnownMessage[];
  /** Days by which the clock of each organization was moved. */
  readonly days: [number, number];
}

export interface LifeReal {
  readonly t: CheckContext<LifeRule>;
  readonly callers: readonly [Credential, Credential];
  /** Millionths of a US dollar in each wallet before anything was sent; null where wallets are not looked into. */
  readonly balances: readonly [number, number] | null;
}

export type LifeCommand = fc.AsyncCommand<LifeModel, LifeReal>;

/** In seconds: at the end of it the hour is the same. */
const day = 24 * 3600;

/** Days by which a clock is moved at most: how long a message can be read is open. */
const mostDays = 2;

const repeatStatus = shownStatus("message", "canceled", "canceled");

const others: readonly [Owner, Owner] = [1, 0];

/** A command that acts on one of the messages that there are, if `isMeant` says so. */
function onMessage(
  name: string,
  index: number,
  isMeant: (message: KnownMessage) => boolean,
  run: (message: KnownMessage, real: LifeReal) => Promise<void>,
): LifeCommand {
  const pick = ({ messages }: LifeModel) => messages[index % Math.max(1, messages.length)];
  return {
    check(model) {
      const message = pick(model);
      return message !== undefined && isMeant(message);
    },
    async run(model, real) {
      const message = pick(model);
      if (message !== undefined) await run(message, real);
    },
    toString: () => `${name}(${index})`,
  };
}

const any = (): boolean => true;

/** Sends a message, which is to wait for its time or is due at once. */
export const send = (owner: Owner, stage: "waiting" | "due"): LifeCommand => ({
  check: () => true,
  async run({ messages }, { t, callers }) {
    const as = callers[owner];
    const wish = stage === "waiting" ? { scheduled_at: await timeAhead(as.tenant) } : {};
    const { id } = messageIn(t, admissible(await callSend(t, as, wish)));
    messages.push({ id, owner, stage, canceledAs: null });
  },
  toString: () => `send${stage === "waiting" ? "Later" : ""}(${owner})`,
});

/** Cancels a message as its owner. */
export const cancel = (index: number): LifeCommand =>
  onMessage("cancel", index, any, async (message, real) => {
    const { t, callers, balances } = real;
    const as = callers[message.owner];
    const before = await statusSeen(message, real);
    const exchange = await callCancel(t, as, message.id);
    await judgeCancellation(message, real, { before, exchange });
    if (balances === null) return;
    const start = balances[message.owner];
    const balance = await balanceOf(as.tenant);
    t.verify("MSG-52", balance <= start, {
      expected: `at most ${start} millionths of a US dollar in the wallet, as before anything was sent`,
      actual: String(balance),
      exchanges: [exchange],
    });
  });

async function judgeCancellation(
  message: KnownMessage,
  { t, callers }: LifeReal,
  { before, exchange }: { readonly before: string; readonly exchange: Exchange },
): Promise<void> {
  const { id, stage } = message;
  const as = callers[message.owner];
  switch (stage) {
    case "waiting":
    case "due": {
      if (stage === "due" && answeredBy(exchange, "MessageNotCancelable")) return;
      if (!t.accepted("MSG-39", exchange)) return;
      const after = await settledStatus(t, as, id, before);
      t.verify("MSG-39", after.status !== before, {
        expected: `another status than ${before}`,
        actual: after.status,
        exchanges: [exchange, after.exchange],
      });
      message.stage = "canceled";
      message.canceledAs = after.status;
      return;
    }
    case "canceled": {
      t.verify("MSG-40", statusOf(exchange) === repeatStatus && isSuccess(exchange), {
        expected: `${repeatStatus} for a message that is canceled already`,
        actual: summaryOf(exchange),
        exchanges: [exchange],
      });
      await staysCanceled(message, "MSG-40", { t, callers });
      return;
    }
    case "claimed":
    case "terminal": {
      t.refused(stage === "claimed" ? "MSG-41" : "MSG-42", exchange, "MessageNotCancelable");
      const after = await statusOnce(t, as, id, (status) => status === before);
      t.equal("MSG-45", "its status", after.status, before, exchange, after.exchange);
      return;
    }
  }
}

async function staysCanceled(
  { id, owner, canceledAs }: KnownMessage,
  rule: "MSG-40" | "MSG-46",
  { t, callers }: Pick<LifeReal, "t" | "callers">,
): Promise<void> {
  const shown = await statusOnce(t, callers[owner], id, (status) => status === canceledAs);
  t.equal(rule, "the status of a canceled message", shown.status, canceledAs, shown.exchange);
}

/** Reads a message as its owner. */
export const read = (index: number): LifeCommand =>
  onMessage("read", index, any, async (message, real) => {
    await statusSeen(message, real);
    if (message.stage === "canceled") await staysCanceled(message, "MSG-40", real);
  });

/** The status that its owner sees; a read may lag behind, and one that finds nothing in the end breaks a rule. */
async function statusSeen({ id, owner }: KnownMessage, { t, callers }: LifeReal): Promise<string> {
  const as = callers[owner];
  let last = await readMessage(t, as, id);
  if (!isSuccess(last))
    await eventually(t, as.tenant, async () => {
      last = await readMessage(t, as, id);
      return isSuccess(last) ? true : null;
    });
  if (!t.accepted("MSG-80", last)) throw new Blocked("a message cannot be read", "see MSG-80 first", "server");
  return statusShown(t, last);
}

/** Reads a message as the other organization. */
export const readAsStranger = (index: number): LifeCommand =>
  onMessage("readAsStranger", index, any, async ({ id, owner }, { t, callers }) => {
    t.refused("TEN-07", await readMessage(t, callers[others[owner]], id), "NotFound");
  });

/** Cancels a message as the other organization. */
export const cancelAsStranger = (index: number): LifeCommand =>
  onMessage("cancelAsStranger", index, any, async (message, real) => {
    const { t, callers } = real;
    const { id, owner, stage } = message;
    const before = await statusSeen(message, real);
    const exchange = await callCancel(t, callers[others[owner]], id);
    t.refused("TEN-13", exchange, "MessageNotCancelable");
    // What is due may be sent meanwhile.
    if (stage === "due") return;
    const after = await statusOnce(t, callers[owner], id, (status) => status === before);
    t.equal("TEN-13", "the status that its owner sees", after.status, before, exchange, after.exchange);
  });

/** Moves a message on to where nobody can cancel it. */
export const move = (index: number, to: "claimed" | "terminal"): LifeCommand =>
  onMessage(
    to === "claimed" ? "claim" : "finish",
    index,
    ({ stage }) => stage === "waiting" || (stage === "claimed" && to === "terminal"),
    async (message, real) => {
      const { t, callers } = real;
      const as = callers[message.owner];
      const before = await statusSeen(message, real);
      await as.tenant.arrange(movedMessage, { message_id: message.id, to });
      message.stage = to;
      // What a refused cancellation leaves is compared with what is shown once the move shows.
      await statusOnce(t, as, message.id, (status) => status !== before);
    },
  );

/** Lets a day go by, in which the messages that wait come to their time. */
export const advance = (owner: Owner): LifeCommand => ({
  check: ({ days }) => days[owner] < mostDays,
  async run(model, { t, callers }) {
    await callers[owner].tenant.advance(day, "the time of messages");
    model.days[owner] += 1;
    for (const message of model.messages) {
      if (message.owner !== owner) continue;
      if (message.stage === "waiting") message.stage = "due";
      if (message.stage === "canceled") await staysCanceled(message, "MSG-46", { t, callers });
    }
  },
  toString: () => `advance(${owner})`,
});
