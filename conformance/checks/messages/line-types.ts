import { constants } from "../../../generated/constants.ts";
import { operations } from "../../../generated/operations.ts";
import { outage } from "../../arrangements/outage.ts";
import { check } from "../../context/check.ts";
import { isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredBy, hasCodeOf } from "../../steps/answered-by.ts";
import { asTimePasses } from "../../steps/as-time-passes.ts";
import { leftAsItWas, watchingEffects } from "../../steps/effect-of.ts";
import { callLookup } from "../../steps/lookup.ts";
import { admissible, callSend, optIn, sendDraws, timeAhead } from "../../steps/message.ts";
import { attemptForms, formCount, longBody, sendWays } from "../../steps/send-forms.ts";
import { numberCount } from "../../target/phone-numbers.ts";
import {
  adviceOn,
  blockedType,
  haveAllKinds,
  judgeDetails,
  judgeUnblocked,
  type LookedUp,
  lookUp,
} from "./looked-up.ts";

/** Line types that the document says are not blocked, and the rule on each. */
const passingTypes: ReadonlyMap<string | null, "MSG-17" | "MSG-18" | "MSG-19"> = new Map([
  [constants.mobileLine, "MSG-17"],
  [constants.voipLine, "MSG-18"],
  [constants.voipFixedLine, "MSG-19"],
]);

/** What lookups say of recipients, and what that does to sends. */
export const lineTypes = check({
  id: "messages.line-types",
  title: "A recipient whose latest lookup says fixed line is blocked, and no other",
  rules: ["MSG-13", "MSG-14", "MSG-15", "MSG-17", "MSG-18", "MSG-19", "MSG-20", "MSG-23"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: sendDraws(numberCount("line_types") + numberCount("never_looked_up") + 1),
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    // Whoever shares the organization may have looked them up.
    for (const to of tenant.fresh ? t.numbers("never_looked_up") : []) {
      await optIn(t, main, to);
      const exchange = admissible(await callSend(t, main, { to, scheduled_at: await timeAhead(tenant) }));
      judgeUnblocked(t, "MSG-20", exchange, "a number that was never looked up");
    }
    // All are looked up before any is sent to: which of the lookups was the latest of all is no matter.
    await haveAllKinds(tenant, t.numbers("line_types"));
    const found: LookedUp[] = [];
    for (const number of t.numbers("line_types")) {
      await optIn(t, main, number);
      found.push(await lookUp(t, main, number));
    }
    for (const looked of found) {
      const { number, lineType } = looked;
      const exchange = admissible(await callSend(t, main, { to: number, scheduled_at: await timeAhead(tenant) }));
      const rule = passingTypes.get(lineType);
      if (rule !== undefined) {
        const what = `a number that was looked up as ${lineType}`;
        for (const each of new Set(["MSG-17", rule] as const)) judgeUnblocked(t, each, exchange, what);
      }
      if (lineType !== blockedType) continue;
      // Who shares the organization may have had the gate opened: it is closed by default.
      if (!tenant.fresh && isSuccess(exchange)) continue;
      // Nobody has set up anything in an organization that was just made.
      if (tenant.fresh) t.refused("MSG-23", exchange, "LineTypeBlocked");
      if (t.refused("MSG-13", exchange, "LineTypeBlocked")) judgeDetails(t, exchange, looked);
    }
    for (const to of tenant.fresh ? t.numbers("never_looked_up").slice(0, 1) : []) {
      const exchange = admissible(await callSend(t, main, { to, scheduled_at: await timeAhead(tenant) }));
      judgeUnblocked(t, "MSG-20", exchange, "a number that was never looked up, when others were");
    }
    needsSome(found, ({ lineType }) => lineType === blockedType, "a fixed line");
    for (const type of passingTypes.keys())
      needsSome(found, ({ lineType }) => lineType === type, `a line of the type ${type}`);
    if (!tenant.fresh)
      throw new Blocked(
        "others may have set up what is blocked",
        "give the kit an organization of its own: a new_organization hook, or a sandbox",
      );
  },
});

/** What a blocked send leaves behind, and what a failed lookup changes. */
export const blockedLine = check({
  id: "messages.blocked-line",
  title:
    "However and whenever a send to a fixed line is asked for it is blocked and changes nothing, by its latest lookup, which one that fails is not",
  rules: ["MSG-13", "MSG-14", "MSG-15", "MSG-16", "MSG-22"],
  kind: "scenario",
  needs: ["outage", "state"],
  effects: ["creates", "spends", "sends"],
  draws: sendDraws(15 + formCount),
  sharedKeys: [[operations.sendMessage.scope]],
  run: watchingEffects(async (t, effectOf) => {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    await haveAllKinds(tenant, t.numbers("fixed_lines"));
    const found: LookedUp[] = [];
    for (const number of t.numbers("fixed_lines")) found.push(await lookUp(t, main, number));
    const fixed = needsSome(found, ({ lineType }) => lineType === blockedType, "a fixed line");
    await optIn(t, main, fixed.number);
    const wish = { to: fixed.number, scheduled_at: await timeAhead(tenant) };
    const { exchange, before, after } = await effectOf(tenant, () => callSend(t, main, wish));
    if (!tenant.fresh && isSuccess(exchange))
      throw new Blocked("what is sent to a fixed line is not blocked", "give the kit a new organization");
    if (!t.refused("MSG-13", admissible(exchange), "LineTypeBlocked")) return;
    leftAsItWas(t, "MSG-16", { before, after }, exchange);
    for (const way of [...(await sendWays(tenant)), { body: longBody }]) {
      const effect = await effectOf(tenant, () => callSend(t, main, { to: fixed.number, ...way }));
      if (answeredBy(effect.exchange, "LineTypeBlocked")) leftAsItWas(t, "MSG-16", effect, effect.exchange);
    }
    // Another key of the organization than looked it up.
    const another = await tenant.keyWith([operations.sendMessage.scope]);
    t.refused("MSG-13", await callSend(t, another, wish), "LineTypeBlocked");
    for (const { exchange: sent } of await attemptForms(t, main, fixed.number))
      t.refused("MSG-13", sent, "LineTypeBlocked");
    // Looked up once more, later: the latest counts, where it says the same.
    await tenant.advance(2, "another lookup of the same number");
    const latest = await lookUp(t, main, fixed.number);
    const later = await callSend(t, main, wish);
    if (latest.lineType === blockedType && t.refused("MSG-13", later, "LineTypeBlocked"))
      judgeDetails(t, later, latest);
    // However often it fails.
    for (let count = 1; count <= 2; count += 1) {
      await tenant.arrange(outage, { kind: "lookup", calls: 1 });
      const failed = await callLookup(t, main, { number: fixed.number });
      if (!hasCodeOf(failed, "LookupFailed"))
        throw new Blocked(`a failing lookup was answered ${summaryOf(failed)}`, "see LKP-07 first", "server");
      const again = await callSend(t, main, wish);
      t.verify("MSG-22", answeredBy(again, "LineTypeBlocked"), {
        expected: "the send to be blocked all the same",
        actual: summaryOf(again),
        exchanges: [failed, again],
      });
    }
    if (latest.lineType !== blockedType) return;
    await asTimePasses(tenant, "what a lookup found", async () => {
      // How long an opt-in counts is open.
      await optIn(t, main, fixed.number);
      const wish = { to: fixed.number, scheduled_at: await timeAhead(tenant) };
      const late = admissible(await callSend(t, main, wish));
      const isBlocked = t.verify("MSG-13", answeredBy(late, "LineTypeBlocked"), {
        expected: "a send to a fixed line blocked, however long ago it was looked up last",
        actual: summaryOf(late),
        exchanges: [latest.exchange, late],
        question: "Q101",
      });
      if (isBlocked) judgeDetails(t, late, latest);
    });
  }),
});

function needsSome(found: readonly LookedUp[], isMeant: (one: LookedUp) => boolean, what: string): LookedUp {
  const one = found.find(isMeant);
  if (one !== undefined) return one;
  const said = found.map(({ number, lineType }) => `${number} ${lineType ?? "unknown"}`).join(", ");
  throw new Blocked(
    `no lookup said ${what}: ${said}`,
    adviceOn(
      found.map(({ lineType }) => lineType),
      "have the target look 555-01XX numbers up as lines of each kind, or give it others in the target file (numbers)",
    ),
  );
}
