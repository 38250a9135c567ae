import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Contract, Json } from "../contract.ts";
import { edited } from "./planted-changes.ts";
import { shelves } from "./planted-on-the-wire.ts";

const file = resolve(import.meta.dirname, "../../generated/contract.json");

/** What is taken: paths whose operations have between them every fact that an operation can have, and the rules of one. */
const isTaken = (path: string): boolean => /^\/v1\/(api-keys|webhooks\/deliveries|phone-numbers\/orders)/.test(path);
const isOfTaken = (rule: string): boolean => /^(ENV|KEYC)-/.test(rule);

const someQuestions = 40;

type JsonObject = { readonly [name: string]: Json };

const list = (json: Json | undefined): readonly JsonObject[] => json as readonly JsonObject[];

const withFewPaths = (service: JsonObject): Json =>
  edited(service, [
    {
      at: ["document", "paths"],
      to: (paths) => Object.fromEntries(Object.entries(paths as JsonObject).filter(([path]) => isTaken(path))),
    },
  ]);

/**
 * The contract that changes are planted in: the project's own, with the shelves that hold what it has not, and without
 * most of its operations, rules and questions, which hundreds of comparisons would pass over again and again.
 */
export const plantedBase: Json = edited(JSON.parse(readFileSync(file, "utf8")), [
  { at: ["services"], to: (services) => list(services).map(withFewPaths) },
  { at: ["operations"], to: (operations) => list(operations).filter(({ path }) => isTaken(String(path))) },
  { at: ["rules"], to: (rules) => list(rules).filter(({ id }) => isOfTaken(String(id))) },
  { at: ["questions"], to: (questions) => list(questions).slice(0, someQuestions) },
  ...shelves,
]);

export function asContract(json: Json): Contract {
  const copy: Contract = JSON.parse(JSON.stringify(json));
  return copy;
}
