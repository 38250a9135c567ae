import { pino } from "pino";
import { expect, it } from "vitest";
import { newBrand } from "../domain/registration/brand.ts";
import type { Settlement } from "../domain/work/due-work.ts";
import { type ConcludeRegistration, concludeRegistration } from "./conclude-registration.ts";

const brand = newBrand({ id: "1", organizationId: "org", name: "Corner Bakery", createdAt: 0 });
const subject = { kind: "brand", brand } as const;
const clock = { mode: "manual", at: 7 } as const;
const claim = { kind: "registration", organizationId: "org", lease: "l", clock, id: "1", subject } as const;

/** What is settled where the end of a registration does this. */
async function settledBy(conclude: ConcludeRegistration): Promise<readonly Settlement[]> {
  const settled: Settlement[] = [];
  await concludeRegistration(claim, Number.MAX_SAFE_INTEGER, {
    conclude,
    async settle(settlement) {
      settled.push(settlement);
      return true;
    },
    world: { now: () => 0 },
    log: pino({ level: "silent" }),
    stopping: new AbortController().signal,
  });
  return settled;
}

it("ends a registration in its organization's time, and is over", async () => {
  const ended: unknown[] = [];
  const settled = await settledBy(async (...one) => void ended.push(one));
  expect(ended).toEqual([[subject, 7]]);
  expect(settled).toEqual([{ claim, nextDueAt: null }]);
});

it("is left to its lease when it cannot be ended", async () => {
  expect(await settledBy(() => Promise.reject(new Error("the database is gone")))).toEqual([]);
});
