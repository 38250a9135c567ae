import type { DueWorkQueue, Settlement } from "../domain/work/due-work.ts";

export interface BatchedSettlingOptions {
  readonly queue: Pick<DueWorkQueue, "settle">;
  /** Milliseconds that a settlement waits for others. */
  readonly gather: number;
  /** How many settlements may come; when all of them wait, none of them waits any longer. */
  readonly underway: () => number;
  /** Hears when there is room for what waited, and when, in real time, that is due. */
  readonly onRoom: (lookAt: number) => void;
}

interface Waiting {
  readonly settlement: Settlement;
  readonly resolve: (written: boolean) => void;
  readonly reject: (problem: unknown) => void;
}

/** Settles together what comes together: the database is written once for all of it. */
export function batchedSettling({ queue, gather, underway, onRoom }: BatchedSettlingOptions) {
  let waiting: readonly Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;

  async function settle(batch: readonly Waiting[]): Promise<void> {
    try {
      const { written, lookAt } = await queue.settle(batch.map(({ settlement }) => settlement));
      for (const [index, { resolve }] of batch.entries()) resolve(written[index] === true);
      if (lookAt !== null) onRoom(lookAt);
    } catch (problem) {
      // One that can never be written must not take the others along.
      if (batch.length > 1) await Promise.all(batch.map((one) => settle([one])));
      else for (const { reject } of batch) reject(problem);
    }
  }

  function settleAll(): void {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = [];
    void settle(batch);
  }

  /** Whether it was written; rejects when the queue fails. */
  return (settlement: Settlement): Promise<boolean> =>
    new Promise((resolve, reject) => {
      waiting = [...waiting, { settlement, resolve, reject }];
      if (waiting.length >= underway()) settleAll();
      else timer ??= setTimeout(settleAll, gather);
    });
}
