import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked, NotApplicable } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { answeredEndpoint } from "../../steps/answered-endpoint.ts";
import type { Endpoint } from "../../steps/endpoint.ts";
import { firstAttempt } from "../../steps/first-attempt.ts";
import { testEndpoint } from "../../steps/make-event.ts";
import { ownDelivery } from "../../steps/own-delivery.ts";
import { callReplay, replay } from "../../steps/replay.ts";
import { attemptsAt, isSameId } from "../../steps/settle.ts";
import { byReceiver, bySandbox, forEachVantage } from "../../steps/vantage.ts";

/** What receivers answer that a replay is refused with for reasons of its own: it is gone, and it is not there. */
const refusals = [410, 404] as const;

/** Deliveries whose receiver has answered as if it were the replay that is refused. */
export const replayOfRefused = forEachVantage([byReceiver, bySandbox], ({ watch }) =>
  check({
    id: "deliveries.replay-of-refused",
    title: "What a receiver has called gone, or not found, is replayed all the same",
    rules: ["WHP-21"],
    kind: "scenario",
    needs: [],
    effects: ["creates"],
    draws: { deliveryReplays: 1 + refusals.length },
    async run(t) {
      const main = await (await t.tenant({ clock: "manual" })).main();
      // Happened before all others: as long as it can be replayed they are not too old.
      const older = await ownDelivery(t, main);
      const replays: Exchange[] = [];
      for (const status of refusals) {
        const { endpoint, meet } = await watch(t, main);
        await meet(status);
        const { record } = (await firstAttempt(t, endpoint)) ?? {};
        if (typeof record?.id !== "string")
          throw new Blocked("no attempt of an event was in the feed in time", "see WHL-08 first", "server");
        replays.push(await callReplay(t, main, record.id));
      }
      await replay(t, main, older.id);
      for (const [index, exchange] of replays.entries())
        judgeReplay(t, exchange, `that was answered ${refusals[index]}`);
    },
  }),
);

/** Decides that a delivery is replayed. */
function judgeReplay(t: CheckContext<"WHP-21">, exchange: Exchange, which: string): void {
  t.verify("WHP-21", isSuccess(exchange), {
    expected: `a replay of a delivery ${which}`,
    actual: summaryOf(exchange),
    exchanges: [exchange],
    // Who is gone a server may send nothing more: what it answers then is open.
    warnOnly: !answeredBy(exchange, "EventExpired"),
  });
}

/** Deliveries by which an endpoint was tested. */
export const replayOfTest = check({
  id: "deliveries.replay-of-test",
  title: "The delivery of a test is replayed like any other that the feed shows",
  rules: ["WHP-01"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { deliveryReplays: 2 },
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const endpoint = await answeredEndpoint(t, main);
    const older = await ownDelivery(t, main);
    const tested = await testedDelivery(t, main, endpoint);
    const exchange = await callReplay(t, main, tested);
    await replay(t, main, older.id);
    t.accepted("WHP-01", exchange);
  },
});

/** The id of the delivery of a test; not applicable where the feed does not show it. */
async function testedDelivery(t: CheckContext, { tenant }: Credential, endpoint: Endpoint): Promise<string> {
  const known = (await attemptsAt(t, endpoint, 0)).records;
  const { id } = await testEndpoint(t, endpoint);
  const { records } = await attemptsAt(t, endpoint, (all) => all.length > known.length);
  const record = records.find(({ id: one, event_id }) =>
    id === null ? !known.some((each) => isSameId(each.id, one)) : isSameId(event_id, id),
  );
  if (typeof record?.id === "string") return record.id;
  throw new NotApplicable(`the feed of ${tenant.fresh ? "a new" : "the"} organization shows no test`);
}
