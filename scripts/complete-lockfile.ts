import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Adds to `package-lock.json` the optional packages of other platforms that npm left out because the registry at hand
 * does not carry them. `npm ci` wants every one of them listed, and installs only those of its own platform.
 */
interface Entry {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const systems = [
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "aix",
  "win32",
  "windows",
  "wasi",
  "wasm32",
];
const processors = ["arm64", "arm", "x64", "ia32", "ppc64", "riscv64", "s390x", "loong64", "mips64el"];

/** Platform words of a package's name; one that names none is of no platform that is installed here. */
function platformOf(name: string): Pick<Entry, "os" | "cpu" | "libc"> {
  const words = name.split(/[-/]/);
  const os = systems.find((system) => words.includes(system)) ?? "none";
  const cpu = processors.find((processor) => words.includes(processor));
  const libc = words.some((word) => word.startsWith("musl")) ? { libc: ["musl"] } : {};
  return { os: [os === "windows" ? "win32" : os], ...(cpu ? { cpu: [cpu] } : {}), ...libc };
}

const file = join(import.meta.dirname, "../package-lock.json");
const lock = JSON.parse(readFileSync(file, "utf8")) as { packages: Record<string, Entry> };
const added: string[] = [];
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const listed = Object.keys(lock.packages).some((at) => at.endsWith(`node_modules/${name}`));
    if (listed || path === "" || !/^\d/.test(version)) continue;
    const dev = entry.dev ? { dev: true } : {};
    lock.packages[`node_modules/${name}`] = { version, ...platformOf(name), ...dev, optional: true };
    added.push(name);
  }
}
const sorted = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`);
console.log(added.length === 0 ? "package-lock.json is complete" : `added ${added.length}: ${added.join(", ")}`);
