import { describe, expect, it } from "vitest";
import type { Contract } from "../contract.ts";
import { includes } from "../schema/inclusion.ts";
import type { Components } from "../schema/resolve-reference.ts";
import { gravity } from "./change.ts";
import { diff } from "./diff.ts";
import { contractOf } from "./fixtures/document-of.ts";
import type { Gravest } from "./fixtures/named-members.ts";
import { sentParameters } from "./fixtures/sent-parameters.ts";
import type { JsonObject } from "./json-at.ts";

const documentWith = (parameter: JsonObject, schemas: Components): Contract =>
  contractOf({
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    paths: { "/things/{id}": { get: { parameters: [parameter], responses: { "204": { description: "Done." } } } } },
    components: { schemas },
  });

function gravest(base: JsonObject, head: JsonObject, components: Components): Gravest {
  const changes = diff(documentWith(base, components), documentWith(head, components), {
    includes,
    extent: "document",
  });
  const [first] = changes.map(({ verdict }) => verdict).sort((one, other) => gravity[one] - gravity[other]);
  return first ?? "none";
}

describe("parameters are compared as they are sent", () => {
  it.each(sentParameters)("$name", ({ base, head, components, forth, back }) => {
    expect({ forth: gravest(base, head, components), back: gravest(head, base, components) }).toEqual({ forth, back });
  });
});
