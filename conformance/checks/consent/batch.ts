import { operations } from "../../../generated/operations.ts";
import { check } from "../../context/check.ts";
import { rowNamed } from "../../exchange/admits.ts";
import { codeOf, type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { refusesBody } from "../../steps/body-refusals.ts";
import { captureBatch, noNumbers } from "../../steps/consent.ts";
import { admissible, callSend, isNoLackOfConsent, sendDraws, sendUntil } from "../../steps/message.ts";
import { roomyLimits } from "../../steps/roomy-limits.ts";
import { numberCount } from "../../target/phone-numbers.ts";

const { code } = rowNamed("ConsentRequired");

/** Consents that are captured together. */
export const batch = check({
  id: "consent.batch",
  title: "Each recipient of a batch of consents can be sent to",
  rules: ["CON-02"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends", "sends"],
  draws: sendDraws(numberCount("batched")),
  async run(t) {
    const main = await (await t.tenant()).main();
    const captured = t.control(await captureBatch(t, main, t.numbers("batched")), "a batch of consents");
    for (const to of t.numbers("batched")) {
      const sent = admissible(await sendUntil(t, main, { to }, isNoLackOfConsent));
      t.verify("CON-02", codeOf(sent) !== code, {
        expected: `a send to ${to}, whose consent was one of a batch, not to be refused for lack of it`,
        actual: summaryOf(sent),
        exchanges: [captured, sent],
      });
      t.control(sent, "a send to a recipient who has opted in");
    }
    // Whether one may be named twice is open; who is, in a batch that is taken, has opted in.
    const [twice, once] = t.numbers("named_twice");
    const repeated = await captureBatch(t, main, [twice, once, twice]);
    if (!isSuccess(repeated)) return t.observe("CON-02", "a batch that names a recipient twice is refused", repeated);
    for (const to of [twice, once]) {
      const sent = admissible(await sendUntil(t, main, { to }, isNoLackOfConsent));
      t.verify("CON-02", codeOf(sent) !== code, {
        expected: `a send to ${to}, whose batch names a recipient twice, not to be refused for lack of consent`,
        actual: summaryOf(sent),
        exchanges: [repeated, sent],
      });
    }
  },
});

/** Batches by how many they hold, and where in them recipients stand who are sent to. */
const largeBatches: readonly { readonly size: number; readonly places: readonly number[] }[] = [
  { size: 10, places: [0, 4, 8, 9] },
  { size: 100, places: [0, 9, 50, 99] },
  { size: 100, places: [19, 24, 49, 63] },
  { size: 250, places: [100, 149, 200, 249] },
];

/** A send to a recipient who stands somewhere in a batch. */
interface Sent {
  readonly size: number;
  readonly place: number;
  readonly captured: Exchange;
  readonly sent: Exchange;
}

const placesText = (sends: readonly Sent[]): string =>
  sends
    .map(({ place }) => place)
    .toSorted((a, b) => a - b)
    .map((place) => `#${place + 1}`)
    .join(", ");

/** Areas in which no other check has a number, and how many numbers of fiction there are in each. */
const areas = ["406", "307", "701"];
const inArea = 100;

/** Numbers of fiction that nobody sends to. */
const unsentTo = (count: number): readonly string[] =>
  Array.from(
    { length: count },
    (_, index) => `+1${areas[Math.floor(index / inArea)]}55501${String(index % inArea).padStart(2, "0")}`,
  );

/** Consents that are captured together, as many as a caller may have. */
export const largeBatch = check({
  id: "consent.large-batch",
  title: "Each recipient of a batch of ten consents, of a hundred, and of more, can be sent to",
  rules: ["CON-02"],
  kind: "scenario",
  needs: ["manual-clock", "limit-override"],
  effects: ["creates", "spends", "sends"],
  draws: {},
  async run(t) {
    const recipients = t.numbers("batched");
    const limits = Object.assign(
      {},
      roomyLimits(operations.captureConsentBatch).limits,
      roomyLimits(operations.sendMessage).limits,
    );
    const sends: Sent[] = [];
    for (const { size, places } of largeBatches) {
      const main = await (await t.otherTenant({ clock: "manual", limits })).main();
      const numbers = unsentTo(size).map((number, index) => recipients[places.indexOf(index)] ?? number);
      const captured = await captureBatch(t, main, numbers);
      // How many a batch may hold beyond the allowance of a minute, and whether numbers of fiction are any, is open.
      if (refusesBody(captured)) {
        t.observe("CON-02", `a batch of ${size} consents is refused`, captured);
        continue;
      }
      t.control(captured, `a batch of ${size} consents`);
      for (const [index, to] of recipients.entries()) {
        const sent = admissible(await sendUntil(t, main, { to }, isNoLackOfConsent));
        sends.push({ size, place: places[index] ?? index, captured, sent });
      }
    }
    for (const [size, those] of Map.groupBy(sends, (one) => one.size)) {
      const lost = those.filter(({ sent }) => codeOf(sent) === code);
      const shown = lost.at(0) ?? those.at(0);
      t.verify("CON-02", lost.length === 0, {
        expected: `no send refused for lack of consent to recipients ${placesText(those)} of batches of ${size}`,
        actual: `those to recipients ${placesText(lost)} are refused`,
        exchanges: shown === undefined ? [] : [shown.captured, shown.sent],
      });
    }
    for (const { sent } of sends) t.control(sent, "a send to a recipient who has opted in");
  },
});

/** A batch one of whose records is nobody's. */
export const flawedBatch = check({
  id: "consent.flawed-batch",
  title: "A batch of consents that is refused for one of them stores none of the others",
  rules: ["CON-21"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends", "sends"],
  draws: { ...sendDraws(2 * noNumbers.length), consentRecords: numberCount("batched") + 3 * noNumbers.length },
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    t.control(await captureBatch(t, main, t.numbers("batched")), "a batch of consents");
    const [first, last] = t.numbers("refused_batch");
    for (const number of noNumbers) {
      const exchange = await captureBatch(t, main, [first, number, last]);
      if (isSuccess(exchange)) {
        t.observe(
          "CON-21",
          `a batch with the number ${JSON.stringify(number)} is taken, for what is valid in it`,
          exchange,
        );
        continue;
      }
      for (const to of [first, last]) {
        const sent = admissible(await callSend(t, main, { to }));
        if (!tenant.fresh && isSuccess(sent))
          throw new Blocked(`${to} may have opted in before`, "give the kit a new organization");
        t.verify("CON-21", codeOf(sent) === code, {
          expected: `a send to ${to}, whose batch was refused, refused with ${code}`,
          admits: ["ConsentRequired"],
          actual: summaryOf(sent),
          exchanges: [exchange, sent],
        });
      }
    }
  },
});
