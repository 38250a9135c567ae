import { type Dispatcher, Pool } from "undici";

/** A request. */
export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** GET unless it is told. */
  readonly method?: "GET" | "POST";
  /** JSON; none unless it is told. */
  readonly body?: string;
}

export interface Load {
  /** Keep-alive connections; each has one request under way at a time. */
  readonly connections: number;
  /** The load ends after this time or this many requests, whichever comes first. */
  readonly milliseconds: number;
  readonly requests: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  /** Milliseconds from a request to its answer: in the middle, and where 5 and 1 of a hundred took longer. */
  readonly latency: { readonly median: number; readonly p95: number; readonly p99: number };
  /** Share of the time that this process was busy; near 1 the client is what limits the rate. */
  readonly clientBusy: number;
}

/** Milliseconds after which an unanswered request fails the run. */
const patience = 10_000;

/** Sends one request after the other, all to one server. Throws when an answer is no success. */
export async function load(next: () => Target, { connections, milliseconds, requests }: Load): Promise<LoadResult> {
  const { origin } = new URL(next().url);
  const pool = new Pool(origin, { connections, pipelining: 1, headersTimeout: patience, bodyTimeout: patience });
  let started = 0;
  const latencies: number[] = [];
  const cpu = process.cpuUsage();
  const start = performance.now();
  const open = (): boolean => started < requests && performance.now() - start < milliseconds;
  const worker = async (): Promise<void> => {
    while (open()) {
      started += 1;
      const sent = performance.now();
      await answered(pool, dispatched(next()));
      latencies.push(performance.now() - sent);
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, worker));
    const elapsed = performance.now() - start;
    const { user, system } = process.cpuUsage(cpu);
    const sorted = latencies.toSorted((one, other) => one - other);
    const at = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? 0;
    return {
      requests: sorted.length,
      perSecond: (sorted.length / elapsed) * 1000,
      latency: { median: at(0.5), p95: at(0.95), p99: at(0.99) },
      clientBusy: (user + system) / 1000 / elapsed,
    };
  } finally {
    await pool.destroy();
  }
}

const dispatched = ({ url, headers, method = "GET", body }: Target): Dispatcher.DispatchOptions => ({
  method,
  path: new URL(url).pathname,
  headers,
  ...(body === undefined ? {} : { body }),
});

/** Below undici's convenient interfaces, so that little of the measured time is the client's. */
function answered(pool: Pool, options: Dispatcher.DispatchOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    let status = 0;
    pool.dispatch(options, {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, statusCode) => {
        status = statusCode;
      },
      onResponseData: () => undefined,
      onResponseEnd: () =>
        status >= 200 && status <= 299
          ? resolve()
          : reject(new Error(`${options.path} was answered ${status}, which is no success.`)),
      onResponseError: (_controller, problem) => reject(problem),
    });
  });
}
