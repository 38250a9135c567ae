import { emittedEvent } from "../../arrangements/emitted-event.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { dataOf, type Exchange, isSuccess, objectOf } from "../../exchange/exchange.ts";
import { Blocked, NotApplicable } from "../../outcome/verdict.ts";
import { answeredEndpoint } from "../../steps/answered-endpoint.ts";
import { callCreate, type Endpoint, endpointIn, usualEvent } from "../../steps/endpoint.ts";
import type { AttemptRecord } from "../../steps/feed.ts";
import { testEndpoint } from "../../steps/make-event.ts";
import { replay } from "../../steps/replay.ts";
import { attemptsAt, isSameId } from "../../steps/settle.ts";
import { whereText } from "../../steps/where-text.ts";

/** Two endpoints at one address, each with a secret and a feed of its own. */
export const sameAddress = check({
  id: "webhooks.same-address",
  title: "Of two endpoints at one address each is sent what it subscribes to, the replays of that, and its tests",
  rules: ["WHE-14", "WHE-17", "WHP-15"],
  kind: "scenario",
  needs: ["emit"],
  effects: ["creates"],
  draws: { deliveryReplays: 2 },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const one = await answeredEndpoint(t, main, { events: [usualEvent] });
    const body = { url: one.url, events: one.events };
    const exchange = await callCreate(t, main, body);
    const { id } = objectOf(t.shapeResponse("createWebhookEndpoint", dataOf(exchange))) ?? {};
    if (!isSuccess(exchange) || isSameId(id, one.id))
      throw new NotApplicable("no second endpoint is admitted at the address of another one");
    const other = endpointIn(t, exchange, body, main);
    const both = [one, other];
    // What a server sends a new endpoint by itself is none of it.
    const greetings: unknown[] = [];
    for (const endpoint of both)
      greetings.push(...(await attemptsAt(t, endpoint, 0)).records.map(({ event_id }) => event_id));
    const isIt = ({ event_type, event_id }: AttemptRecord): boolean =>
      event_type === usualEvent && !greetings.includes(event_id);
    await tenant.arrange(emittedEvent, { type: usualEvent });
    for (const endpoint of both) {
      const { enough, pages } = await attemptsAt(t, endpoint, (all) => all.some(isIt));
      t.verify("WHE-14", enough, {
        expected: `an attempt of ${usualEvent} at the endpoint ${endpoint.id}, one of two at its address`,
        actual: enough ? "one" : `none within ${t.timing.pollTimeout / 1000} s`,
        isSilence: true,
        exchanges: [one.exchange, exchange, ...pages.slice(0, 1)],
      });
    }
    const ways = [[one, other] as const, [other, one] as const];
    for (const [endpoint, beside] of ways) await judgeReplay(t, endpoint, beside, isIt);
    for (const [endpoint, beside] of ways) await judgeTest(t, endpoint, beside);
  },
});

/** Replays what one of two endpoints was sent, and decides that the other one is not sent that. */
async function judgeReplay(
  t: CheckContext<"WHP-15">,
  endpoint: Endpoint,
  beside: Endpoint,
  isOriginal: (record: AttemptRecord) => boolean,
): Promise<void> {
  const { id } = (await attemptsAt(t, endpoint, 0)).records.find(isOriginal) ?? {};
  if (typeof id !== "string") throw new Blocked("a delivery is not in the feed", "see WHE-14 first", "server");
  const { eventId, exchange } = await replay(t, endpoint.owner, id);
  await judgeAstray(t, "WHP-15", { what: "replay", event: eventId, exchange }, endpoint, beside);
}

/** Tests one of two endpoints, and decides that the other one is not sent that. */
async function judgeTest(t: CheckContext<"WHE-17">, endpoint: Endpoint, beside: Endpoint): Promise<void> {
  const { id, exchange } = await testEndpoint(t, endpoint);
  if (id === null) throw new NotApplicable("the answer to a test names no event");
  await judgeAstray(t, "WHE-17", { what: "test", event: id, exchange }, endpoint, beside);
}

/** Decides that an event that is meant for one of two endpoints does not come to the other one. */
async function judgeAstray<Rule extends "WHP-15" | "WHE-17">(
  t: CheckContext<Rule>,
  rule: Rule,
  { what, event, exchange }: { readonly what: string; readonly event: string; readonly exchange: Exchange | null },
  endpoint: Endpoint,
  beside: Endpoint,
): Promise<void> {
  const isIt = ({ event_id }: AttemptRecord): boolean => isSameId(event_id, event);
  const own = await attemptsAt(t, endpoint, (all) => all.some(isIt));
  const { records, pages } = await attemptsAt(t, beside, 0);
  const isAstray = records.some(isIt);
  t.verify(rule, !isAstray, {
    expected: `the ${what} at the endpoint ${endpoint.id} alone, not at another one at its address`,
    actual: whereText(own.records.some(isIt), isAstray ? [beside.id] : []),
    isAstray: true,
    exchanges: [...(exchange === null ? [] : [exchange]), ...pages.slice(0, 1)],
  });
}
