import type { CheckContext } from "../../context/context.ts";
import { dataOf, type Exchange, isSuccess, objectOf, statusOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { dueText, localTime, quietAgain, quietAt, quietEnd, quietText, type Window } from "../../steps/local-time.ts";
import { callCancel, foundMessage, messageIn } from "../../steps/message.ts";
import { settle } from "../../steps/settle.ts";
import { shownStatus } from "../../steps/shown-status.ts";

/** What the contract shows a deferred send to be answered with. */
const deferredStatus = shownStatus("send request", "none", "scheduled");

/** Milliseconds by which a message that is not put off may be scheduled later than it was taken. */
const soon = 10 * 60_000;

/**
 * Milliseconds that a time must last in which it is not quiet for it to be the next: in a night in which the clock is put
 * back, an hour that comes twice may be one of the quiet ones at first and not then, or the other way round.
 */
const leastStretch = 3 * 3_600_000;

/** When a send was taken, to where, and when that is quiet. */
interface Taken {
  readonly at: number;
  readonly zone: string;
  readonly window: Window;
}

/** Decides whether a send in quiet hours was taken, and put off until they are over. */
export async function judgeDeferral(
  t: CheckContext<"MSG-32" | "MSG-33" | "MSG-56" | "MSG-93">,
  as: Credential,
  exchange: Exchange,
  { at, zone, window }: Taken,
): Promise<void> {
  t.verify("MSG-32", isSuccess(exchange) && statusOf(exchange) === deferredStatus, {
    expected: `a send to ${zone} taken with ${deferredStatus}`,
    actual: summaryOf(exchange),
    exchanges: [exchange],
  });
  if (!isSuccess(exchange)) return;
  const { told, read } = await scheduleOf(t, as, exchange);
  if (told === null) {
    // A message that cannot be canceled was sent at once. A cancellation that succeeds shows too little for a pass.
    await settle(as.tenant);
    const canceled = await callCancel(t, as, messageIn(t, exchange).id);
    if (answeredBy(canceled, "MessageNotCancelable"))
      t.verify("MSG-33", false, {
        expected: `a message that waits, and can be canceled, as ${quietText({ at, zone, window })}`,
        actual: summaryOf(canceled),
        exchanges: [exchange, read, canceled],
      });
    throw new Blocked(
      "a deferred message does not show when it is scheduled for",
      "say where it stands: shapes in the target file",
      "server",
    );
  }
  const shown = {
    actual: `${new Date(told).toISOString()}, when it is ${localTime(told, zone)} there`,
    exchanges: [exchange, read],
  };
  t.verify("MSG-33", told > at && quietAt(told, zone, window) !== true, {
    expected: `a time to come that is not in the quiet hours of ${zone}, ${window.start} to ${window.end}`,
    ...shown,
  });
  const due = quietEnd(at, zone, window);
  t.verify("MSG-56", Math.abs(told - due) <= 60_000, {
    expected: dueText(due, zone),
    ...shown,
  });
  const again = quietAgain(due, zone, window);
  if (again - due >= leastStretch)
    t.verify("MSG-93", told < again + 60_000, {
      expected: `a time before it is quiet again in ${zone}, at ${new Date(again).toISOString()}`,
      ...shown,
    });
}

/** Decides whether a send outside of quiet hours was taken, and not put off. */
export async function judgeUndeferred(
  t: CheckContext<"MSG-38">,
  as: Credential,
  exchange: Exchange,
  at: number,
): Promise<void> {
  if (!t.accepted("MSG-38", exchange)) return;
  const { told, read } = await scheduleOf(t, as, exchange);
  t.verify("MSG-38", told === null || told <= at + soon, {
    expected: `a message that is scheduled for no later time than ${new Date(at).toISOString()}`,
    actual: told === null ? "no time" : new Date(told).toISOString(),
    exchanges: [exchange, read],
    // What becomes of a message that is taken the document does not show.
    warnOnly: true,
  });
}

/** When a message is scheduled for, in milliseconds since 1970; null where it does not say. */
async function scheduleOf(t: CheckContext, as: Credential, exchange: Exchange) {
  const read = t.control(await foundMessage(t, as, messageIn(t, exchange).id), "reading the message");
  const { scheduled_at: told } = objectOf(t.shapeResponse("getMessage", dataOf(read))) ?? {};
  const at = typeof told === "string" ? Date.parse(told) : Number.NaN;
  return { told: Number.isNaN(at) ? null : at, read };
}
