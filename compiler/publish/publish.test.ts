import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Json } from "../contract.ts";
import { diff } from "../diff/diff.ts";
import { sampledInclusion as includes } from "../diff/sampled-inclusion.ts";
import { readOpenApi } from "../read-openapi.ts";
import { readTypeSpec } from "../read-typespec.ts";
import { asPublished } from "./described-document.ts";

const root = resolve(import.meta.dirname, "../..");
const reading = await readTypeSpec(join(root, "spec/main.tsp"), root);
if (reading.contract === null) throw new Error(JSON.stringify(reading.problems));
const { contract } = reading;

interface Published {
  readonly paths: Readonly<Record<string, Readonly<Record<string, PublishedOperation>>>>;
  readonly webhooks?: Readonly<Record<string, { readonly post: PublishedOperation }>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, { readonly [keyword: string]: Json }>>>>;
}

interface PublishedOperation {
  readonly operationId: string;
  readonly security?: Json;
  readonly parameters?: readonly { readonly $ref?: string; readonly name?: string }[];
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
}

const published = (file: string): Published => parse(readFileSync(join(root, "generated", file), "utf8"));
const open = published("openapi.yaml");
const exact = published("openapi.reference.yaml");
const operationsOf = ({ paths }: Published) => Object.values(paths).flatMap((item) => Object.values(item));

describe("the published documents", () => {
  it("say nothing else than the contract: comparing the two finds no change", async () => {
    const { contract: read, problems } = await readOpenApi(join(root, "generated/openapi.yaml"), root);
    if (read === null) throw new Error(JSON.stringify(problems));
    expect(diff(asPublished(contract), read, { includes, extent: "document" })).toEqual([]);
  });

  it.each(["openapi.yaml", "openapi.reference.yaml", "sandbox.openapi.yaml"])(
    "%s has no schema that says nothing, and none that nothing leads to but errors",
    (file) => {
      const document = published(file);
      const text = JSON.stringify(document);
      const rows = contract.errors.map(({ name }) => name);
      const idle = Object.entries(document.components.schemas ?? {}).filter(
        ([name, { description: _, ...schema }]) =>
          (!text.includes(`"#/components/schemas/${name}"`) && !rows.includes(name)) ||
          (Object.keys(schema).length <= 1 && schema.type === "object"),
      );
      expect(idle.map(([name]) => name)).toEqual([]);
    },
  );

  it("have a webhook with the signed headers for each type of event", () => {
    for (const { webhooks = {}, components } of [open, exact]) {
      expect(Object.keys(webhooks)).toEqual(contract.eventTypes);
      const names = Object.values(webhooks).map(({ post }) =>
        post.parameters?.map(({ $ref, name }) => name ?? components.parameters?.[$ref?.split("/").at(-1) ?? ""]?.name),
      );
      const signed = contract.deliveryHeaders.map(({ name }) => name).filter((name) => name !== "Content-Type");
      expect(names).toEqual(contract.eventTypes.map(() => signed));
    }
  });

  it("have every error answer as a component, and each component once", () => {
    for (const document of [open, exact]) {
      const errors = operationsOf(document).flatMap(({ responses }) =>
        Object.entries(responses).filter(([status]) => !status.startsWith("2")),
      );
      expect(errors.filter(([, { $ref }]) => !$ref?.startsWith("#/components/responses/"))).toEqual([]);
      const texts = Object.values(document.components.responses ?? {}).map((response) => JSON.stringify(response));
      expect(new Set(texts).size).toBe(texts.length);
    }
  });

  it("name as roles the scopes that the contract names, and in the reference's those that it chose", () => {
    const roleOf = (document: Published, id: string): Json | undefined =>
      operationsOf(document).find(({ operationId }) => operationId === id)?.security;
    for (const { id, service, scope, scopeQuestion } of contract.operations) {
      if (service !== "api" || scope === null) continue;
      expect(roleOf(exact, id)).toEqual([{ BearerAuth: [scope] }]);
      expect(roleOf(open, id)).toEqual(scopeQuestion === null ? [{ BearerAuth: [scope] }] : undefined);
    }
  });

  it("have exact statuses in the reference's, each that the reference answers", () => {
    for (const { operationId, responses } of operationsOf(exact)) {
      const operation = contract.operations.find(({ id }) => id === operationId);
      const rows = contract.errors.filter(({ name }) => operation?.errors.includes(name));
      const statuses = [operation?.success.reference, ...rows.map(({ referenceStatus }) => referenceStatus)];
      expect(Object.keys(responses)).toEqual([...new Set(statuses.map(String))].sort());
    }
  });
});
