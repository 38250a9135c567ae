import * as fc from "fast-check";
import { arbitraryBreaching, type Breach, breaches } from "../../../compiler/schema/break-one-constraint.ts";
import { encodesToItself } from "../../../compiler/schema/survives-json.ts";
import type { ErrorRowName } from "../../../generated/error-rows.ts";
import { operations } from "../../../generated/operations.ts";
import type { JsonSchema } from "../../../generated/runtime/json.ts";
import type { Operation } from "../../../generated/runtime/operation.ts";
import { components } from "../../../generated/schemas.ts";
import { check } from "../../context/check.ts";
import { newLabel } from "../../provision/new-label.ts";
import { bodyRefusals } from "../../steps/body-refusals.ts";
import { grantable } from "../../steps/grantable.ts";
import { wide } from "./valid-creations.ts";

const create: Operation = operations.createApiKey;

/** Rules that a breach of the schema may belong to. */
const own = ["KEYC-15", "KEYC-17", "KEYC-18", "KEYC-27", "KEYC-28"] as const;

/** Creations that break exactly one constraint of the contract's schema. */
export const invalidCreations = check({
  id: "api-keys.invalid-creations",
  title: "A creation that breaks one constraint of the schema is refused as that constraint says",
  rules: own,
  kind: "property",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 20 },
  async run(t) {
    const main = await (await t.tenant({ limits: wide })).main();
    const scopes = grantable(main);
    await t.createKey(main, scopes.slice(0, 1));
    const label = newLabel();
    const schema = grantableBody(components.CreateApiKeyRequest ?? {}, scopes, label);
    const cases = breaches(schema, components).flatMap((breach) => {
      const expected = expectedFor(breach);
      return expected ? [arbitraryBreaching(breach).map((body) => ({ body, ...expected }))] : [];
    });
    // One of each first, so that a rule is decided however few values are tried.
    for (const each of cases) {
      const [sample] = fc.sample(each, { numRuns: 1, seed: Math.floor(t.random() * 2 ** 31) });
      if (sample) t.refused(sample.rule, await t.call("createApiKey", { body: sample.body }, main), ...sample.rows);
    }
    const any = fc.oneof(...cases).filter(({ body }) => encodesToItself(body));
    await t.property(any, async ({ body, rule, rows }) => {
      t.refused(rule, await t.call("createApiKey", { body }, main), ...rows);
    });
  },
});

/** The contract's body, its values confined to those that nothing but a broken constraint could make wrong. */
function grantableBody(body: JsonSchema, scopes: readonly string[], label: string): JsonSchema {
  const properties = isSchema(body.properties) ? body.properties : {};
  const required = Array.isArray(body.required) ? body.required : [];
  const list = isSchema(properties.scopes) ? properties.scopes : {};
  return {
    ...body,
    required: [...new Set([...required, "label"])],
    properties: {
      label: { type: "string", enum: [label] },
      scopes: { ...list, items: { type: "string", enum: scopes } },
    },
  };
}

/** The rule that a breach belongs to, and the rows that may answer it; null for one that the contract leaves open. */
function expectedFor({
  id,
  pointer,
  keyword,
}: Breach): { readonly rule: (typeof own)[number]; readonly rows: readonly ErrorRowName[] } | null {
  const item = pointer.startsWith("/scopes/");
  const refused = create.refusals.some((r) => r.pointer === "/scopes" && r.keywords.includes(keyword));
  if (item && keyword === "enum") return { rule: "KEYC-15", rows: ["InvalidInput"] };
  if (refused && keyword === "minItems") return { rule: "KEYC-17", rows: ["InvalidInput"] };
  if (refused && keyword === "uniqueItems") return { rule: "KEYC-18", rows: ["InvalidInput"] };
  if (pointer.startsWith("/scopes")) return { rule: "KEYC-27", rows: bodyRefusals };
  // A label that is null may count as left out, which the contract leaves open.
  const isNull = id.endsWith(":type=null");
  return pointer === "/label" && keyword === "type" && !isNull ? { rule: "KEYC-28", rows: bodyRefusals } : null;
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
