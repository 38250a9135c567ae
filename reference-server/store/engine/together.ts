/** Batches that are looked for at the same time: one that hangs holds nobody up who asks while another comes back. */
const mostAtOnce = 2;

/** Milliseconds that a batch waits for the one before it: the longer it gathers, the fewer ways to the database there are. */
const patience = 10;

interface Batch<Found> {
  readonly keys: Set<string>;
  readonly found: Promise<ReadonlyMap<string, Found>>;
}

/**
 * Has what is asked for in one turn of the event loop found together, and what is asked for while others wait for
 * theirs: where a statement is a way to another process and back, that costs hardly more than what is asked for first.
 * It is asked of the database after whoever asks, so that nobody is told anything older than their question.
 */
export function together<Found>(
  find: (keys: readonly string[]) => Promise<ReadonlyMap<string, Found>>,
): (key: string) => Promise<Found | null> {
  let next: Batch<Found> | null = null;
  let underWay = 0;
  /** Lets the next batch go; there is one at most. */
  let admit: () => void = () => undefined;

  /** Waits until a batch comes back or, while there may be another, until that has taken too long. */
  async function room(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    admit = resolve;
    const timer = underWay < mostAtOnce ? setTimeout(resolve, patience) : undefined;
    await promise;
    clearTimeout(timer);
  }

  async function findAll(keys: Set<string>): Promise<ReadonlyMap<string, Found>> {
    await new Promise<void>((turn) => setImmediate(turn));
    if (underWay > 0) await room();
    next = null;
    underWay++;
    try {
      return await find([...keys]);
    } finally {
      underWay--;
      admit();
    }
  }

  return async (key) => {
    if (next === null) {
      const keys = new Set<string>();
      next = { keys, found: findAll(keys) };
    }
    next.keys.add(key);
    return (await next.found).get(key) ?? null;
  };
}
