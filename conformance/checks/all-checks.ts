import { readdirSync } from "node:fs";
import type { Check } from "../context/check.ts";
import { apiOperations } from "../context/for-each-operation.ts";
import { soundInputEffects } from "../steps/sound-input.ts";

/** The files of every area, in one order everywhere; those of tests are none. Node's own patterns take long to load. */
const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => /^[^/]+\/[^/]+\.ts$/.test(file) && !file.endsWith(".test.ts"))
  .sort();

const modules: readonly object[] = await Promise.all(
  files.map((file): Promise<object> => import(new URL(file, import.meta.url).href)),
);

const isCheck = (exported: unknown): exported is Check =>
  typeof exported === "object" &&
  exported !== null &&
  ["id", "title", "rules", "needs", "run"].every((name) => Object.hasOwn(exported, name));

/** Every check of the kit: all that the files of the areas export, one by one or in lists. None is listed by hand. */
export const allChecks: readonly Check[] = [
  ...new Set(modules.flatMap((module): readonly unknown[] => Object.values(module).flat()).filter(isCheck)),
].map(withInputEffects);

/** What the check of an operation does by calling it soundly stands where its sound inputs are made. */
function withInputEffects(check: Check): Check {
  const operation = apiOperations.find(({ id }) => id === check.operation);
  const more = operation === undefined ? [] : soundInputEffects(operation.id);
  return more.length === 0 ? check : { ...check, effects: [...new Set([...check.effects, ...more])] };
}
