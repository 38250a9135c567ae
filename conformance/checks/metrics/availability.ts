import { check } from "../../context/check.ts";
import { errorOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { isRefused } from "../../steps/endpoint.ts";
import { callLookup, makeLookup } from "../../steps/lookup.ts";
import { callMetrics, granularities, servedGranularities, windowBefore } from "../../steps/metrics.ts";
import { eventually } from "../../steps/settle.ts";

/** A text that is no phone number, of which no lookup is run. */
const noNumber = "nobody";

/** Seconds after which a lookup is an old one: more than any month has. */
const longAfter = 40 * 24 * 3600;

/** Metrics before and after the first lookup. */
export const availability = check({
  id: "metrics.availability",
  title: "Metrics of lookups are there from the first lookup on, and not before",
  rules: ["MET-07", "MET-08"],
  kind: "scenario",
  needs: ["fresh-organization", "other-organization"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const neighbour = await (await t.otherTenant({ clock: "manual" })).main();
    const { exchange } = await makeLookup(t, neighbour);
    let told = exchange;
    const answered = await eventually(t, neighbour.tenant, async () => {
      const now = await neighbour.tenant.now();
      const asked = granularities.map((one) => callMetrics(t, neighbour, windowBefore(now, one, 2)));
      // Nothing was looked up in these windows, which are over; a refusal of the granularity says nothing of that.
      const missing = (await Promise.all(asked)).find((answer) => answeredBy(answer, "MetricNotAvailable"));
      told = missing ?? told;
      return missing === undefined ? true : null;
    });
    const isThere = t.verify("MET-08", answered !== null, {
      expected: "metrics of any window once a lookup was made, of one that was over before it too",
      actual: summaryOf(told),
      exchanges: [exchange, told],
    });
    if (!isThere) throw new Blocked("nobody has metrics of lookups", "see MET-08 first", "server");
    // What an organization with a lookup gets, another one is refused for want of one.
    const [{ granularity }] = await servedGranularities(t, neighbour);
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const ask = async () => callMetrics(t, main, windowBefore(await tenant.now(), granularity, 2));

    // A lookup that was refused was not run.
    for (const isAfterRefusal of [false, true]) {
      if (isAfterRefusal && !isRefused(await callLookup(t, main, { number: noNumber }))) break;
      const before = await ask();
      if (t.refused("MET-07", before, "MetricNotAvailable"))
        t.equal("MET-07", "error.details", errorOf(before)?.details, undefined, before);
    }
    const made = await makeLookup(t, main);
    const after = await eventually(t, tenant, async () => {
      const answer = await ask();
      return answeredBy(answer, "MetricNotAvailable") ? null : answer;
    });
    const last = after ?? (await ask());
    t.verify("MET-08", after !== null, {
      expected: "metrics once a lookup was made",
      actual: summaryOf(last),
      exchanges: [made.exchange, last],
    });
    if (after === null || !tenant.manualClock) return;
    await tenant.advance(longAfter, "a lookup that is an old one");
    const later = await ask();
    t.verify("MET-08", !answeredBy(later, "MetricNotAvailable"), {
      expected: "metrics long after a lookup was made",
      actual: summaryOf(later),
      exchanges: [made.exchange, later],
    });
  },
});
