import { readdirSync, readFileSync } from "node:fs";
import { banner } from "./banner.ts";

const folder = new URL("../runtime/", import.meta.url);

/** The hand-written code that generated files stand on, copied beside them so that `generated/` needs nothing of the compiler. */
export function printRuntime(): [path: string, content: string][] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .sort()
    .map((file) => [
      `runtime/${file}`,
      banner.replace("from spec/", "from compiler/runtime/") + readFileSync(new URL(file, folder), "utf8"),
    ]);
}
