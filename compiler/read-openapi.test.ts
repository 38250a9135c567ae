import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Place } from "./contract.ts";
import { diff } from "./diff/diff.ts";
import { sampledInclusion as includes } from "./diff/sampled-inclusion.ts";
import { readOpenApi } from "./read-openapi.ts";

const folder = mkdtempSync(join(tmpdir(), "bylaw-openapi-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function written(file: string, text: string): string {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const read = (file: string, text: string) => readOpenApi(written(file, text), folder);

const document = (version: string, schema: string): string => `openapi: ${version}
info: { title: T, version: "1" }
paths:
  /things/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string } }
    put:
      operationId: putThing
      requestBody:
        content: { application/json: { schema: ${schema} } }
      responses:
        200: { description: Done. }
`;

const schemaOf = async (version: string, schema: string) => {
  const { contract, problems } = await read("one.yaml", document(version, schema));
  expect(problems).toEqual([]);
  return contract?.services[0]?.document.paths["/things/{id}"]?.put?.requestBody?.content["application/json"]?.schema;
};

it("reads operations, with the parameters of their path and their place", async () => {
  const { contract } = await read("one.yaml", document("3.1.0", "{ type: string }"));
  expect(contract?.operations).toMatchObject([
    {
      id: "putThing",
      method: "put",
      path: "/things/{id}",
      success: { allowed: 200 },
      place: { file: "one.yaml", line: 8 },
    },
  ]);
  expect(contract?.services[0]?.document.paths["/things/{id}"]?.put?.parameters).toMatchObject([
    { name: "id", in: "path" },
  ]);
});

/** A document whose `count` operations are all of one anchor. */
function aliased(count: number): string {
  const paths = Array.from({ length: count }, (_, index) => `  /things/${index}: { get: *list }\n`).join("");
  return `openapi: 3.1.0
info: { title: T, version: "1" }
x-parts:
  limit: &limit { name: limit, in: query }
  list: &list
    parameters: [{ <<: *limit, schema: { type: integer } }]
    responses: { 200: { description: Done. } }
paths:
${paths}`;
}

describe("aliases of YAML", () => {
  it("stand for what they name, however many there are", async () => {
    const { contract, problems } = await read("aliased.yaml", aliased(5000));
    expect(problems).toEqual([]);
    expect(contract?.operations).toHaveLength(5000);
    expect(contract?.services[0]?.document.paths["/things/4999"]?.get?.parameters).toEqual([
      { name: "limit", in: "query", schema: { type: "integer" } },
    ]);
  });

  it("are followed to the lines of what they name", async () => {
    const { lineOf } = await read("aliased.yaml", aliased(2));
    const lines = [["schema"], ["name"]].map((keywords) =>
      lineOf("/paths/~1things~11/get/parameters/query:limit", keywords),
    );
    expect(lines.map((found) => found?.line)).toEqual([6, 4]);
  });
});

it("merges what several << of one object name", async () => {
  const answers = `x-answers:
  one: &one { 404: { description: None. } }
  other: &other { 409: { description: Taken. } }
paths:
  /a:
    get:
      responses:
        <<: *one
        << : *other
        200: { description: Done. }
`;
  const { contract, problems, lineOf } = await read(
    "merged.yaml",
    `openapi: 3.1.0\ninfo: { title: T, version: "1" }\n${answers}`,
  );
  expect(problems).toEqual([]);
  expect(Object.keys(contract?.services[0]?.document.paths["/a"]?.get?.responses ?? {})).toEqual(["200", "404", "409"]);
  expect(lineOf("/paths/~1a/get/responses/409", [])?.line).toBe(5);
});

it("reads JSON as YAML", async () => {
  const json = JSON.stringify({
    openapi: "3.0.3",
    info: { title: "T", version: "1" },
    paths: { "/a": { get: { responses: {} } } },
  });
  const { contract, problems } = await read("one.json", json);
  expect([contract?.operations.length, problems]).toEqual([1, []]);
});

it("translates the schemas of OpenAPI 3.0", async () => {
  expect(await schemaOf("3.0.3", "{ type: integer, nullable: true, minimum: 1, exclusiveMinimum: true }")).toEqual({
    type: ["integer", "null"],
    exclusiveMinimum: 1,
  });
});

it("keeps what no validator can apply, without applying it", async () => {
  expect(await schemaOf("3.1.0", "{ type: file, pattern: '(', maxLength: '9', minLength: 1 }")).toEqual({
    "x-unread-type": "file",
    "x-unread-pattern": "(",
    "x-unread-maxLength": "9",
    minLength: 1,
  });
});

it("follows references across files, round in circles too", async () => {
  written(
    "parts/node.yaml",
    "type: object\nproperties: { next: { $ref: '#' }, name: { $ref: '../names.json#/defs/name' } }\n",
  );
  written("names.json", '{"defs":{"name":{"type":"string"}}}');
  const schema = await schemaOf("3.1.0", "{ $ref: 'parts/node.yaml' }");
  expect(schema).toEqual({ $ref: "#/components/schemas/node" });
  const { contract } = await readOpenApi(join(folder, "one.yaml"), folder);
  expect(contract?.services[0]?.document.components.schemas).toEqual({
    node: {
      type: "object",
      properties: { next: { $ref: "#/components/schemas/node" }, name: { $ref: "#/components/schemas/name" } },
    },
    name: { type: "string" },
  });
});

it.each([
  ["that refers to it through an index", "{ $ref: 'all.yaml#/Worker' }", ["Worker"]],
  ["that is another schema", "{ type: integer }", ["Worker", "Worker-2"]],
])(
  "calls a schema of another file as it is called there, beside a component of that name %s",
  async (_, own, names) => {
    written("all.yaml", "Worker: { $ref: 'worker.yaml#/Worker' }\n");
    written("worker.yaml", "Worker: { type: object }\n");
    const text = `${document("3.1.0", "{ $ref: 'all.yaml#/Worker' }")}components: { schemas: { Worker: ${own} } }\n`;
    const { contract, problems } = await read("indexed.yaml", text);
    expect(problems).toEqual([]);
    const { components } = contract?.services[0]?.document ?? {};
    expect(Object.keys(components?.schemas ?? {}).sort()).toEqual(names);
  },
);

it("follows references where OpenAPI has none, as in place of an operation, and finds what changes behind them", async () => {
  const entry = `openapi: 3.0.0
info: { title: T, version: "1" }
paths:
  /things:
    get: { $ref: parts/things.yaml }
`;
  written(
    "parts/things.yaml",
    `parameters: { $ref: parameters.yaml }
responses: { $ref: responses.yaml }
`,
  );
  written("parts/parameters.yaml", "[{ name: page, in: query, schema: { type: integer } }]\n");
  written("parts/responses.yaml", "200: { description: Done., content: { $ref: content.yaml } }\n");
  written("parts/content.yaml", "application/json: { $ref: media.yaml }\n");
  written("parts/media.yaml", "schema: { type: object, properties: { $ref: 'all.yaml#/members' } }\n");
  const member = (schema: string): string => written("parts/all.yaml", `members: { a%b/c: ${schema} }\n`);
  member("{ type: string, maxLength: 5 }");
  const before = await read("spread.yaml", entry);
  member("{ type: string }");
  const after = await read("spread.yaml", entry);
  expect([before.problems, after.problems]).toEqual([[], []]);
  if (before.contract === null || after.contract === null) throw new Error("Both are sound.");
  expect(after.contract.services[0]?.document.paths["/things"]?.get?.parameters).toMatchObject([{ name: "page" }]);
  const [change] = diff(before.contract, after.contract, { includes, extent: "document" });
  expect(change).toMatchObject({ id: "response-body-widened", edit: { keyword: "maxLength" } });
  expect(after.lineOf(change?.pointer.replace(/schema.*/, "schema/properties/a%b~1c") ?? "", ["type"])).toMatchObject({
    file: "parts/all.yaml",
    line: 1,
  });
});

it("tells the lines of what stands in other files by the name that it has as a component", async () => {
  written("parts/text.yaml", "type: string\nmaxLength: 9\n");
  const { lineOf } = await read("lines.yaml", document("3.1.0", "{ $ref: parts/text.yaml }"));
  expect(lineOf("/components/schemas/text", ["maxLength"])).toEqual({
    file: join("parts", "text.yaml"),
    line: 2,
    text: "maxLength: 9",
  });
  expect(lineOf("/components/schemas/other", ["maxLength"])).toBeNull();
});

it("follows what a part in a file of its own refers to as if it stood in the whole document", async () => {
  const entry = `openapi: 3.1.0
info: { title: T, version: "1" }
paths: { /things: { $ref: paths/things.yaml } }
components: { schemas: { Thing: { $ref: schemas/Thing.yaml }, Name: { type: string } } }
`;
  const answer = (name: string): string =>
    `get: { responses: { 200: { description: Done., content: { a/b: { schema: { $ref: '#/components/schemas/${name}' } } } } } }\n`;
  written("paths/things.yaml", answer("Thing"));
  written("schemas/Thing.yaml", "type: object\nproperties: { name: { $ref: '#/components/schemas/Name' } }\n");
  const { contract, problems } = await read("pasted.yaml", entry);
  expect(problems).toEqual([]);
  expect(contract?.services[0]?.document.components.schemas).toEqual({
    Thing: { type: "object", properties: { name: { $ref: "#/components/schemas/Name" } } },
    Name: { type: "string" },
  });
  written("paths/things.yaml", answer("Gone"));
  expect((await read("pasted.yaml", entry)).problems.map(({ code }) => code)).toEqual(["broken-reference"]);
});

it("follows references in place of all paths or schemas, and through them", async () => {
  written(
    "all/paths.yaml",
    "/things: { get: { responses: { 200: { $ref: '../whole.yaml#/components/responses/Read' } } } }\n",
  );
  written("all/schemas.yaml", "Thing: { type: string, maxLength: 9 }\n");
  const { contract, problems } = await read(
    "whole.yaml",
    `openapi: 3.1.0
info: { title: T, version: "1" }
paths: { $ref: all/paths.yaml }
components:
  schemas: { $ref: all/schemas.yaml }
  responses:
    Read: { content: { application/json: { schema: { $ref: "#/components/schemas/Thing" } } } }
`,
  );
  expect(problems).toEqual([]);
  expect(contract?.operations.map(({ id }) => id)).toEqual(["get /things"]);
  expect(contract?.services[0]?.document.components.schemas).toEqual({ Thing: { type: "string", maxLength: 9 } });
});

it("gives the same contract for a schema in place and one that is referred to", async () => {
  const inline = await read("inline.yaml", document("3.1.0", "{ type: string }"));
  written("text.yaml", "type: string\n");
  const referred = await read("referred.yaml", document("3.1.0", "{ $ref: text.yaml }"));
  if (inline.contract === null || referred.contract === null) throw new Error("Both are sound.");
  expect(diff(inline.contract, referred.contract, { includes, extent: "document" })).toEqual([]);
});

interface Wrong {
  readonly code?: string;
  readonly message?: RegExp;
  readonly place?: Partial<Place>;
}

describe("says what is wrong, where, and what to do", () => {
  const wrong: readonly (readonly [string, string, Wrong])[] = [
    ["Swagger 2", "swagger: '2.0'\n", { code: "swagger-2" }],
    ["not OpenAPI", "hello: there\n", { code: "not-openapi" }],
    ["a list", "- 1\n", { code: "not-openapi" }],
    ["an unknown version", "\nopenapi: 4.0.0\n", { code: "openapi-version", place: { line: 2, column: 10 } }],
    ["paths in a list", "openapi: 3.1.0\npaths: []\n", { code: "not-openapi", place: { line: 2 } }],
    [
      "properties that are none",
      document("3.1.0", "{ type: object, properties: { $ref: '#/info/title' } }"),
      { code: "broken-reference", message: /leads to no properties/ },
    ],
    ["no YAML", "a: [1\nb: 2\n", { code: "unreadable", message: /\(at \/b\)$/, place: { line: 2, column: 1 } }],
    [
      "a name that YAML has twice",
      "openapi: 3.1.0\npaths:\n  /a: {}\n  /b: {}\n  /a: {}\n",
      { code: "unreadable", message: /^"\/a" stands twice .+\(at \/paths\/~1a\)$/, place: { line: 5, column: 3 } },
    ],
    [
      "a name that JSON has twice",
      '{ "openapi": "3.1.0",\n  "tags": [{ "a,\\"": 1 }, {\n    "a": 1, "b": { "a": 1 }, "\\u0061": 1 }] }',
      { code: "unreadable", message: /^"a" stands twice .+\(at \/tags\/1\/a\)$/, place: { line: 3, column: 30 } },
    ],
    [
      "an alias of nothing",
      "a:\n  b: *c\n",
      { message: /\*c has no anchor .+\(at \/a\/b\)$/, place: { line: 2, column: 6 } },
    ],
    ["two documents", "a: 1\n---\nb: 1\n", { message: /A second YAML document/, place: { line: 2 } }],
    [
      "a bomb of aliases",
      bomb(),
      {
        message: /\*a5 the document unfolds to more than 1,000,000 parts.+\(at \/a6\/4\)$/,
        place: { line: 8, column: 30 },
      },
    ],
    [
      "an alias within what it names",
      "a: &a\n  b: [*a]\n",
      { message: /\*a stands within what it names.+\(at \/a\/b\/0\)$/, place: { line: 2, column: 7 } },
    ],
    ["a deep document", `{"a":${"[".repeat(9000)}${"]".repeat(9000)}}`, { code: "unreadable" }],
    [
      "a broken reference",
      document("3.1.0", "{ $ref: '#/components/schemas/Gone' }"),
      { code: "broken-reference", place: { file: "bad.yaml", line: 10, column: 48 } },
    ],
    [
      "a broken reference within",
      document("3.1.0", "{ properties: { b: { anyOf: [true, { $ref: '#/gone' }] } } }"),
      { message: /leads nowhere.+\/schema\/properties\/b\/anyOf\/1\)$/, place: { line: 10, column: 83 } },
    ],
    [
      "a missing file",
      document("3.1.0", "{ $ref: 'gone.yaml' }"),
      { code: "broken-reference", message: /leads to gone\.yaml, which cannot be read: there is no such file/ },
    ],
    ["another machine", document("3.1.0", "{ $ref: 'https://a.invalid/b.yaml' }"), { code: "broken-reference" }],
    ["a reference to itself", "openapi: 3.1.0\npaths: { /a: { $ref: '#/paths/~1a' } }\n", { code: "reference-cycle" }],
  ];

  it.each(wrong)("%s", async (_, text, { message = /./, ...problem }) => {
    const reading = await read("bad.yaml", text);
    const [{ code } = { code: "" }] = reading.problems;
    // The rest of a document is read whatever a reference leads to.
    expect(reading.contract === null).toBe(code !== "broken-reference" && code !== "reference-cycle");
    expect(reading.problems).toMatchObject([
      { severity: "error", message: expect.stringMatching(message), ...problem },
    ]);
  });
});

function bomb(): string {
  const lines = Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(", ")}]`);
  return `openapi: 3.1.0\na0: &a0 [x]\n${lines.join("\n")}\n`;
}
