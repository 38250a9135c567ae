import { randomUUID } from "node:crypto";
import { constants } from "../../../generated/constants.ts";
import type { LineType } from "../../../generated/models/sandbox-lines.ts";
import { lineType } from "../../arrangements/line-type.ts";
import { outage } from "../../arrangements/outage.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { judgeExisting } from "../../steps/existing-lookup.ts";
import { callLookup, readLookup, shownIn } from "../../steps/lookup.ts";
import { admissible, callSend, optIn, sendDraws, timeAhead } from "../../steps/message.ts";
import { adviceOn, judgeDetails, judgeUnblocked, type LookedUp, lookUp } from "./looked-up.ts";

const { mobileLine, fixedLine, voipLine, voipFixedLine } = constants;

/** What lookups of a number say one after the other. */
interface Recipient {
  readonly number: string;
  readonly types: readonly LineType[];
}

/** Of recipients whose line becomes another one, and of those whose fixed line becomes one over the internet. */
const changes: readonly (readonly (readonly LineType[])[])[] = [
  [
    [mobileLine, fixedLine, mobileLine],
    [fixedLine, mobileLine, fixedLine],
  ],
  [
    [fixedLine, voipLine],
    [fixedLine, voipFixedLine],
  ],
];

/** The recipients of each group, each with a number of its own. */
function recipientsOf(t: CheckContext): readonly (readonly Recipient[])[] {
  const numbers = t.numbers("switched_lines").values();
  return changes.map((group) => group.map((types) => ({ number: numbers.next().value ?? "", types })));
}

/** Seconds between two lookups of a number: of two at one instant none is the latest. */
const gap = 2;

/** Looks a number up whose line is of that kind from now on; blocks where the lookup says otherwise. */
async function lookUpAs(
  t: CheckContext,
  as: Credential,
  number: string,
  type: LineType,
  key?: string,
): Promise<LookedUp> {
  await as.tenant.arrange(lineType, { phone_number: number, line_type: type });
  const looked = await lookUp(t, as, number, key);
  if (looked.lineType === type) return looked;
  throw new Blocked(
    `a lookup said ${looked.lineType ?? "nothing"} of a number whose line type was set to ${type}`,
    adviceOn(
      [looked.lineType],
      "see whether the target's lookups find the line type that was set: a carrier's older answer may have been kept",
    ),
    "environment",
  );
}

const sendTo = async (t: CheckContext, as: Credential, to: string): Promise<Exchange> =>
  admissible(await callSend(t, as, { to, scheduled_at: await timeAhead(as.tenant) }));

/** Whether the gate does with the first lookup of a number what the document says; other rules judge that. */
function needsGate(type: LineType, exchange: Exchange): void {
  const isBlocked = answeredBy(exchange, "LineTypeBlocked");
  if (isBlocked === (type === fixedLine)) return;
  const what = `a send to a number that was looked up as ${type} was answered ${summaryOf(exchange)}`;
  throw new Blocked(what, type === fixedLine ? "see MSG-13 first" : "see MSG-17 first", "server");
}

/** Decides what a lookup that is not the first of its number does to a send. */
function judgeLater(t: CheckContext<"MSG-14" | "MSG-15" | "MSG-21">, exchange: Exchange, looked: LookedUp): void {
  if (looked.lineType !== fixedLine)
    judgeUnblocked(t, "MSG-21", exchange, `a number whose latest lookup says ${looked.lineType}`);
  else if (t.refused("MSG-21", exchange, "LineTypeBlocked")) judgeDetails(t, exchange, looked);
}

/** Asks once more for a lookup after a later one of its number: it is as it was, and the later one stays the latest. */
async function retryEarlier(t: CheckContext<"LKP-09">, as: Credential, looked: LookedUp, key: string): Promise<void> {
  const exchange = await callLookup(t, as, { number: looked.number, key });
  if (!judgeExisting(t, looked, exchange))
    throw new Blocked("a retry made another lookup", "see LKP-09 first", "server");
}

/** Numbers whose line becomes another one. */
export const switchedLine = check({
  id: "messages.switched-line",
  title: "A line that becomes a fixed one is blocked, and one that is none any more is not",
  rules: ["LKP-09", "LKP-18", "MSG-14", "MSG-15", "MSG-21"],
  kind: "scenario",
  needs: ["line-type"],
  effects: ["creates", "spends"],
  draws: sendDraws(changes.flat(2).length),
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const known: LookedUp[] = [];
    for (const group of recipientsOf(t)) {
      for (const { number } of group) await optIn(t, main, number);
      const rounds = Math.max(...group.map(({ types }) => types.length));
      const keyed = new Map<string, { readonly key: string; readonly looked: LookedUp }>();
      for (let round = 0; round < rounds; round += 1) {
        if (round > 0) await tenant.advance(gap, "another lookup of the same number");
        for (const { number, types } of group) {
          const type = types[round];
          if (type === undefined) continue;
          // Every other one with an idempotency key, which makes no other lookup of it.
          const key = round % 2 === 1 ? randomUUID() : undefined;
          const looked = await lookUpAs(t, main, number, type, key);
          const earlier = keyed.get(number);
          if (earlier !== undefined) await retryEarlier(t, main, earlier.looked, earlier.key);
          if (key !== undefined) keyed.set(number, { key, looked });
          const exchange = await sendTo(t, main, number);
          if (round === 0) needsGate(type, exchange);
          else judgeLater(t, exchange, looked);
          known.push(looked);
        }
      }
    }
    // What a later lookup has found is nothing that an earlier one found.
    for (const { id, lineType: found } of known) {
      const exchange = await readLookup(t, main, id);
      if (isSuccess(exchange))
        t.equal("LKP-18", "line_type", shownIn(t, "getLookup", exchange).lineType, found, exchange);
    }
  },
});

/** Lookups that fail while the line becomes another one. */
export const unnoticedLine = check({
  id: "messages.unnoticed-line",
  title: "A lookup that fails neither lifts nor sets a block, whatever the line has become",
  rules: ["MSG-14", "MSG-15", "MSG-21", "MSG-22"],
  kind: "scenario",
  needs: ["line-type", "outage"],
  effects: ["creates", "spends"],
  draws: sendDraws(5),
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const [number] = t.numbers("failing_lookups");
    const sendAfterFailure = async (type: LineType): Promise<readonly [Exchange, Exchange]> => {
      await tenant.advance(gap, "another lookup of the same number");
      await tenant.arrange(lineType, { phone_number: number, line_type: type });
      await tenant.arrange(outage, { kind: "lookup", calls: 1 });
      const failed = await callLookup(t, main, { number });
      if (answeredBy(failed, "LookupFailed")) return [failed, await sendTo(t, main, number)];
      throw new Blocked(`a failing lookup was answered ${summaryOf(failed)}`, "see LKP-07 first", "server");
    };
    const sendAfterLookup = async (type: LineType): Promise<void> => {
      await tenant.advance(gap, "another lookup of the same number");
      const looked = await lookUpAs(t, main, number, type);
      judgeLater(t, await sendTo(t, main, number), looked);
    };

    await optIn(t, main, number);
    await lookUpAs(t, main, number, fixedLine);
    needsGate(fixedLine, await sendTo(t, main, number));
    const [failed, blocked] = await sendAfterFailure(mobileLine);
    t.verify("MSG-22", answeredBy(blocked, "LineTypeBlocked"), {
      expected: "the send to be blocked all the same",
      actual: summaryOf(blocked),
      exchanges: [failed, blocked],
    });
    await sendAfterLookup(mobileLine);
    const [, passing] = await sendAfterFailure(fixedLine);
    judgeUnblocked(t, "MSG-21", passing, "a number whose latest lookup but one that failed says MOBILE");
    await sendAfterLookup(fixedLine);
  },
});
