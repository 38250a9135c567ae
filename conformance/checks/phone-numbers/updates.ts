import { randomUUID } from "node:crypto";
import { check, sharedStock } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { dataOf, errorOf, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { bodyRefusals } from "../../steps/body-refusals.ts";
import { isRefused } from "../../steps/endpoint.ts";
import { assignedNumberOf } from "../../steps/number-campaign.ts";
import {
  acceptedFields,
  availableNumbers,
  callOrder,
  lastingIn,
  orderBody,
  orderNumber,
  orderNumbers,
  readNumber,
  shownNumber,
  updateNumber,
} from "../../steps/phone-number.ts";
import { refusedAlways } from "../../steps/refused-always.ts";
import { eventuallyByClock } from "../../steps/settle.ts";
import { withoutEffect } from "../../steps/without-effect.ts";

/** What an update may have, with a value each. */
const supported = {
  label: "conformance",
  inbound_url: "https://receiver.example.com/inbound?line=1&line=2",
  status_url: "https://receiver.example.com/status",
} as const;

/** The same addresses with other values, which a server accepts or refuses for the same reasons. */
const changedAddresses = {
  inbound_url: "https://receiver.example.com/inbound?line=1&line=3",
  status_url: "https://receiver.example.com/status-changed",
} as const;

/** Labels with characters that are written in another way elsewhere, in JSON, markup or addresses. */
const richLabels = ['Tom & Jerry <3 "it\'s" 100% &amp; +1\\n', "Grüße – 東京 😀"];

/** Fields that no update has. */
const unsupported: readonly Readonly<Record<string, unknown>>[] = [
  { bylaw: "anything" },
  { status: "released" },
  { phone_number: "+12025550100" },
  { id: "018f4e9a-3333-7000-8000-00000000000d" },
  { bylaw: null },
  { Label: "applied" },
  { labels: "applied" },
  { " label": "applied" },
  // As other languages would write names that an update does have.
  { inboundUrl: supported.inbound_url },
  { statusUrl: supported.status_url },
  { "status-url": supported.status_url },
  { bylaw: "anything", label: "applied" },
  { label: "applied", bylaw: "anything" },
];

/** What an update takes. */
export const update = check({
  id: "phone-numbers.update",
  title: "An update takes label and addresses, shows when the number is read, and leaves other numbers alone",
  rules: ["NUM-13", "NUM-38", "NUM-39"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant()).main();
    // Of one order, which they have in common.
    const [one, sibling] = (await orderNumbers(t, main, 2)).numbers;
    if (one === undefined) throw new Error("An order that was met has no number.");
    const other = sibling ?? (await orderNumber(t, main));
    const kept = await shownNumber(t, main, other.id);
    const unfit: string[] = [];
    for (const [field, value] of Object.entries(supported)) {
      const before = await shownNumber(t, main, one.id);
      const exchange = await updateNumber(t, main, one.id, { [field]: value });
      // Which addresses and labels there may be is open.
      if (answeredBy(exchange, "ValidationFailed") || answeredBy(exchange, "ValidationFailed400")) {
        unfit.push(`the ${field} ${value} was answered ${summaryOf(exchange)}`);
        continue;
      }
      t.verify("NUM-13", isSuccess(exchange), {
        expected: `an update with the field ${field}`,
        actual: summaryOf(exchange),
        exchanges: [exchange],
      });
      if (!isSuccess(exchange)) continue;
      const after = await shownWith(t, main, one.id, { [field]: value });
      t.equal("NUM-38", field, after[field], value, exchange);
      for (const left of Object.keys(supported).filter((name) => name !== field))
        t.equal("NUM-38", `${left}, which the update left out`, after[left], before[left], exchange);
      const read = t.control(await readNumber(t, main, other.id), "reading a number");
      t.equal("NUM-39", "another number", lastingIn(t, dataOf(read)), kept, exchange, read);
    }
    if (unfit.length === 0) {
      // All at once, and the addresses the other way round.
      const { label, inbound_url, status_url } = supported;
      const whole = { label: `${label}2`, inbound_url: status_url, status_url: inbound_url };
      const exchange = await updateNumber(t, main, one.id, whole);
      t.accepted("NUM-13", exchange);
      if (!isSuccess(exchange)) return;
      const after = await shownWith(t, main, one.id, whole);
      for (const [field, value] of Object.entries(whole)) t.equal("NUM-38", field, after[field], value, exchange);
      for (const label of richLabels) {
        const rich = await updateNumber(t, main, one.id, { label });
        if (isSuccess(rich))
          t.equal("NUM-38", "label", (await shownWith(t, main, one.id, { label })).label, label, rich);
      }
      await judgeEmptied(t, main, one.id, whole);
    }
    if (unfit.length > 0) throw new Blocked(unfit.join("; "), "have the target take this label and these addresses");
  },
});

/** Sets all fields of a number, empties each one where the server allows it, and checks that the others stay. */
async function judgeEmptied(
  t: CheckContext<"NUM-38">,
  as: Credential,
  id: string,
  whole: Readonly<Record<string, string>>,
): Promise<void> {
  for (const field of Object.keys(whole)) {
    // An earlier step, such as one with another label, may have changed a field.
    t.control(await updateNumber(t, as, id, whole), "updating a number");
    await shownWith(t, as, id, whole);
    const exchange = await updateNumber(t, as, id, { [field]: null });
    // The document does not show if a field can be empty.
    if (!isSuccess(exchange)) continue;
    const after = await shownWith(t, as, id, { [field]: null });
    for (const [left, value] of Object.entries(whole).filter(([name]) => name !== field))
      t.equal("NUM-38", `${left}, which an update that empties ${field} left out`, after[left], value, exchange);
  }
}

/**
 * What is shown of a number once it shows these values, or as it is after a while: a change may take a moment to show. It
 * is read again after twice the time each, as reads may have a limit of their own.
 */
async function shownWith(t: CheckContext, as: Credential, id: string, wanted: Readonly<Record<string, unknown>>) {
  let shown = await shownNumber(t, as, id);
  const begun = Date.now();
  let due = t.timing.pollInterval;
  await eventuallyByClock(t, as.tenant, "the update of a number", async () => {
    if (Object.entries(wanted).every(([name, value]) => (shown[name] ?? null) === value)) return true;
    const waited = Date.now() - begun;
    if (waited < due) return null;
    due = 2 * waited;
    shown = await shownNumber(t, as, id);
    return null;
  });
  return shown;
}

/** Updates with fields that there are none of. */
export const unsupportedFields = check({
  id: "phone-numbers.unsupported-fields",
  title: "An update with a field that is not supported is refused whole, again and again",
  rules: ["NUM-14", "NUM-15"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant()).main();
    const { id } = await orderNumber(t, main);
    t.control(await updateNumber(t, main, id, { label: supported.label }), "updating a number");
    const addresses = await acceptedFields(t, main, id, changedAddresses);
    const { label, inbound_url, status_url } = supported;
    const isAddressed = Object.keys(addresses).length === Object.keys(changedAddresses).length;
    const first = isAddressed ? { label, inbound_url, status_url } : { label };
    t.control(await updateNumber(t, main, id, first), "updating a number");
    const before = await shownWith(t, main, id, first);
    // A server may store each supported field by itself, in its own order or in that of the body.
    const further = Object.entries(isAddressed ? addresses : {}).flatMap(([name, value]) => [
      { [name]: value, bylaw: "anything" },
      { bylaw: "anything", [name]: value },
    ]);
    for (const body of [...unsupported, ...further]) {
      const tries = [await updateNumber(t, main, id, body), await updateNumber(t, main, id, body)];
      for (const exchange of tries) {
        t.refused("NUM-14", exchange, "InvalidInput");
        t.equal("NUM-14", "error.details", errorOf(exchange)?.details, undefined, exchange);
      }
      t.equal("NUM-15", "answers to the same update", tries.map(summaryOf).at(1), tries.map(summaryOf).at(0), ...tries);
      t.equal("NUM-15", "the number", await shownNumber(t, main, id), before, ...tries);
    }
  },
});

/** Campaigns that are not there. */
export const unknownCampaign = check({
  id: "phone-numbers.unknown-campaign",
  title: "An order or an update that names an unknown campaign is refused, and changes nothing",
  rules: ["NUM-42"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant()).main();
    const { id } = await assignedNumberOf(t, main);
    t.control(await updateNumber(t, main, id, { label: supported.label }), "updating a number");
    const before = await shownWith(t, main, id, { label: supported.label });
    const campaign = { campaign_id: randomUUID() };
    const beside = { label: `${supported.label}2`, ...campaign };
    const updated = await refusedAlways(
      t,
      "NUM-42",
      () => updateNumber(t, main, id, beside),
      "NotFound",
      ...bodyRefusals,
    );
    t.equal("NUM-42", "the number", await shownNumber(t, main, id), before, updated);
    const numbers = await availableNumbers(t, main, 1);
    const body = orderBody(t, numbers, campaign);
    const ordered = await refusedAlways(
      t,
      "NUM-42",
      () => t.call("orderPhoneNumbers", { body }, main),
      "NotFound",
      ...bodyRefusals,
    );
    if (!isRefused(ordered)) return;
    const again = await callOrder(t, main, numbers);
    t.verify("NUM-42", isSuccess(again), {
      expected: "the number to be there still for an order without a campaign",
      actual: summaryOf(again),
      exchanges: [ordered, again],
    });
  },
});

/** What is made of each call that names a campaign which is not there. */
const campaignless = {
  row: "NotFound",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: {},
  inTurn: sharedStock,
} as const;

/** What an order leaves behind that names a campaign which is not there. */
export const campaignlessOrder = withoutEffect({
  ...campaignless,
  operation: "orderPhoneNumbers",
  async begin(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const body = orderBody(t, await availableNumbers(t, main, 1), { campaign_id: randomUUID() });
    return { tenant, send: () => t.call("orderPhoneNumbers", { body }, main) };
  },
});

/** What an update leaves behind that names a campaign which is not there, beside something that could be taken. */
export const campaignlessUpdate = withoutEffect({
  ...campaignless,
  operation: "updatePhoneNumber",
  async begin(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const { id } = await assignedNumberOf(t, main);
    const update = { label: supported.label, campaign_id: randomUUID() };
    return { tenant, send: () => updateNumber(t, main, id, update) };
  },
});
