import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { constants } from "../../../generated/constants.ts";
import { operations } from "../../../generated/operations.ts";
import { check, sharedStock } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { dataOf, errorOf, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked, NotApplicable } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { malformedIds } from "../../steps/malformed-ids.ts";
import { haveCommonStock } from "../../steps/number-stock.ts";
import {
  bulkOrderNumbers,
  callOrder,
  lastingIn,
  metOrder,
  numberIn,
  orderNumber,
  orderNumbers,
  readNumber,
  releaseNumber,
  updateNumber,
} from "../../steps/phone-number.ts";
import { refusedAlways } from "../../steps/refused-always.ts";
import { releasedNumber } from "../../steps/released-number.ts";
import { isSameId, onceFound } from "../../steps/settle.ts";

/** Numbers that two organizations find: enough for orders that others were faster to make. */
const commonStock = 20;

/** Numbers read by their id, and ids under which there is none. */
export const reading = check({
  id: "phone-numbers.reading",
  title: "An own number is read as it was ordered; an unknown id is not found, a malformed one refused",
  rules: ["NUM-12", "NUM-37"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant()).main();
    const { numbers, exchange: order } = await orderNumbers(t, main, 2);
    for (const { id, phoneNumber, status } of numbers) {
      const exchange = await onceFound(t, main.tenant, () => readNumber(t, main, id));
      t.accepted("NUM-12", exchange);
      if (!isSuccess(exchange)) continue;
      const shown = numberIn(t, dataOf(exchange));
      t.verify("NUM-37", isSameId(shown?.id, id) && shown?.phoneNumber === phoneNumber, {
        expected: `the number ${phoneNumber} with the id ${id}`,
        actual: `${shown?.phoneNumber} with the id ${shown?.id}`,
        exchanges: [order, exchange],
      });
      t.equal("NUM-37", "status in the order", status, constants.assignedNumber, order);
      t.equal("NUM-37", "status", shown?.status, constants.assignedNumber, exchange);
    }
    // The numbers of a bulk order may be there a little later.
    const together = await bulkOrderNumbers(t, main, 2);
    for (const { id } of together.numbers) {
      const read = await onceFound(t, main.tenant, () => readNumber(t, main, id));
      t.verify("NUM-12", isSuccess(read), {
        expected: "a number of a bulk order, read by the id that its answer shows",
        actual: summaryOf(read),
        exchanges: [together.exchange, read],
      });
    }
    const unknown = await refusedAlways(t, "NUM-12", () => readNumber(t, main, randomUUID()), "NotFound");
    t.equal("NUM-12", "error.details", errorOf(unknown)?.details, undefined, unknown);
    for (const id of malformedIds) t.refused("NUM-12", await readNumber(t, main, id), "ValidationFailed400");
  },
});

/** Numbers that are let go. */
export const release = check({
  id: "phone-numbers.release",
  title: "A released number is found no more, by whatever operation, and the others stay",
  rules: ["NUM-17", "NUM-40", "TEN-14"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant()).main();
    // Of one order, which they have in common.
    const [one, other] = (await orderNumbers(t, main, 2)).numbers;
    if (one === undefined || other === undefined)
      throw new Blocked("an order of two numbers shows one", "see NUM-37 first", "server");
    const kept = t.control(await readNumber(t, main, other.id), "reading a number");
    t.control(await readNumber(t, main, one.id), "reading a number");
    const released = await releaseNumber(t, main, one.id);
    t.accepted("NUM-17", released);
    if (!isSuccess(released)) return;
    const still = await readNumber(t, main, other.id);
    t.verify("NUM-40", isSuccess(still) && isDeepStrictEqual(lastingIn(t, dataOf(still)), lastingIn(t, dataOf(kept))), {
      expected: "another number as it was",
      actual: summaryOf(still),
      exchanges: [kept, released, still],
    });
    const gone = await releasedNumber(t, main, one.id, released);
    t.refused("NUM-17", gone, "NotFound");
    const [ofBulk] = (await bulkOrderNumbers(t, main, 1)).numbers;
    if (ofBulk !== undefined && isSuccess(await readNumber(t, main, ofBulk.id))) {
      const ended = await releaseNumber(t, main, ofBulk.id);
      if (t.accepted("NUM-17", ended)) t.refused("NUM-17", await releasedNumber(t, main, ofBulk.id, ended), "NotFound");
    }
    for (const exchange of [
      gone,
      await updateNumber(t, main, one.id, { label: "conformance" }),
      await releaseNumber(t, main, one.id),
      await readNumber(t, main, one.id),
    ])
      t.refused("TEN-14", exchange, "NotFound");
  },
});

/** Numbers that are let go, and that somebody else orders then. */
export const heldElsewhere = check({
  id: "phone-numbers.held-elsewhere",
  title: "A number is not found by who released it, whoever orders it then",
  rules: ["TEN-14"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["other-organization"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const { main, stranger } = await neighbours(t);
    for (let round = 1; round <= 2; round += 1) {
      const one = await orderNumber(t, main);
      const released = t.control(await releaseNumber(t, main, one.id), "releasing a number");
      t.refused("TEN-14", await releasedNumber(t, main, one.id, released), "NotFound");
      // A released number may be kept from everybody for a while, and who finds which is open.
      if (one.phoneNumber !== null) await callOrder(t, stranger, [one.phoneNumber]);
      for (const exchange of [
        await readNumber(t, main, one.id),
        await updateNumber(t, main, one.id, { label: "conformance" }),
        await releaseNumber(t, main, one.id),
      ])
        t.refused("TEN-14", exchange, "NotFound");
    }
  },
});

/** What is left of a number's former owner where another organization orders it. */
export const heldBefore = check({
  id: "phone-numbers.held-before",
  title: "A number shows nothing that an organization had set which had it before",
  rules: ["TEN-24"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["other-organization"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const { main, stranger } = await neighbours(t);
    const {
      numbers: [one],
      asked,
    } = await orderNumbers(t, main);
    if (one === undefined) throw new Error("An order that was met has no number.");
    const label = randomUUID().slice(-12);
    const inbound_url = `https://receiver.example.com/${randomUUID()}`;
    for (const update of [{ label }, { inbound_url }]) await updateNumber(t, main, one.id, update);
    const theirs = await readNumber(t, main, one.id);
    const released = t.control(await releaseNumber(t, main, one.id), "releasing a number");
    await releasedNumber(t, main, one.id, released);
    const ordered = await callOrder(t, stranger, asked);
    if (!isSuccess(ordered))
      throw new NotApplicable("a number that was released cannot be ordered by another organization yet");
    const [{ id } = { id: "" }] = metOrder(t, ordered).numbers;
    const read = await readNumber(t, stranger, id);
    const isShown = [label, inbound_url].find((text) => JSON.stringify([dataOf(ordered), dataOf(read)]).includes(text));
    t.verify("TEN-24", isShown === undefined, {
      expected: "nothing of what the number had while it was another organization's",
      actual: String(isShown),
      exchanges: [theirs, ordered, read],
    });
  },
});

/** Two organizations that order from one stock. */
async function neighbours(t: CheckContext) {
  const tenants = [await t.tenant(), await t.otherTenant()] as const;
  const [main, stranger] = [await tenants[0].main(), await tenants[1].main()];
  await haveCommonStock(tenants, commonStock);
  return { main, stranger };
}

/** Numbers that are to be returned to their carrier by who may only write numbers. */
export const returnToCarrier = check({
  id: "phone-numbers.return-to-carrier",
  title: "A key that may write numbers, and nothing else, may release one, and not return it to its carrier",
  rules: ["NUM-16", "NUM-17"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: {},
  sharedKeys: [[operations.releasePhoneNumber.scope]],
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const writer = await tenant.keyWith([operations.releasePhoneNumber.scope]);
    const { id } = await orderNumber(t, main);
    for (let count = 1; count <= 2; count += 1) {
      const query = { return_to_carrier: "true" };
      const exchange = await t.call("releasePhoneNumber", { path: { id }, query }, writer);
      t.refused("NUM-16", exchange, "Forbidden");
      t.equal("NUM-16", "error.details", errorOf(exchange)?.details, undefined, exchange);
      const still = await readNumber(t, main, id);
      t.verify("NUM-16", isSuccess(still), {
        expected: "the number there as before",
        actual: summaryOf(still),
        exchanges: [exchange, still],
      });
    }
    // What is not to be returned is released as any other; whether that may be said in so many words is open.
    const kept = await t.call("releasePhoneNumber", { path: { id }, query: { return_to_carrier: "false" } }, writer);
    t.verify("NUM-17", !answeredBy(kept, "Forbidden"), {
      expected: "no Forbidden where a number is not to be returned to its carrier",
      actual: summaryOf(kept),
      exchanges: [kept],
    });
    if (!isSuccess(kept)) t.control(await releaseNumber(t, writer, id), "releasing a number");
    // What else that takes is open: who may, has released the number.
    const returned = await orderNumber(t, main);
    const query = { return_to_carrier: "true" };
    const exchange = await t.call("releasePhoneNumber", { path: { id: returned.id }, query }, main);
    if (isSuccess(exchange)) t.refused("NUM-17", await releasedNumber(t, main, returned.id, exchange), "NotFound");
  },
});
