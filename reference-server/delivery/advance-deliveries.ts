import type { Claim, DueWorkQueue, Lease, NextClaimed } from "../domain/work/due-work.ts";

/** Real milliseconds that an advance takes at most, unless told otherwise. */
export const usualAdvanceBound = 5_000;

/** How often a delivery that another process holds is looked at again, in milliseconds. */
const heldPoll = 20;

export interface AdvanceParts {
  readonly newLease: () => Lease;
  /** Attempts a delivery and settles it; never rejects. */
  readonly deliver: (claim: Claim, leaseUntil: number) => Promise<void>;
  /** Attempts at once. */
  readonly most: number;
  /** Real milliseconds. */
  readonly within: number;
}

export interface AdvancedDeliveries {
  /** Nothing more is due, and the clock stands at the wanted instant. */
  readonly settled: boolean;
}

/**
 * Runs the deliveries of an organization with a manual clock that fall due up to an instant, in the order of their due
 * times; those of one instant side by side. What is under way when the time is up goes on and is settled, but nothing
 * new begins.
 */
export async function advanceDeliveries(
  queue: Pick<DueWorkQueue, "claimNext">,
  organizationId: string,
  until: number,
  { newLease, deliver, most, within }: AdvanceParts,
): Promise<AdvancedDeliveries> {
  const end = performance.now() + within;
  const underway = new Set<Promise<void>>();
  for (;;) {
    const next = await claim(most - underway.size);
    if (next.kind === "none") return { settled: true };
    const left = end - performance.now();
    if (left <= 0) return { settled: false };
    // One's own are held as well, so the next instant comes only when all of this one are settled.
    if (next.kind === "held") await sleep(underway, underway.size > 0 ? left : Math.min(left, heldPoll));
  }

  async function claim(room: number): Promise<NextClaimed> {
    if (room === 0) return { kind: "held" };
    const lease = newLease();
    const next = await queue.claimNext({ ...lease, organizationId, until, most: room });
    if (next.kind === "claimed")
      for (const each of next.claims) {
        const delivery: Promise<void> = deliver(each, lease.leaseUntil).finally(() => underway.delete(delivery));
        underway.add(delivery);
      }
    return next;
  }
}

/** Until one of them is done, or for so many milliseconds. */
async function sleep(underway: ReadonlySet<Promise<void>>, milliseconds: number): Promise<void> {
  const { promise: time, resolve } = Promise.withResolvers<void>();
  // No signal ends it: to make one and the error that it gives takes longer than the rest.
  const timer = setTimeout(resolve, milliseconds);
  try {
    await Promise.race([time, ...underway]);
  } finally {
    clearTimeout(timer);
  }
}
