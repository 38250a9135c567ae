import { check } from "../../context/check.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredEndpoint } from "../../steps/answered-endpoint.ts";
import { attemptOf } from "../../steps/attempt.ts";
import { makeEvent } from "../../steps/make-event.ts";
import { attemptsAt, settle } from "../../steps/settle.ts";
import { newestFirst } from "./judge-pages.ts";

/** The beginning of a year's last second: a time that many write without a fraction, in a week that is of the next year. */
const startsAt = "2025-12-31T23:59:59.000Z";

/** Seconds between attempts, after which times have fractions of several lengths, and at last another year. */
const apart = [0.3, 0.05, 0.005, 0.145, 0.5] as const;

/** Attempts of a second at whose end the year ends, and whose times may be written in different lengths. */
export const feedWithinSecond = check({
  id: "deliveries.feed-within-second",
  title: "Attempts of one second, at whose end the year ends, come newest first, however long their times are written",
  rules: ["WHL-18"],
  kind: "scenario",
  needs: ["chosen-time", "manual-clock"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual", starts_at: startsAt });
    const endpoint = await answeredEndpoint(t, await tenant.main());
    await makeEvent(t, endpoint);
    await settle(tenant);
    for (const seconds of apart) {
      await tenant.advance(seconds, "an attempt a little later");
      await makeEvent(t, endpoint);
      await settle(tenant);
    }
    const { records, pages } = await attemptsAt(t, endpoint, (all) => all.length > apart.length);
    const times = new Set(records.map((record) => attemptOf(record).at));
    if (times.size < 2)
      throw new Blocked("no two attempts of different times are in the feed", "see WHL-08 first", "server");
    newestFirst(t, "WHL-18", pages);
  },
});
