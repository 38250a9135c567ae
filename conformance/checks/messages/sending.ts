import { randomUUID } from "node:crypto";
import { operations } from "../../../generated/operations.ts";
import { documentedScopes, scopeNamed } from "../../../generated/scopes.ts";
import { type Check, check } from "../../context/check.ts";
import { rowNamed, rowText } from "../../exchange/admits.ts";
import { type Exchange, errorOf, isSuccess, objectOf, summaryOf } from "../../exchange/exchange.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { bodyRefusals, refusesBody } from "../../steps/body-refusals.ts";
import { grantable } from "../../steps/grantable.ts";
import { keyLacking, scopesLacking } from "../../steps/key-lacking.ts";
import { malformedIds } from "../../steps/malformed-ids.ts";
import {
  admissible,
  aheadSeconds,
  callSend,
  foundMessage,
  isNoLackOfConsent,
  optIn,
  readMessage,
  type SendWish,
  sendDraws,
  sendInput,
  sendUntil,
  shownIn,
  takeLater,
  timeAhead,
} from "../../steps/message.ts";
import { refusedAlways } from "../../steps/refused-always.ts";
import { isSameId } from "../../steps/settle.ts";
import { withoutEffect } from "../../steps/without-effect.ts";

const { scope } = operations.sendMessage;

const text = "Your table is ready.";

/** In seconds. */
const hour = 3600;

const wholeSeconds = (timestamp: string): string => timestamp.replace(/\.\d+/, "");

/** Whether the details of an error name a member. */
const namesMember = (exchange: Exchange, name: string): boolean =>
  Object.keys(objectOf(errorOf(exchange)?.details) ?? {}).some((each) => each.includes(name));

/** Messages to two recipients who have opted in, each as it is sent. */
const sends = {
  later: [
    { body: text },
    { body: "Ihr  Tisch ist bereit:\n20 €, 😀", bypass_quiet_hours: false },
    // What programs put for plain marks, and others put plain marks for.
    { body: "“Table for two” – it’s ready…" },
  ],
  // Longer than one segment.
  now: [{ body: text }, { body: `${"0123456789".repeat(20)}!` }, { body: 'Tom & Jerry <3 "it\'s" 100% &amp; +1\\n' }],
} as const;

/** The same for later, which reaches nobody, and for now. */
export const sending: readonly Check[] = (["later", "now"] as const).map((when) =>
  check({
    id: `messages.sending-${when}`,
    title: `A message to whoever has opted in is taken to be sent ${when}, and is read as it was sent`,
    rules: ["MSG-01", "MSG-51"],
    kind: "scenario",
    needs: ["key"],
    effects: ["creates", "spends", ...(when === "now" ? (["sends"] as const) : [])],
    draws: sendDraws(2 * sends[when].length),
    async run(t) {
      const tenant = await t.tenant({ clock: "manual" });
      const main = await tenant.main();
      const [one, other] = t.numbers("recipients");
      for (const [index, unaddressed] of sends[when].entries()) {
        const wish = { to: index === 0 ? one : other, ...unaddressed };
        await optIn(t, main, wish.to);
        const send = async (scheduled: Pick<SendWish, "scheduled_at">): Promise<Exchange> =>
          admissible(await sendUntil(t, main, { ...wish, ...scheduled }, isNoLackOfConsent));
        // A timestamp may have a fraction of a second, and need not (RFC 3339, 5.6).
        const timeIn = async (seconds: number): Promise<string> =>
          wish.to === one ? timeAhead(tenant, seconds) : wholeSeconds(await timeAhead(tenant, seconds));
        let exchange = await send(when === "later" ? { scheduled_at: await timeIn(aheadSeconds) } : {});
        // How far ahead a message may be scheduled is open.
        if (when === "later" && refusesBody(exchange)) exchange = await send({ scheduled_at: await timeIn(hour) });
        // Which characters a body may have is open (Q137).
        if (unaddressed.body !== text && refusesBody(exchange) && namesMember(exchange, "body")) {
          t.observe("MSG-01", "a text with more than letters and a full stop is refused", exchange);
          continue;
        }
        const isTaken = t.verify("MSG-01", isSuccess(exchange), {
          expected: "2xx success",
          admits: ["success"],
          actual: summaryOf(exchange),
          exchanges: [exchange],
          // A number of fiction may be no recipient, although its consent was captured.
          question: refusesBody(exchange) && namesMember(exchange, "to") ? "Q136" : null,
        });
        if (!isTaken) continue;
        const { id } = shownIn(t, "sendMessage", exchange);
        const isShown = t.verify("MSG-01", id !== null, {
          expected: "a message with an id",
          actual: summaryOf(exchange),
          exchanges: [exchange],
        });
        if (!isShown || id === null) continue;
        const read = await foundMessage(t, main, id);
        const shown = shownIn(t, "getMessage", t.control(read, "reading the message"));
        t.verify("MSG-51", isSameId(shown.id, id), {
          expected: `the message ${id}`,
          actual: String(shown.id),
          exchanges: [exchange, read],
        });
        // What a message shows beside its id the document does not say; what it shows must be what was sent.
        for (const name of ["to", "body"] as const)
          if (shown[name] === null || isWithheld(shown[name], wish[name]))
            t.observe("MSG-51", `a message does not show all of its ${name}`, exchange, read);
          else t.equal("MSG-51", name, shown[name], wish[name], exchange, read);
      }
    },
  }),
);

/** Characters that stand for others which a server keeps to itself. */
const masks = /[*\u2022\u2026xX#]+/u;

/** Returns true if a server withholds a value or a part of it (Q99): it shows nothing, or a mask in place of the part. */
function isWithheld(shown: unknown, sent: string): boolean {
  if (typeof shown !== "string") return false;
  if (shown === "") return true;
  const [start = "", end = "", ...others] = shown.split(masks);
  const isMasked = masks.test(shown) && !masks.test(sent) && others.length === 0;
  return isMasked && start.length + end.length < sent.length && sent.startsWith(start) && sent.endsWith(end);
}

/** A defect of one member. */
interface Defect {
  readonly name: "to" | "body" | "scheduled_at" | "bypass_quiet_hours";
  readonly value: unknown;
  /** A lenient server may read the value as one of the type that is wanted: which types these are the document does not show. */
  readonly isReadable?: boolean;
}

/** Bodies with one defect each. */
const defectsFor = (recipient: string): readonly Defect[] => [
  { name: "to", value: undefined },
  { name: "to", value: {} },
  { name: "to", value: "nobody" },
  { name: "to", value: "" },
  { name: "to", value: Number(recipient), isReadable: true },
  { name: "body", value: undefined },
  { name: "body", value: {} },
  { name: "body", value: 5, isReadable: true },
  { name: "scheduled_at", value: "at no time" },
  { name: "scheduled_at", value: {} },
  { name: "scheduled_at", value: 5, isReadable: true },
  { name: "bypass_quiet_hours", value: "perhaps" },
  { name: "bypass_quiet_hours", value: "yes", isReadable: true },
];

/** Sends that are invalid. */
export const invalidSends = check({
  id: "messages.invalid-sends",
  title: "A send with an invalid member is refused, and the member is named",
  rules: ["MSG-03"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: sendDraws(1 + defectsFor("").length),
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const [one] = t.numbers("recipients");
    await takeLater(t, main);
    const sound = { to: one, body: text, scheduled_at: await timeAhead(main.tenant) };
    for (const { name, value, isReadable = false } of defectsFor(one)) {
      const { [name]: _, ...others }: Record<string, unknown> = sound;
      const wanted = t.shapeRequest("sendMessage", value === undefined ? others : { ...others, [name]: value });
      const exchange = await t.call("sendMessage", { body: wanted }, main);
      // Who is no recipient has not opted in either, and which of that is looked at first is open.
      if (name === "to" && answeredBy(exchange, "ConsentRequired")) continue;
      // A value that was read as one of the wanted type is judged as that, and may be refused for what it asks.
      if (isReadable && (answeredBy(exchange, "QuietHours") || answeredBy(exchange, "QuietHoursBypassForbidden")))
        continue;
      t.verify("MSG-03", refusesBody(exchange), {
        expected: `${bodyRefusals.map((row) => rowText(rowNamed(row))).join(" or ")} for ${name}: ${JSON.stringify(value)}`,
        admits: bodyRefusals,
        actual: summaryOf(exchange),
        exchanges: [exchange],
        warnOnly: isReadable && isSuccess(exchange),
      });
      if (!refusesBody(exchange) || answeredBy(exchange, "InvalidInput")) continue;
      t.verify("MSG-03", namesMember(exchange, name), {
        expected: `details that name ${name}`,
        actual: JSON.stringify(errorOf(exchange)?.details) ?? "no details",
        exchanges: [exchange],
        // A target may know the member under another name.
        warnOnly: JSON.stringify(t.shapeRequest("sendMessage", sound)) !== JSON.stringify(sound),
      });
    }
  },
});

/** A key that may do all but send. */
export const senders = check({
  id: "messages.senders",
  title: "A message is sent by a key with its scope, and by no other",
  rules: ["MSG-02"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: sendDraws(2),
  sharedKeys: [scopesLacking(scope)],
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    await takeLater(t, await tenant.main());
    const later = sendInput(t, { scheduled_at: await timeAhead(tenant) });
    const lacking = await keyLacking(scope, tenant);
    await refusedAlways(t, "MSG-02", () => t.call("sendMessage", later, lacking), "Forbidden");
  },
});

/** Messages that are not there. */
export const unreadableMessages = check({
  id: "messages.unreadable",
  title: "An unknown message is not found, and an id that is no UUID is refused",
  rules: ["MSG-47", "MSG-48"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: sendDraws(1),
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const { id } = await takeLater(t, main);
    t.control(await readMessage(t, main, id), "reading the message");
    for (const unknown of [randomUUID(), randomUUID()])
      t.refused("MSG-48", await readMessage(t, main, unknown), "NotFound");
    for (const malformed of malformedIds)
      t.refused("MSG-47", await readMessage(t, main, malformed), "ValidationFailed400");
  },
});

/** All scopes of the document but the bypass. */
const allButBypass = documentedScopes.filter((each) => each !== scopeNamed.messagesBypassQuietHours);

/** The flag that bypasses quiet hours, of who may not set it. */
export const bypass = check({
  id: "messages.bypass",
  title: "Without its scope a bypass of quiet hours is refused, for whatever time and again, and none is not",
  rules: ["MSG-34", "MSG-35", "MSG-37"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: sendDraws(11),
  sharedKeys: [[scope], allButBypass],
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    await takeLater(t, main);
    const holding = grantable(main).filter((each) => allButBypass.some((one) => one === each));
    const scheduled_at = await timeAhead(tenant, aheadSeconds);
    for (const scopes of [[scope], holding]) {
      const sender = await tenant.keyWith(scopes);
      t.control(admissible(await callSend(t, sender, { scheduled_at })), "sending a message");
      t.accepted("MSG-37", admissible(await callSend(t, sender, { scheduled_at, bypass_quiet_hours: false })));
      // Where time runs, one that is taken by mistake would go out at once.
      for (const when of [{ scheduled_at }, { scheduled_at }, ...(tenant.manualClock ? [{}] : [])]) {
        const exchange = await t.call("sendMessage", sendInput(t, { ...when, bypass_quiet_hours: true }), sender);
        // The same without it was taken: there are no quiet hours then.
        if ("scheduled_at" in when) t.refused("MSG-35", exchange, "QuietHoursBypassForbidden");
        if (!t.refused("MSG-34", exchange, "QuietHoursBypassForbidden") || isSuccess(exchange)) continue;
        t.equal("MSG-34", "error.details", errorOf(exchange)?.details, undefined, exchange);
      }
    }
  },
});

/** What a bypass leaves behind that is refused. */
export const refusedBypass = withoutEffect({
  operation: "sendMessage",
  row: "QuietHoursBypassForbidden",
  needs: ["key"],
  effects: ["creates", "spends"],
  // Three organizations: two of them look again days later.
  draws: { ...sendDraws(6), consentRecords: 3, apiKeyWrites: 2 },
  sharedKeys: [[scope]],
  async begin(t) {
    const tenant = await t.tenant({ clock: "manual" });
    await takeLater(t, await tenant.main());
    const sender = await tenant.keyWith([scope]);
    const input = sendInput(t, { scheduled_at: await timeAhead(tenant), bypass_quiet_hours: true });
    return { tenant, send: () => t.call("sendMessage", input, sender) };
  },
});
