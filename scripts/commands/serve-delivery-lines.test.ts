import { expect, it } from "vitest";
import { withDeliveryLines } from "./serve-delivery-lines.ts";

it("passes every line on, and shows the sentences about attempts alone", () => {
  const [passed, shown]: [string[], string[]] = [[], []];
  const log = withDeliveryLines({ write: (line) => void passed.push(line) }, (line) => void shown.push(line));
  const lines = [
    '{"level":30,"method":"GET","path":"/v1/webhooks/deliveries","msg":"request"}\n',
    '{"level":30,"delivery_id":"d","outcome":"success","msg":"delivered evt_1"}\n',
    '{"level":40,"delivery_id":"d","msg":"a delivery was broken off; it is attempted again"}\n',
  ];
  for (const line of lines) log.write(line);
  expect(passed).toEqual(lines);
  expect(shown).toEqual(["delivered evt_1"]);
});
