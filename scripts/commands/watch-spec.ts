import { type FSWatcher, watch } from "node:fs";
import { join } from "node:path";

/** Editors write in several steps: changes within this time count as one. Milliseconds. */
const settling = 150;

/**
 * Calls back with the files that changed in a folder, at any depth, one call at a time, until the process is told to
 * stop. Only what a contract is made of counts: TypeSpec files, decorators and the lock.
 */
export async function watchSpec(
  folder: string,
  onChange: (changed: readonly string[]) => Promise<void>,
): Promise<void> {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let busy: Promise<void> = Promise.resolve();
  const flush = (): void => {
    const paths = [...changed].sort();
    changed.clear();
    busy = busy.then(() => onChange(paths));
  };
  const watcher = watch(folder, { recursive: true }, (_, name) => {
    if (name === null || !/\.tsp$|(?<!\.test)\.ts$|rules\.lock$/.test(name)) return;
    changed.add(join(folder, name));
    clearTimeout(timer);
    timer = setTimeout(flush, settling);
  });
  try {
    await untilStopped(watcher, () => busy);
  } finally {
    clearTimeout(timer);
    watcher.close();
  }
  await busy;
}

/** Ends with the first signal; a failed call or a watcher that breaks ends it with their error. */
function untilStopped(watcher: FSWatcher, busy: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    watcher.on("error", reject);
    const poll = setInterval(() => busy().catch(reject), settling);
    const stop = (): void => resolve();
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
    watcher.on("close", () => clearInterval(poll));
  });
}
