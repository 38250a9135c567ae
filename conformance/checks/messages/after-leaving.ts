import { inboundText } from "../../arrangements/inbound-text.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential, Tenant } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { erase } from "../../steps/contact.ts";
import { deferringNight } from "../../steps/deferring-night.ts";
import { untilAtRest } from "../../steps/effect-of.ts";
import { balanceOf } from "../../steps/lookup.ts";
import {
  aheadSeconds,
  callCancel,
  sendDraws,
  sendUntil,
  settledStatus,
  statusOfMessage,
  statusOnce,
  takeLater,
  takeMessage,
} from "../../steps/message.ts";
import { numberCount } from "../../target/phone-numbers.ts";

const lacksConsent = (exchange: Exchange): boolean => answeredBy(exchange, "ConsentRequired");

const replyStop = (tenant: Tenant, from: string): Promise<unknown> =>
  tenant.arrange(inboundText, { from, text: "STOP" });

/** Seconds from the time of a message until it has been sent. */
const sentWithin = 3600;

/**
 * Decides whether messages go out that wait when their recipient leaves. Statuses have any names: they are compared with a
 * message to somebody who stays.
 */
async function judgeWaiting<Rule extends "MSG-05" | "MSG-90" | "CON-40">(
  t: CheckContext<Rule>,
  rule: Rule,
  as: Credential,
  {
    to,
    leave,
    take = takeLater,
    judgeSend,
  }: {
    readonly to: string;
    readonly leave: () => Promise<unknown>;
    readonly take?: typeof takeMessage;
    /** Decides what a send to who has left is answered. */
    readonly judgeSend?: (exchange: Exchange) => void;
  },
): Promise<void> {
  const { tenant } = as;
  const [staying] = t.numbers("recipients");
  // Several: one of them could be the only one that is thought of.
  const waiting = [await take(t, as, { to }), await take(t, as, { to })];
  const beside = await take(t, as, { to: staying });
  const before = await statusOfMessage(t, as, beside.id);
  await leave();
  // An effect may show a moment later. What erasing takes away is open, consent included.
  const refused = await sendUntil(t, as, { to }, lacksConsent);
  judgeSend?.(refused);
  if (rule === "MSG-90" && !lacksConsent(refused))
    throw new Blocked(`a send after STOP was answered ${summaryOf(refused)}`, "see MSG-05 first", "server");
  for (const seconds of [aheadSeconds + 1, sentWithin]) await tenant.advance(seconds, "the time of messages");
  const sent = await statusOnce(t, as, beside.id, (status) => status !== before.status);
  if (sent.status === before.status)
    throw new Blocked(
      `a message to who has not left was ${sent.status} before its time and after it`,
      "see whether the target sends messages of organizations with a manual clock",
      "server",
    );
  for (const { id, exchange: taken } of waiting) {
    const { status, exchange } = await statusOfMessage(t, as, id);
    t.verify(rule, status !== sent.status, {
      expected: `another status than ${sent.status}, as of a message to who has not left`,
      actual: status,
      exchanges: [taken, refused, sent.exchange, exchange],
      question: "Q210",
    });
  }
}

/** Messages that wait when their recipient opts out. */
export const waitingAtOptOut = check({
  id: "messages.waiting-at-opt-out",
  title: "A message that waits for its time is not sent once its recipient has replied STOP",
  rules: ["MSG-90"],
  kind: "scenario",
  needs: ["manual-clock", "inbound-text"],
  effects: ["creates", "spends", "sends"],
  draws: sendDraws(5),
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const [stopping] = t.numbers("leaving");
    await judgeWaiting(t, "MSG-90", main, { to: stopping, leave: () => replyStop(tenant, stopping) });
  },
});

/** Messages that wait for the end of quiet hours when their recipient opts out. */
export const deferredAtOptOut = check({
  id: "messages.deferred-at-opt-out",
  title: "A message that is deferred is not sent once its recipient has replied STOP, and no other is deferred",
  rules: ["MSG-05", "MSG-90"],
  kind: "scenario",
  needs: ["quiet-hours", "manual-clock", "chosen-time", "inbound-text"],
  effects: ["creates", "spends", "sends"],
  draws: sendDraws(5),
  async run(t) {
    const tenant = await t.tenant(deferringNight);
    const main = await tenant.main();
    const [to] = t.numbers("leaving");
    await judgeWaiting(t, "MSG-90", main, {
      to,
      leave: () => replyStop(tenant, to),
      take: takeMessage,
      judgeSend: (exchange) => t.refused("MSG-05", exchange, "ConsentRequired"),
    });
  },
});

/** Messages that wait when their recipient is erased. */
export const waitingAtErasure = check({
  id: "contacts.waiting-at-erasure",
  title: "A message that waits for its time is not sent once its recipient was erased",
  rules: ["CON-40"],
  kind: "scenario",
  needs: ["manual-clock"],
  effects: ["creates", "spends", "sends"],
  draws: { ...sendDraws(5 * numberCount("erased_waiting")), contactErasures: numberCount("erased_waiting") },
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    for (const to of t.numbers("erased_waiting"))
      await judgeWaiting(t, "CON-40", main, { to, leave: () => erase(t, main, to) });
  },
});

/** Decides whether messages wait on when a recipient leaves: those to others, and another organization's to the same one. */
async function judgeWaitingOn<Rule extends "CON-25" | "CON-43">(
  t: CheckContext<Rule>,
  rule: Rule,
  {
    to,
    leave,
    isBeside,
  }: { readonly to: string; readonly leave: (as: Credential) => Promise<unknown>; readonly isBeside: boolean },
): Promise<void> {
  const main = await (await t.tenant({ clock: "manual" })).main();
  const other = await (await t.otherTenant({ clock: "manual" })).main();
  const [staying] = t.numbers("recipients");
  const left = await takeLater(t, main, { to });
  const beside = isBeside ? [[main, await takeLater(t, main, { to: staying })] as const] : [];
  const waiting = await takeLater(t, other, { to });
  // Statuses have any names: another message is canceled to see what they are then.
  const like = await takeLater(t, other, { to });
  const { status: before } = await statusOfMessage(t, other, like.id);
  await leave(main);
  t.control(await callCancel(t, other, like.id), "cancelling a message");
  const canceled = await settledStatus(t, other, like.id, before);
  if (canceled.status === before)
    throw new Blocked(`a message was ${before} before it was canceled and after it`, "see MSG-39 first", "server");
  for (const [as, message] of [[other, waiting] as const, ...beside]) {
    const { status, exchange } = await statusOfMessage(t, as, message.id);
    t.verify(rule, status !== canceled.status, {
      expected: `another status than ${canceled.status}, as of a message that was canceled, of one to ${message.to}`,
      actual: status,
      exchanges: [left.exchange, message.exchange, exchange],
    });
  }
}

/** Messages of others, and of another organization, that wait when a recipient is erased. */
export const waitingElsewhere = check({
  id: "contacts.waiting-elsewhere",
  title: "A message goes on to wait when another recipient is erased, or its own from another organization",
  rules: ["CON-25"],
  kind: "scenario",
  needs: ["other-organization"],
  effects: ["creates", "spends", "sends"],
  draws: { ...sendDraws(4), contactErasures: 1 },
  async run(t) {
    const [to] = t.numbers("erased_waiting");
    await judgeWaitingOn(t, "CON-25", { to, leave: (as) => erase(t, as, to), isBeside: true });
  },
});

/** Messages of one organization that wait when their recipient replies STOP to another one. */
export const waitingElsewhereAtOptOut = check({
  id: "messages.waiting-elsewhere-at-opt-out",
  title: "A message goes on to wait when its recipient replies STOP to another organization",
  rules: ["CON-43"],
  kind: "scenario",
  needs: ["other-organization", "inbound-text"],
  effects: ["creates", "spends", "sends"],
  draws: sendDraws(4),
  async run(t) {
    const [to] = t.numbers("leaving");
    await judgeWaitingOn(t, "CON-43", { to, leave: (as) => replyStop(as.tenant, to), isBeside: false });
  },
});

/** Messages that are canceled, by a client, whose recipient opts out before, after or at that moment. */
export const canceledAtOptOut = check({
  id: "messages.canceled-at-opt-out",
  title: "No more is given back than a message cost that is canceled and whose recipient opts out",
  rules: ["MSG-52"],
  kind: "scenario",
  needs: ["state", "inbound-text"],
  effects: ["creates", "spends"],
  draws: sendDraws(numberCount("leaving") - 1),
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const [, ...canceling] = t.numbers("leaving");
    await untilAtRest(t, tenant);
    // What one message cost may be given back while the next one is looked at.
    const before = await balanceOf(tenant);
    for (const [index, to] of canceling.entries()) {
      const { id } = await takeLater(t, main, { to });
      const stop = () => replyStop(tenant, to);
      const cancel = () => callCancel(t, main, id);
      if (index === 0) await stop().then(cancel);
      if (index === 1) await cancel().then(stop);
      if (index === 2) await Promise.all([stop(), cancel()]);
      const again = await cancel();
      await stop();
      // What is given back may come later than the answer.
      await untilAtRest(t, tenant);
      const after = await balanceOf(tenant);
      t.verify("MSG-52", after <= before, {
        expected: `at most ${before} millionths of a US dollar in the wallet, as before all sends`,
        actual: String(after),
        exchanges: [again],
        // Others may be given back what they were charged before.
        warnOnly: !tenant.own,
      });
    }
  },
});
