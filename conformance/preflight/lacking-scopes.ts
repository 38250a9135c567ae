import { randomUUID } from "node:crypto";
import { errorRows } from "../../generated/error-rows.ts";
import { operationList } from "../../generated/operations.ts";
import { type RuleId, rules } from "../../generated/rules.ts";
import type { Operation } from "../../generated/runtime/operation.ts";
import { objectOf } from "../exchange/exchange.ts";
import { probe } from "../target/probe.ts";
import type { Target } from "../target/target.ts";

/** A scope without which the target refused the key. */
export interface LackingScope {
  readonly scope: string;
  /** Operations that need it. */
  readonly operations: readonly string[];
  /** Rules about those; others may hang on them as well. */
  readonly rules: number;
}

/**
 * Scopes without which the given key was refused. For each scope one call is made that changes nothing: a read, or a
 * change of something that does not exist. What an answer leaves open counts as held.
 */
export async function lackingScopes(target: Target): Promise<readonly LackingScope[]> {
  const { baseUrl, key, timing } = target;
  if (key === null) return [];
  const served: readonly Operation[] = operationList.filter(
    ({ service, resource }) => service === "api" && (target.implements?.includes(resource) ?? true),
  );
  const byScope = Map.groupBy(served, ({ scope }) => scope);
  const lacking: LackingScope[] = [];
  for (const [scope, operations] of byScope) {
    const asked = operations.find(isRead) ?? operations.find(changesNothing);
    if (scope === null || asked === undefined) continue;
    const url = baseUrl + asked.path.replace("{id}", randomUUID());
    const answer = await probe(url, key, timing.requestTimeout, isRead(asked) ? undefined : "{}");
    if (answer.kind === "reached" && isRefusal(answer.status, answer.json)) {
      const ids = operations.map(({ id }) => id);
      lacking.push({ scope, operations: ids, rules: rulesAbout(ids) });
    }
  }
  return lacking;
}

const isRead = ({ method }: Operation): boolean => method === "GET";

const changesNothing = ({ method, path }: Operation): boolean => method === "POST" && path.includes("{id}");

function isRefusal(status: number, json: unknown): boolean {
  const { Forbidden } = errorRows;
  return status === Forbidden.status && objectOf(objectOf(json)?.error)?.code === Forbidden.code;
}

const rulesAbout = (operations: readonly string[]): number =>
  (Object.keys(rules) as RuleId[]).filter((id) => operations.includes(rules[id].about)).length;
