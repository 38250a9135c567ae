import { randomUUID } from "node:crypto";
import { documentedScopes, scopeNamed } from "../../../generated/scopes.ts";
import { movedMessage } from "../../arrangements/moved-message.ts";
import { revocation } from "../../arrangements/revocation.ts";
import { userOf } from "../../context/caller-of.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { dataOf, type Exchange, errorOf, isSuccess, objectOf, statusOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked, NotApplicable } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { asTimePasses } from "../../steps/as-time-passes.ts";
import { leftAsItWas, untilAtRest, watchingEffects } from "../../steps/effect-of.ts";
import { grantable } from "../../steps/grantable.ts";
import { balanceOf, balanceOnce } from "../../steps/lookup.ts";
import { malformedIds } from "../../steps/malformed-ids.ts";
import {
  aheadSeconds,
  callCancel,
  callSend,
  messageIn,
  readMessage,
  sendDraws,
  settledStatus,
  statusOfMessage,
  statusOnce,
  statusShown,
  takeLater,
  timeAhead,
} from "../../steps/message.ts";
import { eventually } from "../../steps/settle.ts";
import { shownStatus } from "../../steps/shown-status.ts";

/** What cancelling a canceled message gives. */
const repeatStatus = shownStatus("message", "canceled", "canceled");

/** How often a message is cancelled one time after the other. */
const repeats = 3;

/** An own message that nobody has claimed. */
export const cancellation = check({
  id: "messages.cancellation",
  title: "A message that is not claimed yet can be canceled, again and again",
  rules: ["MSG-39", "MSG-40"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: sendDraws(4),
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const bypasses = grantable(main).includes(scopeNamed.messagesBypassQuietHours)
      ? [{ bypass_quiet_hours: true }]
      : [];
    for (const wish of [{}, {}, { key: randomUUID() }, ...bypasses]) {
      const { id } = await takeLater(t, main, wish);
      const before = await statusOfMessage(t, main, id);
      const first = await callCancel(t, main, id);
      if (!t.accepted("MSG-39", first)) continue;
      const after = await settledStatus(t, main, id, before.status);
      t.verify("MSG-39", after.status !== before.status, {
        expected: `another status than ${before.status}`,
        actual: after.status,
        exchanges: [before.exchange, first, after.exchange],
      });
      await staysCanceled(t, main, { id, status: after.status, first });
    }
  },
});

/** A cancellation that comes again by another key than the first. */
export const cancellationByAnother = check({
  id: "messages.cancellation-by-another-key",
  title: "A canceled message can be canceled again by every key of the organization",
  rules: ["MSG-40"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: sendDraws(1),
  sharedKeys: [documentedScopes],
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const another = await tenant.keyWith(main.scopes ?? documentedScopes, { unused: true });
    const { id } = await takeLater(t, main);
    const before = await statusOfMessage(t, main, id);
    const first = t.control(await callCancel(t, main, id), "cancelling a message");
    const { status } = await settledStatus(t, main, id, before.status);
    if (main.scopes === null && answeredBy(await callCancel(t, another, id), "Forbidden"))
      throw new Blocked(`a ${another.name} may not cancel messages`, "give the kit a key whose scopes it is told");
    await staysCanceled(t, another, { id, status, first });
  },
});

/** A message of which the key that sent it is no more. */
export const cancellationOfRevoked = check({
  id: "messages.cancellation-of-revoked",
  title: "A message can be canceled though the key that sent it was revoked, as it is the organization's",
  rules: ["MSG-39"],
  kind: "scenario",
  needs: ["revocation"],
  effects: ["creates", "spends"],
  draws: { ...sendDraws(2), apiKeyWrites: 1 },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const sender = await tenant.keyWith(main.scopes ?? grantable(main), { unused: true });
    // The sound twin: another key than the one that sent it cancels.
    t.control(await callCancel(t, main, (await takeLater(t, sender)).id), "cancelling what another key has sent");
    const { id } = await takeLater(t, sender);
    await tenant.arrange(revocation, sender);
    t.accepted("MSG-39", await callCancel(t, main, id));
  },
});

/** What keys have sent, and a signed-in user cancels. */
export const cancellationByUser = check({
  id: "messages.cancellation-by-user",
  title: "Who may cancel messages as a signed-in user may cancel those that a key has sent, too",
  rules: ["MSG-39"],
  kind: "scenario",
  needs: ["session"],
  effects: ["creates", "spends"],
  draws: sendDraws(2),
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const { id } = await takeLater(t, await tenant.main());
    const user = await userOf(tenant);
    // Whether users may send and cancel is open.
    const own = await callSend(t, user, { scheduled_at: await timeAhead(tenant) });
    if (!isSuccess(own)) throw new NotApplicable(`a send by a user was answered ${summaryOf(own)}`);
    const canceled = await callCancel(t, user, messageIn(t, own).id);
    if (!isSuccess(canceled)) throw new NotApplicable(`a cancellation by a user was answered ${summaryOf(canceled)}`);
    t.accepted("MSG-39", await callCancel(t, user, id));
  },
});

/** Days ahead: their milliseconds do not fit into 31 bits, which is what many timers count in. */
const farDays = 26;

/** Seconds before the scheduled time at which a message still waits. The moment of the send is an open question. */
const beforeDueSeconds = 1800;

/** A message that is scheduled weeks ahead. */
export const farCancellation = check({
  id: "messages.far-cancellation",
  title: "A message that is scheduled weeks ahead can be canceled an hour later, and minutes before its time",
  rules: ["MSG-39"],
  kind: "scenario",
  needs: ["manual-clock"],
  effects: ["creates", "spends"],
  draws: sendDraws(3),
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    t.control(await callCancel(t, main, (await takeLater(t, main)).id), "cancelling a message");
    const far = await callSend(t, main, { scheduled_at: await timeAhead(tenant, farDays * 86_400) });
    if (!isSuccess(far)) throw new NotApplicable(`a message for ${farDays} days ahead was answered ${summaryOf(far)}`);
    const last = await callSend(t, main, { scheduled_at: await timeAhead(tenant, farDays * 86_400) });
    await tenant.advance(3600, "an hour of the days before a message is due");
    t.accepted("MSG-39", await callCancel(t, main, messageIn(t, far).id));
    await tenant.advance(farDays * 86_400 - 3600 - beforeDueSeconds, "the last minutes before a message is due");
    t.accepted("MSG-39", await callCancel(t, main, messageIn(t, last).id));
  },
});

/** Decides whether further cancellations give 200 and change nothing. */
async function staysCanceled(
  t: CheckContext<"MSG-40">,
  as: Parameters<typeof callCancel>[1],
  { id, status, first }: { readonly id: string; readonly status: string; readonly first: Exchange },
): Promise<void> {
  for (let count = 1; count <= repeats; count += 1) {
    const again = await callCancel(t, as, id);
    t.verify("MSG-40", statusOf(again) === repeatStatus && isSuccess(again), {
      expected: `${repeatStatus} for a message that is canceled already`,
      actual: summaryOf(again),
      exchanges: [first, again],
    });
    const later = await statusOnce(t, as, id, (shown) => shown === status);
    t.equal("MSG-40", "its status", later.status, status, again, later.exchange);
  }
}

/** A message that was canceled a while ago. */
export const cancellationLater = check({
  id: "messages.cancellation-later",
  title: "A canceled message can be canceled again as long as it is there, however long ago that was",
  rules: ["MSG-40"],
  kind: "scenario",
  needs: ["manual-clock"],
  effects: ["creates", "spends"],
  draws: sendDraws(1),
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const { id } = await takeLater(t, main);
    const before = await statusOfMessage(t, main, id);
    const first = t.control(await callCancel(t, main, id), "cancelling a message");
    const { status } = await settledStatus(t, main, id, before.status);
    await staysCanceled(t, main, { id, status, first });
    await asTimePasses(tenant, "a message", async () => {
      // How long a message is kept is open, and one that is not there cannot be canceled.
      if (isSuccess(await readMessage(t, main, id))) await staysCanceled(t, main, { id, status, first });
    });
  },
});

/** Ids under which there is nothing to cancel. */
export const unknownCancellation = check({
  id: "messages.unknown-cancellation",
  title: "Cancelling what never was is refused as not cancelable, without details",
  rules: ["MSG-43", "MSG-44", "MSG-53"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: sendDraws(1),
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const { id } = await takeLater(t, main);
    t.control(await callCancel(t, main, id), "cancelling a message");
    for (const unknown of [randomUUID(), randomUUID(), randomUUID().toUpperCase()]) {
      const exchange = await callCancel(t, main, unknown);
      if (t.refused("MSG-43", exchange, "MessageNotCancelable"))
        t.equal("MSG-44", "error.details", errorOf(exchange)?.details, undefined, exchange);
    }
    for (const malformed of malformedIds) {
      const exchange = await callCancel(t, main, malformed);
      t.refused("MSG-53", exchange, "ValidationFailed400", "ValidationFailed", "MessageNotCancelable");
    }
  },
});

/** How far messages come: to where the document names them, or to an end that is none of its own. */
const lateStages = [
  {
    id: "messages.late-cancellation",
    what: "claimed for sending or at its end",
    stages: [
      ["MSG-41", "claimed"],
      ["MSG-42", "terminal"],
    ],
  },
  // A check of its own: a target may know of no such end, or bring no message there.
  {
    id: "messages.failed-cancellation",
    what: "at its end and never reached its recipient",
    stages: [["MSG-42", "failed"]],
  },
] as const;

/** Messages that have come too far. */
export const lateCancellations = lateStages.map(({ id, what, stages }) =>
  check({
    id,
    title: `A message that is ${what} cannot be canceled, and stays as it is`,
    rules: [...new Set(stages.map(([rule]) => rule)), "MSG-44", "MSG-45"],
    kind: "scenario",
    needs: ["message-move", "state"],
    effects: ["creates", "spends"],
    draws: sendDraws(1 + stages.length),
    run: watchingEffects(async (t, effectOf) => {
      const tenant = await t.tenant({ clock: "manual" });
      const main = await tenant.main();
      t.control(await callCancel(t, main, (await takeLater(t, main)).id), "cancelling a message");
      for (const [rule, to] of stages) {
        const { id } = await takeLater(t, main);
        const unmoved = await statusOfMessage(t, main, id);
        await tenant.arrange(movedMessage, { message_id: id, to });
        const before = await statusOnce(t, main, id, (status) => status !== unmoved.status);
        for (let count = 1; count <= 2; count += 1) {
          const effect = await effectOf(tenant, () => callCancel(t, main, id));
          const { exchange } = effect;
          if (t.refused(rule, exchange, "MessageNotCancelable"))
            t.equal("MSG-44", "error.details", errorOf(exchange)?.details, undefined, exchange);
          leftAsItWas(t, "MSG-45", effect, exchange);
        }
        const after = await statusOfMessage(t, main, id);
        t.equal("MSG-45", "its status", after.status, before.status, before.exchange, after.exchange);
        // What is on its way may show another time by itself.
        if (to === "claimed") continue;
        const [scheduled, then] = [scheduledIn(t, after.exchange), scheduledIn(t, before.exchange)];
        t.equal("MSG-45", "scheduled_at", scheduled, then, before.exchange, after.exchange);
      }
    }),
  }),
);

/** When a message that was read is to be sent. */
const scheduledIn = (t: CheckContext, read: Exchange): unknown =>
  objectOf(t.shapeResponse("getMessage", dataOf(read)))?.scheduled_at ?? null;

/** Another organization's message. */
export const foreignCancellation = check({
  id: "messages.foreign-cancellation",
  title: "Another organization's message cannot be canceled, and stays as it is",
  rules: ["TEN-13"],
  kind: "scenario",
  needs: ["other-organization"],
  effects: ["creates", "spends"],
  draws: sendDraws(2),
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const stranger = await (await t.otherTenant({ clock: "manual" })).main();
    t.control(await callCancel(t, main, (await takeLater(t, main)).id), "cancelling a message");
    const { id } = await takeLater(t, stranger);
    const before = await statusOfMessage(t, stranger, id);
    const exchange = await callCancel(t, main, id);
    t.refused("TEN-13", exchange, "MessageNotCancelable");
    const after = await statusOfMessage(t, stranger, id);
    t.equal("TEN-13", "the status that its owner sees", after.status, before.status, exchange, after.exchange);
  },
});

const atOnce = 8;

/** Many cancellations of one message. */
export const cancelledOften = check({
  id: "messages.cancelled-often",
  title: "Cancelled often, and often at once, a message is canceled once, and no more given back than it cost",
  rules: ["MSG-40", "MSG-52"],
  kind: "scenario",
  needs: ["state"],
  effects: ["creates", "spends"],
  draws: sendDraws(3),
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    // What is given back later than a round is waited for may come in the next one.
    const before = await balanceOf(tenant);
    for (let round = 1; round <= 3; round += 1) {
      const { id } = await takeLater(t, main);
      const exchanges = await Promise.all(Array.from({ length: atOnce }, () => callCancel(t, main, id)));
      const refused = exchanges.find((exchange) => answeredBy(exchange, "MessageNotCancelable"));
      t.verify("MSG-40", refused === undefined, {
        expected: `each of ${atOnce} cancellations at once to find the message unclaimed or canceled`,
        actual: refused === undefined ? "that" : summaryOf(refused),
        exchanges: refused === undefined ? exchanges.slice(0, 2) : [refused],
      });
      if (!exchanges.some(isSuccess))
        throw new Blocked("none of the calls at once succeeded", "see MSG-39 first", "server");
      // The charge itself may come later than the answer.
      await untilAtRest(t, tenant);
      const canceled = await balanceOf(tenant);
      for (let count = 1; count <= repeats; count += 1) exchanges.push(await callCancel(t, main, id));
      // What is given back may come in parts; what was taken does not come back.
      const kept = await balanceOnce(t, tenant, (balance) => balance >= canceled);
      t.verify("MSG-40", kept >= canceled, {
        expected: `no less than ${canceled} millionths of a US dollar in the wallet, as after the first cancellation`,
        actual: String(kept),
        exchanges: exchanges.slice(-2),
        // Others may be charged meanwhile.
        warnOnly: !tenant.own,
      });
      // What is given back may come later than the answer; too much shows as soon as there is more than before.
      const tooMuch = await eventually(t, tenant, async () => ((await balanceOf(tenant)) >= before ? true : null));
      const after = await balanceOf(tenant);
      t.verify("MSG-52", after <= before, {
        expected: `at most ${before} millionths of a US dollar in the wallet, as before the first send`,
        actual: tooMuch === null ? `${after}, less than before` : String(after),
        exchanges: exchanges.slice(0, 2),
        // Others may be given back what they were charged before.
        warnOnly: !tenant.own,
      });
    }
  },
});

/** Seconds in which a target sends a message that is due. */
const sentWithinSeconds = 3600;

/** Seconds until further looks at a canceled message. */
const daysAfterSeconds = [86_400, 6 * 86_400] as const;

interface CanceledMessage {
  readonly id: string;
  /** The status right after the cancellation. */
  readonly status: string;
  readonly exchange: Exchange;
}

/** Reads the statuses of messages that still exist. The API document does not state their lifetime. */
async function looksAt(t: CheckContext, as: Credential, canceled: readonly CanceledMessage[]) {
  const looks: (CanceledMessage & { readonly later: { readonly status: string; readonly exchange: Exchange } })[] = [];
  for (const each of canceled) {
    const read = await readMessage(t, as, each.id);
    if (isSuccess(read)) looks.push({ ...each, later: { status: statusShown(t, read), exchange: read } });
  }
  return looks;
}

/** A canceled message at its scheduled time. */
export const neverSent = check({
  id: "messages.never-sent",
  title: "A canceled message stays canceled at its scheduled time, and days later",
  rules: ["MSG-46"],
  kind: "scenario",
  needs: ["manual-clock"],
  effects: ["creates", "spends"],
  draws: sendDraws(3),
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const sent = await takeLater(t, main);
    const waiting = await statusOfMessage(t, main, sent.id);
    const canceled: CanceledMessage[] = [];
    for (const wish of [{}, { key: randomUUID() }]) {
      const { id } = await takeLater(t, main, wish);
      const exchange = t.control(await callCancel(t, main, id), "cancelling a message");
      // All were scheduled alike.
      canceled.push({ id, exchange, status: (await settledStatus(t, main, id, waiting.status)).status });
    }
    // The status of a canceled message is evidence only if the target has sent another one.
    await tenant.advance(aheadSeconds + 1, "the time of messages");
    const looks = [await looksAt(t, main, canceled)];
    await tenant.advance(sentWithinSeconds, "messages to be sent");
    const moved = await statusOnce(t, main, sent.id, (status) => status !== waiting.status);
    looks.push(await looksAt(t, main, canceled));
    for (const seconds of daysAfterSeconds) {
      await tenant.advance(seconds, "the days after the time of canceled messages");
      looks.push(await looksAt(t, main, canceled));
    }
    const isSent = moved.status !== waiting.status;
    for (const { status, exchange, later } of looks.flat())
      if (isSent || later.status !== status)
        t.equal("MSG-46", "the status of a canceled message", later.status, status, exchange, later.exchange);
    if (isSent) return;
    throw new Blocked(
      `a message that was not canceled was ${moved.status} before its time and after it`,
      "see whether the target sends messages of organizations with a manual clock",
      "server",
    );
  },
});
