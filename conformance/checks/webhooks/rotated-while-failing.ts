import { check } from "../../context/check.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { AttemptRecord } from "../../steps/feed.ts";
import { growingSteps } from "../../steps/growing-steps.ts";
import { makeEvent } from "../../steps/make-event.ts";
import { attemptsAt, eventually, settle } from "../../steps/settle.ts";
import { isDeadAtFirst, singleAttempt } from "../../steps/single-attempt.ts";
import { byReceiver, bySandbox, forEachVantage, type WatchedEndpoint } from "../../steps/vantage.ts";

/** An endpoint whose secret is rotated between two attempts of a delivery, beside one whose secret stays. */
export const rotatedWhileFailing = forEachVantage([byReceiver, bySandbox], ({ watch }) =>
  check({
    id: "webhooks.rotated-while-failing",
    title: "What waits for another attempt while its endpoint's secret is rotated is tried again as anything else",
    rules: ["WHR-24"],
    kind: "scenario",
    needs: ["manual-clock"],
    effects: ["creates"],
    draws: {},
    async run(t) {
      const tenant = await t.tenant({ clock: "manual" });
      const main = await tenant.main();
      const rotated = await watch(t, main);
      const kept = await watch(t, main);
      for (const each of [rotated, kept]) {
        await each.meet(500);
        await makeEvent(t, each.endpoint);
      }
      for (const { endpoint } of [rotated, kept]) {
        const isFailure = ({ outcome }: AttemptRecord): boolean => outcome === "retry" || outcome === "dead";
        const { records } = await attemptsAt(t, endpoint, (all) => all.some(isFailure));
        const enough = records.some(({ outcome }) => outcome === "retry");
        if (!enough && records.some(isDeadAtFirst)) throw singleAttempt();
        if (!enough) throw new Blocked("no attempt was to be made again", "see EVT-12 first", "server");
      }
      // Nothing is under way at the rotation.
      await settle(tenant);
      const exchange = await t.call("rotateEndpointSecret", { path: { id: rotated.endpoint.id } }, main);
      t.control(exchange, "rotating the secret of an endpoint");
      const [before, beside] = [await countAt(rotated), await countAt(kept)];
      const isTriedAgain = async (each: WatchedEndpoint, from: number): Promise<boolean> =>
        (await countAt(each)) > from;
      for (const seconds of growingSteps) {
        await tenant.advance(seconds, "another attempt of a delivery");
        if ((await isTriedAgain(kept, beside)) && (await isTriedAgain(rotated, before))) break;
      }
      if (!(await isTriedAgain(kept, beside)))
        throw new Blocked("a failed delivery was not tried again within three weeks", "see EVT-15 first", "server");
      const again = await eventually(t, tenant, async () => ((await isTriedAgain(rotated, before)) ? true : null));
      t.verify("WHR-24", again !== null, {
        expected: "another attempt at the endpoint, as at the one whose secret was not rotated",
        actual: again === null ? "none within three weeks" : "that",
        isSilence: true,
        exchanges: [exchange],
      });
    },
  }),
);

/** Attempts at an endpoint so far. */
const countAt = async (watched: WatchedEndpoint): Promise<number> => (await watched.seen()).attempts.length;
