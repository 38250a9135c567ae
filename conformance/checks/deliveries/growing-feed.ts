import * as fc from "fast-check";
import { bounds } from "../../../generated/limits.ts";
import { check } from "../../context/check.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredEndpoint } from "../../steps/answered-endpoint.ts";
import { attemptOf } from "../../steps/attempt.ts";
import { deleteEndpoint } from "../../steps/endpoint.ts";
import { type AttemptRecord, followPages, nextCursorOf, recordsOf } from "../../steps/feed.ts";
import { makeEvent } from "../../steps/make-event.ts";
import { lacking } from "../../steps/missing-attempts.ts";
import { attemptsAt, settle } from "../../steps/settle.ts";

/** Attempts to begin with, and pages that are read at most: a page may hold less than it has room for. */
const begin = 6;
const mostPages = 12;

/** A feed that grows while it is paged through. */
export const growingFeed = check({
  id: "deliveries.growing-feed",
  title: "Attempts that are added during paging make none appear twice, and hide none",
  rules: ["WHL-25", "WHL-54"],
  kind: "property",
  needs: ["key"],
  effects: ["creates"],
  draws: {},
  // There are eight values.
  mostRuns: 12,
  async run(t) {
    const as = await (await t.tenant({ clock: "manual" })).main();
    const { tenant } = as;
    const read = fc.record({
      limit: fc.integer({ min: bounds.deliveryPageMin + 1, max: 4 }),
      later: fc.boolean(),
    });
    // Each read has a feed of its own, so that what one shows it shows again by itself.
    await t.property(read, async ({ limit, later }) => {
      const endpoint = await answeredEndpoint(t, as);
      const known = (await attemptsAt(t, endpoint, 0)).records.length;
      let events = 0;
      const add = async (): Promise<void> => {
        events += 1;
        await makeEvent(t, endpoint);
        // Where time runs, attempts come when they come.
        if (!tenant.manualClock) await allAdded();
      };
      const allAdded = async (): Promise<readonly AttemptRecord[]> => {
        const { enough, records } = await attemptsAt(t, endpoint, known + events);
        if (!enough) throw new Blocked("an attempt was not in the feed in time", "see WHL-08 first", "server");
        return records;
      };
      while (events < begin) await add();
      const before = (await allAdded()).map((record) => attemptOf(record).id);
      let added = false;
      const between = async (): Promise<void> => {
        if (added) return;
        added = true;
        // At one instant, too, attempts are in some order.
        if (later && tenant.manualClock) await tenant.advance(2, "a later attempt");
        await add();
        await settle(tenant);
      };
      const query = { limit: String(limit), endpoint_id: endpoint.id };
      const { pages, refused } = await followPages(t, as, query, { most: mostPages, between });
      if (refused !== null) {
        for (const rule of ["WHL-25", "WHL-54"] as const) t.accepted(rule, refused);
        return;
      }
      const ids = pages.flatMap(recordsOf).map((record) => attemptOf(record).id);
      const twice = ids.find((id, index) => ids.indexOf(id) !== index);
      t.verify("WHL-25", twice === undefined, {
        expected: "no attempt twice on pages between which one was added",
        actual: twice === undefined ? "none" : `${twice} twice`,
        exchanges: pages,
      });
      const last = pages.at(-1);
      const missing = before.find((id) => !ids.includes(id));
      if (last === undefined || nextCursorOf(last) !== null)
        throw new Blocked(`${before.length} attempts took more than ${mostPages} pages`, "see WHL-23 first", "server");
      t.verify("WHL-54", missing === undefined, {
        expected: `the ${before.length} attempts that were there when the first page was read`,
        actual: missing === undefined ? "those" : `${missing} not among them`,
        exchanges: pages,
        ...(missing !== undefined && { at: [lacking(last, missing)] }),
      });
      await deleteEndpoint(t, endpoint);
    });
  },
});
