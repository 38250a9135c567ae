import { forcedAnswers } from "../../arrangements/forced-answers.ts";
import { check } from "../../context/check.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { documentedOf } from "../../steps/attempt.ts";
import { createEndpoint } from "../../steps/endpoint.ts";
import { type AttemptRecord, readFeed } from "../../steps/feed.ts";
import { makeEvent } from "../../steps/make-event.ts";
import { ownDelivery } from "../../steps/own-delivery.ts";
import { replay } from "../../steps/replay.ts";
import { attemptsAt, eventually, isSameId } from "../../steps/settle.ts";
import { whereText } from "../../steps/where-text.ts";

/** Seconds between an event and its replay: fewer than any server keeps an event for. */
const minutes = 300;

/** A replay as the feed shows it, beside an endpoint that subscribes to the same types. */
export const replayRecord = check({
  id: "deliveries.replay-record",
  title: "A replay is recorded as an attempt at the original's endpoint and leaves the original's record as it was",
  rules: ["WHP-03", "WHP-15", "WHP-18", "WHP-19"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { deliveryReplays: 2 },
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const { tenant } = main;
    const beside = await createEndpoint(t, main);
    if (tenant.can(forcedAnswers))
      await tenant.arrange(forcedAnswers, { endpoint_id: beside.id, answers: [{ status: 200 }], repeat_last: true });
    const own = await ownDelivery(t, main);
    // A record that follows the replay would show another time by then.
    if (tenant.manualClock) await tenant.advance(minutes, "some time between an event and its replay");
    const [before = own.record] = (await attemptsAt(t, own.endpoint, 1)).records.filter(({ id }) =>
      isSameId(id, own.id),
    );
    const { eventId, data, exchange } = await replay(t, main, own.id);
    t.verify("WHP-03", isSameId(data.endpoint_id, own.endpoint.id), {
      expected: `endpoint_id ${own.endpoint.id}, of two endpoints`,
      actual: JSON.stringify(data.endpoint_id) ?? "none",
      exchanges: [exchange],
    });

    // Unfiltered, since the attempt may be at another endpoint.
    const look = async () => {
      const { records, pages } = await readFeed(t, main);
      return { records, pages, replayed: records.filter(({ event_id }) => isSameId(event_id, eventId)) };
    };
    const found = await eventually(t, tenant, async () => {
      const seen = await look();
      return seen.replayed.length > 0 ? seen : null;
    });
    const { pages } = found ?? (await look());
    t.verify("WHP-18", found !== null, {
      expected: `an attempt with the event id ${eventId}`,
      actual: found === null ? `none within ${t.timing.pollTimeout / 1000} s` : "one",
      isSilence: true,
      exchanges: [exchange, ...pages.slice(0, 1)],
    });
    if (found === null)
      throw new Blocked("the attempt of a replay was not in the feed in time", "see WHP-18 first", "server");

    // Something that happens later at the other endpoint tells that the replay would have been there by now.
    const known = (await attemptsAt(t, beside, 0)).records.length;
    await makeEvent(t, beside);
    await attemptsAt(t, beside, known + 1);
    const after = await look();
    const isOwn = ({ endpoint_id }: (typeof after.replayed)[number]): boolean => isSameId(endpoint_id, own.endpoint.id);
    const astray = after.replayed.filter((record) => !isOwn(record)).map(({ endpoint_id }) => String(endpoint_id));
    t.verify("WHP-15", astray.length === 0, {
      expected: `attempts of the replay at endpoint ${own.endpoint.id} alone`,
      actual: whereText(after.replayed.some(isOwn), [...new Set(astray)]),
      isAstray: true,
      exchanges: [exchange, ...after.pages.slice(0, 1)],
    });

    // Another one of the same delivery is as good as the first.
    const again = await replay(t, main, own.id);
    const isRecorded = await attemptsAt(t, own.endpoint, (all) =>
      all.some(({ event_id }) => isSameId(event_id, again.eventId)),
    );
    t.verify("WHP-18", isRecorded.enough, {
      expected: `an attempt with the event id ${again.eventId}, of a second replay`,
      actual: isRecorded.enough ? "one" : `none within ${t.timing.pollTimeout / 1000} s`,
      isSilence: true,
      exchanges: [exchange, again.exchange, ...isRecorded.pages.slice(0, 1)],
      // A server may hold back what is for a receiver that keeps failing.
      warnOnly: !found.replayed.some(({ outcome }) => outcome === "success"),
    });

    const original = after.records.find(({ id }) => isSameId(id, own.id));
    t.equal("WHP-19", "the original's record", lasting(original ?? {}), lasting(before), ...after.pages.slice(0, 1));
  },
});

/** What of a record is documented; that of a failed attempt may follow what comes of the attempts after it. */
function lasting(record: AttemptRecord): AttemptRecord {
  const { outcome, ...others } = documentedOf(record);
  return outcome === "success" ? { outcome, ...others } : others;
}
