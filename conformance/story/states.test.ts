import { expect, test } from "vitest";
import { statesIn } from "./states.ts";
import type { Step } from "./step.ts";

/** A look at the state of an organization. */
const look = (id: string, data: unknown): Step => ({
  ...{ through: "sandbox", what: "look", exchange: null, seconds: null, at: 1 },
  request: { method: "GET", url: `http://127.0.0.1:1/organizations/${id}/state`, headers: {}, body: null },
  outcome: { kind: "response", status: 200, json: { data } },
});

const toldOf = (...steps: readonly Step[]) => steps.map((step) => statesIn(steps).get(step) ?? null);

test("looks at a state tell the money, then what is another since the look before at the same organization", () => {
  expect(
    toldOf(
      look("a", { wallet_micros: 5, digest: "x", contents: { messages: 1 } }),
      look("b", { wallet_micros: 7, digest: "x" }),
      look("a", { wallet_micros: 5, digest: "x", contents: { messages: 1 } }),
      look("a", { wallet_micros: 3, digest: "y", contents: { messages: 2 } }),
      look("b", { wallet_micros: 7, digest: "z" }),
      look("b", { id: "no state" }),
      look("c", { wallet_micros: 1, digest: "x", contents: { users: "6f3aa2a33a59", numbers: "20260101" } }),
      look("c", { wallet_micros: 1, digest: "y", contents: { users: "ecf7e9caa11b", numbers: "20260102" } }),
      look("d", { wallet_micros: 1, digest: "x", contents: { numbers: "3 (6f3aa2a33a59)", keys: "2 (6f3aa2a33a59)" } }),
      look("d", { wallet_micros: 1, digest: "y", contents: { numbers: "5 (8f3aa2a33a59)", keys: "2 (8f3aa2a33a59)" } }),
    ),
  ).toEqual([
    "wallet_micros 5",
    "wallet_micros 7",
    "as before",
    "wallet_micros 5 → 3, messages 1 → 2",
    "something besides money, by its digest",
    null,
    "wallet_micros 1",
    "users (by its digest), numbers 20260101 → 20260102",
    "wallet_micros 1",
    "numbers 3 → 5, keys (still 2, by its digest)",
  ]);
});
