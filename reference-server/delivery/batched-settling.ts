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

/**
 * Settles together what comes together: the database is written once for all of it. Where that fails, each organization
 * is settled apart, so that one whose work somebody holds, or that can never be written, keeps no other waiting.
 */
export function batchedSettling({ queue, gather, underway, onRoom }: BatchedSettlingOptions) {
  let waiting: readonly Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;
  /** By organization that is being settled apart: what has come since. It waits its turn, so that one connection is enough. */
  const behind = new Map<string, Waiting[]>();

  async function settle(batch: readonly Waiting[]): Promise<void> {
    try {
      const { written, lookAt } = await queue.settle(batch.map(({ settlement }) => settlement));
      for (const [index, { resolve }] of batch.entries()) resolve(written[index] === true);
      if (lookAt !== null) onRoom(lookAt);
    } catch (problem) {
      const organizations = Map.groupBy(batch, organizationOf);
      if (organizations.size > 1)
        await Promise.all([...organizations].map(([organization, ofOne]) => settleApart(organization, ofOne)));
      else if (batch.length > 1) for (const one of batch) await settle([one]);
      else for (const { reject } of batch) reject(problem);
    }
  }

  async function settleApart(organization: string, batch: readonly Waiting[]): Promise<void> {
    const since = behind.get(organization);
    if (since !== undefined) return void since.push(...batch);
    const more: Waiting[] = [];
    behind.set(organization, more);
    for (let next = batch; next.length > 0; next = more.splice(0)) await settle(next);
    behind.delete(organization);
  }

  function settleAll(): void {
    clearTimeout(timer);
    timer = undefined;
    const free: Waiting[] = [];
    for (const one of waiting) (behind.get(organizationOf(one)) ?? free).push(one);
    waiting = [];
    const [organization, ...others] = new Set(free.map(organizationOf));
    if (organization !== undefined) void (others.length === 0 ? settleApart(organization, free) : settle(free));
  }

  /** Whether it was written; rejects when the queue fails. */
  return (settlement: Settlement): Promise<boolean> =>
    new Promise((resolve, reject) => {
      waiting = [...waiting, { settlement, resolve, reject }];
      if (waiting.length >= underway()) settleAll();
      else timer ??= setTimeout(settleAll, gather);
    });
}

const organizationOf = ({ settlement }: Waiting): string => settlement.claim.organizationId;
