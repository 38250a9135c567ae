import { watch } from "node:fs";
import { join } from "node:path";

/** Editors write in several steps: changes within this time count as one. Milliseconds. */
const settling = 150;

/** What a contract is made of: TypeSpec files, decorators and the lock. */
const watched = /\.tsp$|(?<!\.test)\.ts$|rules\.lock$/;

/**
 * Calls back with the files that changed in a folder, at any depth, one call at a time. Ends when the process is told
 * to stop and the last call is done; fails when a call or the watching fails.
 */
export function watchSpec(folder: string, onChange: (changed: readonly string[]) => Promise<void>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let busy = Promise.resolve();
  const flush = (): void => {
    const paths = [...changed].sort();
    changed.clear();
    busy = busy.then(() => onChange(paths)).catch(reject);
  };
  const watcher = watch(folder, { recursive: true }, (_, name) => {
    if (name === null || !watched.test(name)) return;
    changed.add(join(folder, name));
    clearTimeout(timer);
    timer = setTimeout(flush, settling);
  });
  watcher.on("error", reject);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  return promise.finally(() => {
    clearTimeout(timer);
    watcher.close();
    return busy;
  });
}
