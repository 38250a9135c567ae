import { operations } from "../../../generated/operations.ts";
import { inboundText } from "../../arrangements/inbound-text.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked, NotApplicable } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { captureBatch, captureConsent, noNumbers } from "../../steps/consent.ts";
import { erase } from "../../steps/contact.ts";
import { askRecipient, confirmation } from "../../steps/double-opt-in.ts";
import { isRefused } from "../../steps/endpoint.ts";
import { judgeEach } from "../../steps/judge-each.ts";
import { admissible, callSend, isNoLackOfConsent, optIn, sendDraws, sendUntil } from "../../steps/message.ts";
import { numberCount } from "../../target/phone-numbers.ts";

const lacksConsent = (exchange: Exchange): boolean => answeredBy(exchange, "ConsentRequired");

/** Has a contact opt in and shows that it can be sent to. */
async function admit(t: CheckContext, as: Credential, number: string): Promise<void> {
  await optIn(t, as, number);
  const sent = admissible(await sendUntil(t, as, { to: number }, isNoLackOfConsent));
  t.control(sent, `a send to ${number}, who has opted in`);
}

/** Times that a contact is erased who is erased already. */
const further = 2;

/** Erasing who has opted in. */
export const erasure = check({
  id: "contacts.erasure",
  title: "Who was erased is sent nothing, and others are, in this organization and in another one",
  rules: ["CON-22", "CON-23", "CON-25"],
  kind: "scenario",
  needs: ["other-organization"],
  effects: ["creates", "spends", "sends"],
  draws: { ...sendDraws(6 * numberCount("erased")), contactErasures: (1 + further) * numberCount("erased") },
  async run(t) {
    const main = await (await t.tenant()).main();
    const other = await (await t.otherTenant()).main();
    const [, neverErased] = t.numbers("erased_beside");
    await admit(t, main, neverErased);
    await judgeEach(t.numbers("erased"), async (to) => {
      await admit(t, main, to);
      await admit(t, other, to);
      const first = await erase(t, main, to);
      const sent = await sendUntil(t, main, { to }, lacksConsent);
      t.verify("CON-23", lacksConsent(admissible(sent)), {
        expected: `a send to ${to}, who was erased, refused for lack of consent`,
        admits: ["ConsentRequired"],
        actual: summaryOf(sent),
        exchanges: [first, sent],
      });
      for (const [as, number] of [
        [main, neverErased],
        [other, to],
      ] as const) {
        const beside = admissible(await callSend(t, as, { to: number }));
        t.verify("CON-25", !lacksConsent(beside), {
          expected: `a send to ${number}, of whom another contact was erased${as === other ? " elsewhere" : ""}`,
          actual: summaryOf(beside),
          exchanges: [first, beside],
        });
        t.control(beside, "a send to who was not erased");
      }
      for (let time = 1; time <= further; time += 1) {
        const again = await t.call("eraseContact", { path: { contact_number: to } }, main);
        t.verify("CON-22", isSuccess(again) || answeredBy(again, "NotFound"), {
          expected: `success or that there is no ${to}`,
          admits: ["success", "NotFound"],
          actual: summaryOf(again),
          exchanges: [first, again],
        });
      }
    });
  },
});

const manyWays = [
  {
    id: "contacts.erasure-of-batch",
    way: "in a batch",
    needs: ["key"],
    async consent(t: CheckContext, as: Credential, number: string): Promise<void> {
      t.control(await captureBatch(t, as, [number, t.numbers("erased_beside")[1]]), "capturing consents together");
    },
  },
  {
    id: "contacts.erasure-of-double-opt-in",
    way: "by answering a double opt-in",
    needs: ["inbound-text"],
    async consent(t: CheckContext, as: Credential, number: string): Promise<void> {
      await askRecipient(t, as, number);
      await as.tenant.arrange(inboundText, { from: number, text: confirmation });
    },
  },
] as const;

/** Erasing who has opted in otherwise than by a consent that was captured alone. */
export const erasedConsents = manyWays.map(({ id, way, needs, consent }, index) =>
  check({
    id,
    title: `Who has opted in ${way} is sent nothing after being erased`,
    rules: ["CON-23"],
    kind: "scenario",
    needs,
    effects: ["creates", "spends", "sends"],
    draws: { ...sendDraws(4), contactErasures: 1 },
    async run(t) {
      const main = await (await t.tenant()).main();
      const [, ...erased] = t.numbers("erased");
      const to = erased[index] ?? erased[0];
      await consent(t, main, to);
      const admitted = admissible(await sendUntil(t, main, { to }, isNoLackOfConsent));
      t.control(admitted, `a send to ${to}, who has opted in ${way}`);
      const exchange = await erase(t, main, to);
      const sent = admissible(await sendUntil(t, main, { to }, lacksConsent));
      t.verify("CON-23", lacksConsent(sent), {
        expected: `a send to ${to}, who had opted in ${way} and was erased, refused for lack of consent`,
        actual: summaryOf(sent),
        exchanges: [exchange, sent],
      });
    },
  }),
);

/** Erasing who was asked by double opt-in, beside somebody else who was. */
export const askedBeside = check({
  id: "contacts.asked-beside",
  title: "Who was asked by double opt-in can still answer when another contact is erased who was asked, too",
  rules: ["CON-25"],
  kind: "scenario",
  needs: ["inbound-text"],
  effects: ["creates", "spends", "sends"],
  draws: { ...sendDraws(4), contactErasures: 1 },
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const [asked, erased] = t.numbers("erased_asked");
    const [alone] = t.numbers("recipients");
    await askRecipient(t, main, alone);
    await tenant.arrange(inboundText, { from: alone, text: confirmation });
    if (lacksConsent(admissible(await sendUntil(t, main, { to: alone }, isNoLackOfConsent))))
      throw new Blocked(`no double opt-in is confirmed by ${confirmation}`, "see CON-30 first", "server");
    for (const number of [asked, erased]) await askRecipient(t, main, number);
    const exchange = await erase(t, main, erased);
    await tenant.arrange(inboundText, { from: asked, text: confirmation });
    const sent = admissible(await sendUntil(t, main, { to: asked }, isNoLackOfConsent));
    t.verify("CON-25", !lacksConsent(sent), {
      expected: `a send to ${asked}, who has confirmed, of whom another contact was erased`,
      actual: summaryOf(sent),
      exchanges: [exchange, sent],
    });
  },
});

/** Erasing who opts in again. */
export const optedInAgain = check({
  id: "contacts.opted-in-again",
  title: "Who was erased and opts in again can be sent to",
  rules: ["CON-01"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends", "sends"],
  draws: { ...sendDraws(8), contactErasures: 1, consentRecords: 2 },
  async run(t) {
    const main = await (await t.tenant()).main();
    const [to] = t.numbers("erased");
    await admit(t, main, to);
    await erase(t, main, to);
    const refused = await sendUntil(t, main, { to }, lacksConsent);
    if (!lacksConsent(admissible(refused)))
      throw new Blocked(
        `a send to ${to}, who was erased, was answered ${summaryOf(refused)}`,
        "see CON-23 first",
        "server",
      );
    const captured = await captureConsent(t, main, to);
    // Whether who was erased may be known again is open.
    if (!isSuccess(captured))
      throw new NotApplicable(`the consent of who was erased was answered ${summaryOf(captured)}`);
    const sent = admissible(await sendUntil(t, main, { to }, isNoLackOfConsent));
    t.verify("CON-01", !lacksConsent(sent), {
      expected: `a send to ${to}, whose consent was captured after being erased, not to be refused for lack of it`,
      actual: summaryOf(sent),
      exchanges: [captured, sent],
    });
  },
});

/** Erasing who has opted out. */
export const erasedOptOut = check({
  id: "contacts.erased-opt-out",
  title: "Who has replied STOP is sent nothing after being erased either",
  rules: ["CON-24"],
  kind: "scenario",
  needs: ["inbound-text"],
  effects: ["creates", "spends", "sends"],
  draws: { ...sendDraws(12), contactErasures: 1 },
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const [replier] = t.numbers("erased_beside");
    await admit(t, main, replier);
    await tenant.arrange(inboundText, { from: replier, text: "STOP" });
    const stopped = await sendUntil(t, main, { to: replier }, lacksConsent);
    if (!lacksConsent(stopped))
      throw new Blocked("a recipient who replied STOP can be sent to", "see CON-04 first", "server");
    const exchange = await erase(t, main, replier);
    const sent = admissible(await callSend(t, main, { to: replier }));
    t.verify("CON-24", lacksConsent(sent), {
      expected: "a send to who has opted out and was erased refused for lack of consent",
      admits: ["ConsentRequired"],
      actual: summaryOf(sent),
      exchanges: [exchange, sent],
    });
  },
});

/** Numbers as they stand in a path. */
export const erasurePath = check({
  id: "contacts.path",
  title: "A contact's number stands in the path with its plus sign encoded or not, and what is no number is refused",
  rules: ["CON-26", "CON-27"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends", "sends"],
  draws: { ...sendDraws(7), contactErasures: 2 + noNumbers.length },
  async run(t) {
    const main = await (await t.tenant()).main();
    const [to] = t.numbers("erased");
    await admit(t, main, to);
    const { method, path } = operations.eraseContact;
    const plain = await t.send({
      method,
      path: path.replace("{contact_number}", to),
      headers: { authorization: `Bearer ${main.token}` },
      body: null,
    });
    const sent = await sendUntil(t, main, { to }, lacksConsent);
    t.verify("CON-27", isSuccess(plain) && lacksConsent(admissible(sent)), {
      expected: `${to} erased by a path with a plus sign as it is`,
      actual: `${summaryOf(plain)}, and a send ${summaryOf(sent)}`,
      exchanges: [plain, sent],
    });
    // Hexadecimal digits are the same in either case (RFC 3986, 2.1).
    await optIn(t, main, to);
    const small = await t.send({
      method,
      path: path.replace("{contact_number}", to.replace("+", "%2b")),
      headers: { authorization: `Bearer ${main.token}` },
      body: null,
    });
    t.verify("CON-27", isSuccess(small), {
      expected: `${to} erased by a path with an encoded plus sign in small letters`,
      actual: summaryOf(small),
      exchanges: [small],
    });
    await optIn(t, main, to);
    await erase(t, main, to);
    // An empty one would be another path.
    for (const number of noNumbers.filter((text) => text !== "")) {
      const exchange = await t.call("eraseContact", { path: { contact_number: number } }, main);
      t.verify("CON-26", isRefused(exchange), {
        expected: `a refusal of the number ${JSON.stringify(number)}`,
        actual: summaryOf(exchange),
        exchanges: [exchange],
      });
    }
  },
});
