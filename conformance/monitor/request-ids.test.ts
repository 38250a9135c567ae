import { expect, test } from "vitest";
import type { Exchange } from "../exchange/exchange.ts";
import { newRequestIds } from "./request-ids.ts";

const answer = (number: number): Exchange => ({
  ...{ number, operation: null, sentAt: number, answeredAt: number * 10 },
  request: { method: "GET", url: "http://127.0.0.1/", headers: {}, body: null },
  outcome: { kind: "lost", reason: "timeout", message: "" },
});

test("an id that came before is told with its first answer, as long as that is remembered whole", () => {
  const sameIdAs = newRequestIds();
  expect([sameIdAs("a", answer(1)), sameIdAs("b", answer(2))]).toEqual([null, null]);
  expect(sameIdAs("a", answer(3))).toEqual({ answeredAt: 10, exchange: answer(1) });
  for (let number = 4; number < 600; number += 1) sameIdAs(`id ${number}`, answer(number));
  expect(sameIdAs("a", answer(600))).toEqual({ answeredAt: 10, exchange: null });
});
