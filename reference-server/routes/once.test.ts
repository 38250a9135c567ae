import { afterEach, describe, expect, it } from "vitest";
import { operations } from "../../generated/operations.ts";
import { refused, startTestServer, type TestServer } from "../test-server.ts";

/** Calls that move money, each with another body that would be taken, too. */
const moves = [
  { operation: operations.topUpWallet, body: { product_id: "usd_5" }, other: { product_id: "usd_10" } },
  {
    operation: operations.orderPhoneNumbers,
    body: { phone_numbers: ["+12025550101"] },
    other: { phone_numbers: ["+12025550102"] },
  },
  {
    operation: operations.bulkOrderPhoneNumbers,
    body: { area_code: "202", quantity: 2 },
    other: { area_code: "202", quantity: 1 },
  },
  { operation: operations.createBrand, body: { name: "Corner Bakery" }, other: { name: "Corner Café" } },
] as const;

let server: TestServer;
afterEach(() => server.close());

async function begin({ method, path, idempotencyHeader }: (typeof moves)[number]["operation"]) {
  server = await startTestServer();
  return async function member(wallet_micros = 100_000_000) {
    const { id, key: token } = await server.organization({ wallet_micros, is_reseller: true });
    return {
      call: (body: object, key: string) =>
        server.call(method, path, { token, body, headers: { [String(idempotencyHeader)]: key } }),
      async state() {
        const { wallet_micros: wallet, digest } = (await server.sandbox("GET", `/organizations/${id}/state`)).body.data;
        return { wallet, digest };
      },
    };
  };
}

describe.each(moves)("$operation.id with an idempotency key", ({ operation, body, other }) => {
  it("gives the first answer again, and moves money once, however many calls come at once", async () => {
    const member = await begin(operation);
    const { call, state } = await member();
    const first = await call(body, "one");
    expect(first.status).toBe(201);
    const after = await state();
    const again = await Promise.all(Array.from({ length: 5 }, () => call(body, "one")));
    expect(again.map((answer) => [answer.status, answer.body.data])).toEqual(
      again.map(() => [first.status, first.body.data]),
    );
    refused(await call(other, "one"), 422, "VALIDATION_FAILED");
    expect(await state()).toEqual(after);
    expect((await call(other, "two")).status).toBe(201);
    expect((await state()).wallet).not.toBe(after.wallet);
  });

  it("gives calls at once one answer", async () => {
    const member = await begin(operation);
    const [{ call, state }, alone] = [await member(), await member()];
    const answers = await Promise.all(Array.from({ length: 5 }, () => call(body, "one")));
    expect(answers.map((answer) => [answer.status, answer.body.data])).toEqual(
      answers.map(() => [201, answers[0]?.body.data]),
    );
    const { wallet } = await state();
    // The key is another one for another organization.
    const theirs = operation.id === "orderPhoneNumbers" ? other : body;
    expect((await alone.call(theirs, "one")).status).toBe(201);
    expect((await alone.state()).wallet).toBe(wallet);
  });
});
