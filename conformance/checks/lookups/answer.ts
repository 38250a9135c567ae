import { randomUUID } from "node:crypto";
import { lineType } from "../../arrangements/line-type.ts";
import { check } from "../../context/check.ts";
import { errorOf, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { isRefused } from "../../steps/endpoint.ts";
import {
  callLookup,
  foundLookup,
  isNamedType,
  lineTypeOf,
  lookupIn,
  makeLookup,
  paid,
  readLookup,
  shownIn,
} from "../../steps/lookup.ts";
import { malformedIds } from "../../steps/malformed-ids.ts";
import { refusedAlways } from "../../steps/refused-always.ts";
import { isSameId } from "../../steps/settle.ts";

/** Lookups of numbers that are supported. */
export const answer = check({
  id: "lookups.answer",
  title: "A number of the United States or Canada gives a lookup with an id and a line type",
  rules: ["LKP-01", "LKP-02"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const numbers = [
      ...t.numbers("united_states").map((number) => ["LKP-01", number] as const),
      ...[...t.numbers("canada"), ...t.numbers("canada_beside")].map((number) => ["LKP-02", number] as const),
    ];
    for (const [rule, number] of numbers) {
      const exchange = paid(await callLookup(t, main, { number }));
      // Where line types can be set numbers of fiction are looked up; real carriers know none of them.
      if (!tenant.can(lineType) && isRefused(exchange))
        throw new Blocked(
          `the number ${number} was answered ${summaryOf(exchange)}`,
          "have the target look up 555-01XX numbers, give it others in the target file (numbers), or give the kit a sandbox",
        );
      if (!t.accepted(rule, exchange)) continue;
      const { id } = shownIn(t, "createLookup", exchange);
      const isShown = t.verify(rule, id !== null, {
        expected: "a lookup with an id",
        actual: summaryOf(exchange),
        exchanges: [exchange],
      });
      if (!isShown) continue;
      const made = lookupIn(t, exchange);
      const told = made.lineType ?? (await lineTypeOf(t, main, made));
      t.verify(rule, told !== null, {
        expected: "a lookup with a line_type, at once or in time",
        actual: "none",
        exchanges: [exchange],
        warnOnly: !tenant.can(lineType),
      });
    }
  },
});

/** Lookups read by their id, and ids under which there is none. */
export const reading = check({
  id: "lookups.reading",
  title: "An own lookup is read as it was made; an unknown id is not found, a malformed one refused",
  rules: ["LKP-11", "LKP-18"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant()).main();
    const lookups = [await makeLookup(t, main), await makeLookup(t, main, { number: t.numbers("canada")[0] })];
    // The latest of its number is not the one that is asked for.
    lookups.push(await makeLookup(t, main, { key: randomUUID() }));
    const finished = [];
    for (const lookup of lookups) {
      const known = await lineTypeOf(t, main, lookup);
      // A text that the document does not name may give way to a type at any time.
      if (isNamedType(known)) finished.push({ lookup, known });
      const exchange = await foundLookup(t, main, lookup.id);
      t.accepted("LKP-11", exchange);
      if (!isSuccess(exchange)) continue;
      const shown = shownIn(t, "getLookup", exchange);
      const shows = [lookup.exchange, exchange];
      t.verify("LKP-18", isSameId(shown.id, lookup.id), {
        expected: `the lookup ${lookup.id}`,
        actual: String(shown.id),
        exchanges: shows,
      });
      if (isNamedType(known)) t.equal("LKP-18", "line_type", shown.lineType, known, ...shows);
    }
    // What was found once stays found, however often it is read.
    for (const { lookup, known } of [...finished, ...finished]) {
      const exchange = await readLookup(t, main, lookup.id);
      if (isSuccess(exchange))
        t.equal("LKP-18", "line_type", shownIn(t, "getLookup", exchange).lineType, known, lookup.exchange, exchange);
    }
    const unknown = await refusedAlways(t, "LKP-11", () => readLookup(t, main, randomUUID()), "NotFound");
    t.equal("LKP-11", "error.details", errorOf(unknown)?.details, undefined, unknown);
    for (const id of malformedIds) t.refused("LKP-11", await readLookup(t, main, id), "ValidationFailed400");
  },
});
