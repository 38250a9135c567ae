import { expect, test } from "vitest";
import type { DeliverySeen } from "../exchange/delivery.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { deliveredRun } from "./made-up-run.ts";
import { lastMoments, type Moment, timelineOf } from "./timeline.ts";

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
