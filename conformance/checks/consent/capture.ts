import { check } from "../../context/check.ts";
import { summaryOf } from "../../exchange/exchange.ts";
import { captureConsent, noNumbers } from "../../steps/consent.ts";
import { isRefused } from "../../steps/endpoint.ts";

/** The same instant by a clock that is two hours ahead of UTC. */
const easterly = (at: string): string => new Date(Date.parse(at) + 2 * 3_600_000).toISOString().replace("Z", "+02:00");

/** Consents of nobody. */
export const noNumber = check({
  id: "consent.no-number",
  title: "The consent of a text that is no phone number is refused",
  rules: ["CON-06"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { consentRecords: 2 + noNumbers.length },
  async run(t) {
    const main = await (await t.tenant()).main();
    t.control(await captureConsent(t, main), "capturing a consent");
    // A time of another offset may be refused; what is shown of it is in UTC, as the monitor sees to.
    await captureConsent(t, main, undefined, easterly);
    for (const number of noNumbers) {
      const exchange = await captureConsent(t, main, number);
      t.verify("CON-06", isRefused(exchange), {
        expected: `a refusal of the number ${JSON.stringify(number)}`,
        actual: summaryOf(exchange),
        exchanges: [exchange],
      });
    }
  },
});
