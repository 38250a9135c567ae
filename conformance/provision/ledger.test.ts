import { expect, test } from "vitest";
import { newLedger } from "./ledger.ts";
import type { LeftBehind } from "./left-behind.ts";

const thing = (kind: LeftBehind["kind"], id: string): LeftBehind => ({ kind, id, organizationId: "o1" });

test("what was made is told at once and listed until it is gone; things of another kind may have its id", () => {
  const told: string[] = [];
  const ledger = newLedger({
    left: ({ kind, id }) => told.push(`made ${kind} ${id}`),
    gone: ({ kind, id, organizationId }) => told.push(`gone ${kind} ${id} of ${organizationId}`),
  });
  ledger.made(thing("api-key", "1"));
  ledger.made(thing("webhook-endpoint", "1"));
  ledger.gone({ kind: "webhook-endpoint", id: "1" });
  ledger.gone({ kind: "webhook-endpoint", id: "1" });
  ledger.gone({ kind: "organization", id: "nobody noted it" });
  expect(told).toEqual(["made api-key 1", "made webhook-endpoint 1", "gone webhook-endpoint 1 of o1"]);
  expect(ledger.left()).toEqual([thing("api-key", "1")]);
});
