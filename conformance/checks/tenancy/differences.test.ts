import { expect, test } from "vitest";
import type { Exchange } from "../../exchange/exchange.ts";
import { type Asked, differences } from "./differences.ts";

let count = 0;

function asked(id: string, error: object, headers: Readonly<Record<string, string>> = {}, status = 404): Asked {
  count += 1;
  const request_id = `req_${count}`;
  const json = { success: false, error: { code: "NOT_FOUND", message: "Not found.", request_id, ...error } };
  const exchange: Exchange = {
    ...{ number: count, operation: "getApiKey", sentAt: 0, answeredAt: 0 },
    request: { method: "GET", url: `http://127.0.0.1:1/v1/api-keys/${id}`, headers: {}, body: null },
    outcome: {
      ...{ kind: "response", status, json, text: JSON.stringify(json), truncated: false },
      headers: { "x-request-id": request_id, date: `at ${count}`, ...headers },
    },
  };
  return { exchange, id };
}

const partsIn = (ones: readonly Asked[], others: readonly Asked[]) => differences(ones, others).map(({ part }) => part);

test("answers that repeat their own ids alone tell nothing", () => {
  const told = (id: string) => asked(id, { message: `No key ${id}.`, path: `/${id.toUpperCase()}` });
  expect(partsIn([told("aa-1")], [told("bb-2")])).toEqual([]);
});

test("each member and header can tell", () => {
  const never = asked("bb-2", {});
  expect(partsIn([asked("aa-1", { message: "Not yours." })], [never])).toEqual(["error.message"]);
  expect(partsIn([asked("aa-1", {}, { "x-owner": "them" })], [never])).toEqual(["header x-owner"]);
  expect(partsIn([asked("aa-1", {}, {}, 403)], [never])).toEqual(["status"]);
  expect(partsIn([asked("aa-1", { details: { id: "theirs" } })], [never])).toContain("error.details.id");
});

test("what changes from call to call tells nothing", () => {
  const edge = (id: string, name: string) => asked(id, {}, { "x-served-by": name });
  expect(partsIn([edge("aa-1", "one"), edge("aa-1", "two")], [edge("bb-2", "two")])).toEqual([]);
  expect(partsIn([edge("aa-1", "one"), edge("aa-1", "one")], [edge("bb-2", "two")])).toEqual(["header x-served-by"]);
});
