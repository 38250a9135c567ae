import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { choiceValues } from "../../../generated/choices.ts";
import type { JointDraw, LimitSize } from "../../domain/limits/draw.ts";
import { longestWait } from "../../domain/limits/retry-after.ts";
import { newCustomer } from "../../domain/organizations/organization.ts";
import type { Store } from "../store.ts";
import { modelOfLimits } from "./model-of-limits.ts";

const algorithms = choiceValues.bucketAlgorithm;
const tenInAMinute: LimitSize = { capacity: 10, periodSeconds: 60 };

interface DrawOptions {
  readonly algorithm?: JointDraw["algorithm"];
  /** Milliseconds since 1970. */
  readonly now?: number;
  /** Of all buckets for which `sizes` has none. */
  readonly size?: LimitSize;
  readonly sizes?: Readonly<Record<string, LimitSize>>;
}

/** A draw of so many units from each of these buckets. */
export function drawOf(units: Readonly<Record<string, number>>, options: DrawOptions = {}): JointDraw {
  const { algorithm = "token-bucket", now = 1e12, size = tenInAMinute, sizes = {} } = options;
  const draws = Object.entries(units).map(([bucket, count]) => ({ bucket, size: sizes[bucket] ?? size, units: count }));
  return { algorithm, now, draws };
}

/** Stores that share a database draw from two buckets in every order at once, and neither admits one too many or too few. */
export async function expectJointDrawsExact(stores: readonly Store[], organizationId: string): Promise<void> {
  const sizes = { a: { capacity: 30, periodSeconds: 60 }, b: { capacity: 20, periodSeconds: 60 } };
  const wanted = [{ a: 1 }, { a: 1, b: 1 }, { b: 1, a: 1 }, { b: 1 }];
  const admitted = { a: 0, b: 0 };
  await Promise.all(
    Array.from({ length: 160 }, async (_, index) => {
      const units: { readonly a?: number; readonly b?: number } = wanted[index % wanted.length] ?? {};
      const drawn = await stores[index % stores.length]?.draw(organizationId, drawOf({ ...units }, { sizes }));
      if (drawn?.admitted !== true) return;
      admitted.a += units.a ?? 0;
      admitted.b += units.b ?? 0;
    }),
  );
  // More draws of each bucket alone than it holds: whatever joint draws leave of it is taken.
  expect(admitted).toEqual({ a: 30, b: 20 });
}

/** What holds of limits on every engine. */
export function limitCases(opened: () => Store): void {
  let store: Store;
  let ours: string;
  beforeEach(async () => {
    store = opened();
    ours = await organization();
  });

  const organization = async (): Promise<string> => {
    const made = newCustomer({ newId: () => crypto.randomUUID() });
    await store.insertOrganization(made);
    return made.id;
  };
  const admits = async (draw: JointDraw, owner = ours): Promise<boolean> => (await store.draw(owner, draw)).admitted;

  describe.each(algorithms)("kept as a %s", (algorithm) => {
    it("admit exactly their capacity at once", async () => {
      const drawn = await Promise.all(Array.from({ length: 100 }, () => admits(drawOf({ b: 1 }, { algorithm }))));
      expect(drawn.filter(Boolean)).toHaveLength(10);
    });

    it("are those of each organization and of each name", async () => {
      const other = await organization();
      const one = { algorithm, size: { capacity: 1, periodSeconds: 60 } };
      for (const [owner, bucket] of [
        [ours, "b"],
        [ours, "c"],
        [other, "b"],
      ] as const) {
        expect(await admits(drawOf({ [bucket]: 1 }, one), owner)).toBe(true);
        expect(await admits(drawOf({ [bucket]: 1 }, one), owner)).toBe(false);
      }
    });

    it("take a draw back from all buckets that it drew from", async () => {
      const size = { capacity: 3, periodSeconds: 60 };
      const draw = drawOf({ b: 1, c: 3 }, { algorithm, size });
      expect(await admits(draw)).toBe(true);
      expect(await admits(draw)).toBe(false);
      await store.giveBack(ours, draw);
      expect(await admits(draw)).toBe(true);
      expect(await admits(drawOf({ b: 3 }, { algorithm, size }))).toBe(false);
      expect(await admits(drawOf({ b: 2 }, { algorithm, size }))).toBe(true);
    });

    it("draw from several buckets or from none", async () => {
      const sizes = { a: { capacity: 5, periodSeconds: 60 }, b: { capacity: 2, periodSeconds: 60 } };
      const at = { algorithm, sizes };
      expect(await admits(drawOf({ a: 1, b: 2 }, at))).toBe(true);
      expect(await admits(drawOf({ a: 1, b: 1 }, at))).toBe(false);
      expect(await admits(drawOf({ b: 1, a: 4 }, at))).toBe(false);
      // What was refused has taken nothing of the bucket that had room.
      expect(await admits(drawOf({ a: 4 }, at))).toBe(true);
      expect(await admits(drawOf({ a: 1 }, at))).toBe(false);
    });

    it("admit and ask to wait as a model of them does, whatever is drawn together and however time goes", async () => {
      const names = ["a", "b", "c"] as const;
      const size = fc.record({
        capacity: fc.integer({ min: 1, max: 12 }),
        periodSeconds: fc.integer({ min: 1, max: 90 }),
      });
      const step = fc.record({
        units: fc.dictionary(fc.constantFrom(...names), fc.integer({ min: 1, max: 4 }), { minKeys: 1 }),
        pause: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30_000 })),
        givesBack: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.record({ a: size, b: size, c: size }),
          fc.array(step, { minLength: 5, maxLength: 30 }),
          async (sizes, steps) => {
            const owner = await organization();
            const model = modelOfLimits(algorithm);
            let now = 1e12;
            for (const { units: wanted, pause, givesBack } of steps) {
              now += pause;
              const units = withinCapacity(wanted, sizes);
              const draw = drawOf(units, { algorithm, now, sizes });
              const drawn = await store.draw(owner, draw);
              const expected = model.draw(draw);
              expect(drawn.admitted).toBe(expected);
              if (drawn.admitted) {
                if (!givesBack) continue;
                await store.giveBack(owner, draw);
                model.giveBack(draw);
                continue;
              }
              const { seconds } = longestWait(draw, drawn.levels);
              // No sooner than a second before, and then all of it: the longest of the waits.
              if (seconds > 1) expect(model.hasRoom({ ...draw, now: now + (seconds - 1) * 1000 })).toBe(false);
              now += seconds * 1000;
              expect(await admits({ ...draw, now }, owner)).toBe(true);
              expect(model.draw({ ...draw, now })).toBe(true);
            }
          },
        ),
        { numRuns: 25 },
      );
    });
  });

  it("refill evenly as buckets: one unit a share of the period, not a millisecond sooner", async () => {
    const size = { capacity: 3, periodSeconds: 10 };
    const at = (now: number) => admits(drawOf({ b: 1 }, { now, size }));
    for (const now of [0, 0, 0]) expect(await at(now)).toBe(true);
    expect(await at(3333)).toBe(false);
    expect(await at(3334)).toBe(true);
    expect(await at(6666)).toBe(false);
    expect(await at(6667)).toBe(true);
  });
}

/** No part draws more than its bucket ever holds. */
const withinCapacity = (
  units: Readonly<Record<string, number>>,
  sizes: Readonly<Record<string, LimitSize>>,
): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(units).map(([bucket, count]) => [bucket, Math.min(count, sizes[bucket]?.capacity ?? count)]),
  );
