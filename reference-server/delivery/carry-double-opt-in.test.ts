import { pino } from "pino";
import { expect, it } from "vitest";
import type { Text } from "../domain/carrier/carrier.ts";
import { type DoubleOptIn, newDoubleOptIn } from "../domain/consent/double-opt-in.ts";
import type { Settlement } from "../domain/work/due-work.ts";
import { carryDoubleOptIn } from "./carry-double-opt-in.ts";

const wish = { id: "1", organizationId: "org", phoneNumber: "+12025550130", source: "web form", now: 0 };
const asked = newDoubleOptIn(wish, { doubleOptInHours: "1" });

/** Carries one at a time of a manual clock, with a carrier that refuses or takes whatever it gets. */
async function carry(doubleOptIn: DoubleOptIn, at: number, { isAsked = false, fails = false } = {}) {
  const texts: Text[] = [];
  const expired: (readonly [DoubleOptIn, number])[] = [];
  const settled: Settlement[] = [];
  const clock = { mode: "manual", at } as const;
  const claim = { kind: "double-opt-in", organizationId: "org", lease: "l", clock, doubleOptIn, isAsked } as const;
  await carryDoubleOptIn(claim, Number.MAX_SAFE_INTEGER, {
    carrier: {
      async handOver(text) {
        if (fails) throw new Error("out of order");
        texts.push(text);
        return { kind: "refused" };
      },
      report: async () => "delivered",
    },
    expire: async (...one) => void expired.push(one),
    async settle(settlement) {
      settled.push(settlement);
      return true;
    },
    world: { now: () => 0 },
    log: pino({ level: "silent" }),
    stopping: new AbortController().signal,
  });
  return { texts, expired, settled: settled.map(({ nextDueAt }) => nextDueAt) };
}

it("asks once, whatever the carrier says, and comes back when it expires", async () => {
  const first = await carry(asked, 0);
  expect(first).toMatchObject({ texts: [{ to: asked.phoneNumber }], expired: [], settled: [asked.expiresAt] });
  expect(await carry(asked, 5, { isAsked: true })).toEqual({ texts: [], expired: [], settled: [asked.expiresAt] });
});

it("expires in time, also where nobody was asked", async () => {
  for (const isAsked of [true, false]) {
    const at = asked.expiresAt;
    expect(await carry(asked, at, { isAsked })).toEqual({ texts: [], expired: [[asked, at]], settled: [null] });
  }
});

it("is left to its lease when the carrier is out of order", async () => {
  expect(await carry(asked, 0, { fails: true })).toEqual({ texts: [], expired: [], settled: [] });
});
