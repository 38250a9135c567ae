import { arch, availableParallelism, cpus, platform, release, totalmem } from "node:os";

/** What the figures were measured on. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly system: string;
  readonly node: string;
}

export function thisMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown processor",
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()} ${arch()}`,
    node: process.versions.node,
  };
}
