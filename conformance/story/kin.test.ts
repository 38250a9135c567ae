import { expect, test } from "vitest";
import { kinOf } from "./kin.ts";
import type { ToldStep } from "./step.ts";

const id = (digit: number): string => `${digit}1111111-2222-4333-8444-555555555555`;

const called = (exchange: number, path: string, body: object, status: number, code?: string): ToldStep => ({
  ...{ through: "api", what: null, exchange, seconds: null, at: exchange, gives: [] },
  request: { method: "POST", url: `http://127.0.0.1:1${path}`, headers: {}, body: JSON.stringify(body) },
  outcome: { kind: "response", status, json: undefined, ...(code === undefined ? {} : { code }) },
});

const order = (exchange: number, campaign: number, code: string): ToldStep =>
  called(exchange, "/v1/orders", { campaign_id: id(campaign) }, 409, code);
const attach = called(9, `/v1/numbers/${id(7)}/campaign`, { campaign_id: id(1) }, 200);

test("another operation is told that refused the same record as admitted, the nearest one", () => {
  const steps = [order(1, 1, "NOT_VERIFIED"), order(2, 1, "NOT_VERIFIED"), order(3, 1, "OTHER"), attach];
  expect(kinOf({ steps, omitted: 0 }, 9, "409 NOT_VERIFIED")).toEqual({
    ...{ step: 2, route: "POST /v1/orders" },
    shares: "the same campaign_id",
  });
});

test("one of another record, and the operation itself, tell nothing", () => {
  const own = called(2, `/v1/numbers/${id(8)}/campaign`, { campaign_id: id(1) }, 409, "NOT_VERIFIED");
  expect(kinOf({ steps: [order(1, 2, "NOT_VERIFIED"), own, attach], omitted: 0 }, 9, "409 NOT_VERIFIED")).toBeNull();
});

test("what the address alone names is the same record", () => {
  const other = called(1, `/v1/numbers/${id(7)}/label`, {}, 404, "NOT_FOUND");
  expect(kinOf({ steps: [other, attach], omitted: 0 }, 9, "404 NOT_FOUND")).toEqual({
    ...{ step: 1, route: "POST /v1/numbers/{id}/label" },
    shares: "the same record",
  });
});
