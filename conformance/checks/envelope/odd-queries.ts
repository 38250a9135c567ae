import { operations } from "../../../generated/operations.ts";
import { check } from "../../context/check.ts";
import { isSuccess } from "../../exchange/exchange.ts";
import { isFrontRefusal } from "../../exchange/front-refusal.ts";
import { NotApplicable } from "../../outcome/verdict.ts";
import { envelopeFlaws, envelopeSummary } from "./envelope-flaws.ts";

/** Characters of an address: more than some libraries take, and less than fronts take unless they are told otherwise. */
const length = 3500;

/** Cursors that no page gave, as a query has them, by what they are. */
const cursors: Readonly<Record<string, string>> = {
  "an escaped byte that no UTF-8 has": "%ff",
  "an escaped byte of another encoding": "caf%E9",
  "an escaped NUL": "%00",
  [`${length} characters`]: "a".repeat(length),
};

/** Queries that what reads addresses may refuse before the server's own code sees them. */
export const oddQueries = check({
  id: "envelope.odd-queries",
  title: "Long queries, and such as are no text, are taken or refused in the error envelope",
  rules: ["ENV-03"],
  kind: "scenario",
  needs: ["key"],
  effects: ["reads"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant()).main();
    t.control(await t.call("listDeliveryAttempts", {}, main), "reading the feed");
    const { method, path } = operations.listDeliveryAttempts;
    const headers = { authorization: `Bearer ${main.token}` };
    let refused = 0;
    for (const [what, cursor] of Object.entries(cursors)) {
      const isOddHttp = cursor.includes("%");
      const exchange = await t.send({ method, path: `${path}?cursor=${cursor}`, headers, body: null, isOddHttp });
      // Who reads a cursor as text that leads nowhere may show no records, which decides nothing about errors.
      if (isSuccess(exchange)) continue;
      refused += 1;
      // A proxy or an HTTP parser before the server may refuse odd HTTP with a page (Q134).
      if (isFrontRefusal(exchange)) {
        t.observe("ENV-03", `a cursor with ${what} gives ${envelopeSummary(exchange)}`, exchange);
        continue;
      }
      t.verify("ENV-03", envelopeFlaws(exchange).length === 0, {
        expected: `success, or an error in the envelope, for a cursor with ${what}`,
        actual: envelopeSummary(exchange),
        exchanges: [exchange],
      });
    }
    if (refused === 0) throw new NotApplicable("no odd query was refused");
  },
});
