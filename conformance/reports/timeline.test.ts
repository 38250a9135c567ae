import { expect, test } from "vitest";
import type { DeliverySeen } from "../exchange/delivery.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { deliveredRun } from "./made-up-run.ts";
import { failingFirst, lastMoments, type Moment, timelineOf } from "./timeline.ts";

const [made] = deliveredRun.rules.flatMap((rule) => rule.findings);
if (made === undefined) throw new Error("The made-up run has no finding.");
const [exchange] = made.exchanges;
const [delivery] = made.deliveries;
if (exchange === undefined || delivery === undefined) throw new Error("The made-up finding shows nothing.");

const sent = (...times: readonly number[]): Exchange[] => times.map((sentAt) => ({ ...exchange, sentAt }));
const came = (...times: readonly number[]): DeliverySeen[] => times.map((receivedAt) => ({ ...delivery, receivedAt }));
const textOf = (moments: readonly Moment[]): string => moments.map(({ kind, at }) => `${kind[0]}${at}`).join(" ");

test("exchanges alone stay in the order of the check", () => {
  expect(textOf(timelineOf({ exchanges: sent(3, 1, 2), deliveries: [] }))).toBe("e3 e1 e2");
});

test("exchanges and deliveries stand by their time, a cause before what comes in the same millisecond", () => {
  expect(textOf(timelineOf({ exchanges: sent(3, 1), deliveries: came(2, 3, 0) }))).toBe("d0 e1 d2 e3 d3");
});

test("a shortened line keeps what began it all", () => {
  const line = timelineOf({ exchanges: sent(0, 1), deliveries: came(2, 3, 4) });
  expect(textOf(lastMoments(line, 2))).toBe("e1 d3 d4");
  expect(textOf(lastMoments(line, 4))).toBe("e1 d2 d3 d4");
  expect(textOf(lastMoments(timelineOf({ exchanges: [], deliveries: came(1, 2) }), 1))).toBe("d2");
});

test("what shows a failure stands before what went well, and alone where nothing came later", () => {
  const line = timelineOf({ exchanges: sent(0, 1).map((one, number) => ({ ...one, number })), deliveries: [] });
  const at = { in: { kind: "exchange", number: 1 }, part: { kind: "status" }, admitted: null, seen: null } as const;
  expect(textOf(failingFirst(line, line, [at]))).toBe("e1");
  expect(textOf(failingFirst(line, line, [{ ...at, in: { kind: "exchange", number: 0 } }]))).toBe("e0 e1");
  const other = line.map((one, index) =>
    one.kind === "exchange" && index === 0 ? { ...one, exchange: { ...one.exchange, operation: "getApiKey" } } : one,
  );
  expect([textOf(failingFirst(line, line, [])), textOf(failingFirst(other, other, []))]).toEqual(["e0 e1", "e1"]);
});
