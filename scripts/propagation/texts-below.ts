import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Tests, and the made-up data that they stand on, may spell a fact to check it. */
const testing = /\.test(-d)?\.ts$|\/made-up-[^/]+$|\/snapshots\//;

/** Contents of the files below a folder, by path; those for tests are left out. */
export function textsBelow(root: string, folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !testing.test(path));
  return new Map(files.map((path) => [path.slice(root.length + 1), readFileSync(path, "utf8")]));
}
