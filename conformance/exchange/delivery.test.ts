import { describe, expect, test } from "vitest";
import {
  type Answer,
  delay,
  drip,
  hang,
  huge,
  redirect,
  remarkOnAnswer,
  reset,
  respond,
  statusOfAnswer,
} from "./answer.ts";
import { type Delivery, joinedHeaders, jsonOfDelivery, seenDelivery } from "./delivery.ts";

const delivery: Delivery = {
  ...{ number: 7, url: "https://hooks.example/kit/token", path: "/token?again=1", method: "POST", receivedAt: 1000 },
  headers: [
    ["X-A", "1"],
    ["x-a", "2"],
    ["__proto__", "3"],
  ],
  ...{ body: Buffer.from('{"a":1}'), size: 7, truncated: false, broken: false },
  answer: respond(503, { body: Buffer.from("later") }),
  ending: { how: "given", at: 1004 },
};

describe("a delivery", () => {
  test("is plain JSON for reports, under the address that the target was told", () => {
    const seen = seenDelivery(delivery);
    expect(JSON.parse(JSON.stringify(seen))).toMatchObject({
      number: 7,
      receivedAt: 1000,
      request: { method: "POST", url: "https://hooks.example/kit/token?again=1", body: '{"a":1}', bytes: 7 },
      answer: { status: 503, remark: null, body: "later", how: "given", endedAt: 1004 },
    });
  });

  test("has its repeated headers joined under their first spelling", () => {
    expect(Object.entries(joinedHeaders(delivery))).toEqual([
      ["X-A", "1, 2"],
      ["__proto__", "3"],
    ]);
  });

  test.each([
    ['{"a":[1]}', { a: [1] }],
    ["null", null],
    ["", undefined],
    ["{", undefined],
  ])("reads %j as JSON or as none", (text, value) => {
    expect(jsonOfDelivery({ body: Buffer.from(text) })).toEqual(value);
  });

  test("takes no broken UTF-8 for JSON", () => {
    expect(jsonOfDelivery({ body: Buffer.from([0x22, 0xff, 0x22]) })).toBeUndefined();
  });
});

describe("an answer in words", () => {
  const answers: readonly (readonly [Answer, number | null, string | null])[] = [
    [respond(200), 200, null],
    [redirect("http://h/"), 307, "to http://h/"],
    [hang, null, "no answer: the connection was held"],
    [reset, null, "no answer: the connection was broken off"],
    [drip(100), 200, "a byte every 100 ms, without an end"],
    [huge(10, 500), 500, "10 bytes"],
    [delay(50, hang), null, "held back for 50 ms; no answer: the connection was held"],
  ];

  test.each(answers)("tells status and what is unusual of %j", (answer, status, remark) => {
    expect([statusOfAnswer(answer), remarkOnAnswer(answer)]).toEqual([status, remark]);
  });
});
