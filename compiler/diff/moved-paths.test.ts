import { expect, it } from "vitest";
import { includes } from "../schema/inclusion.ts";
import { diff } from "./diff.ts";
import { contractOf } from "./fixtures/document-of.ts";
import type { JsonObject } from "./json-at.ts";

const text = (maxLength: number): JsonObject => ({ "application/json": { schema: { type: "string", maxLength } } });

const documentWith = (urls: readonly string[], paths: readonly string[], own: JsonObject = {}, maxLength = 9) =>
  contractOf({
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    servers: urls.map((url) => ({ url })),
    paths: Object.fromEntries(
      paths.map((path) => [path, { ...own, post: { requestBody: { content: text(maxLength) }, responses: {} } }]),
    ),
    components: { schemas: {} },
  });

const told = (base: ReturnType<typeof documentWith>, head: typeof base): readonly string[] =>
  diff(base, head, { includes, extent: "document" }).map(({ id, pointer }) => `${id} ${pointer}`);

const inAddress = documentWith(["https://a.example/v2"], ["/things", "/things/{id}"]);
const inPaths = documentWith(["https://a.example"], ["/v2/things", "/v2/things/{id}"]);

it("a part of the addresses that the paths begin with instead is no change of any request", () => {
  expect(told(inAddress, inPaths)).toEqual([]);
  expect(told(inPaths, inAddress)).toEqual([]);
  expect(told(documentWith(["/v2"], ["/things"]), documentWith([], ["/v2/things"]))).toEqual([]);
  expect(told(documentWith(["/api/v2/"], ["/things"]), documentWith(["/api/"], ["/v2/things"]))).toEqual([]);
});

it("a host may be a variable", () => {
  const hosts = (path: string): readonly string[] => [`https://a.example${path}`, `{host}${path}`];
  const moved = documentWith(hosts(""), ["/v2/things", "/v3/things"]);
  expect(told(documentWith(hosts("/v2"), ["/things"]), moved)).toEqual(["operation-added /paths/~1v3~1things/post"]);
});

it("what else changes meanwhile is told, as it stands in the head", () => {
  const narrower = documentWith(["https://a.example", "https://b.example"], ["/v2/things"], {}, 5);
  expect(told(inAddress, narrower)).toEqual([
    "operation-removed /paths/~1things~1{id}/post",
    "request-body-narrowed /paths/~1v2~1things/post/requestBody/content/application~1json/schema",
    "server-added /servers/https:~1~1b.example",
  ]);
  expect(told(inAddress, documentWith(["https://b.example"], ["/v2/things", "/v2/things/{id}"]))).toEqual([
    "server-removed /servers/https:~1~1a.example~1v2",
    "server-added /servers/https:~1~1b.example",
  ]);
});

it("an address that another takes the place of is gone, as long as the paths stay", () => {
  const shorter = documentWith(["https://a.example"], ["/things", "/things/{id}"]);
  expect(told(inAddress, shorter)).toEqual([
    "server-removed /servers/https:~1~1a.example~1v2",
    "server-added /servers/https:~1~1a.example",
  ]);
});

it("addresses that end otherwise, or that operations have of their own, move nothing", () => {
  const gone = (base: typeof inAddress) => told(base, inPaths).filter((one) => one.startsWith("operation-removed"));
  expect(gone(documentWith(["https://a.example/v2", "https://b.example/v1"], ["/things"]))).toHaveLength(1);
  expect(gone(documentWith(["https://a.example/{version}"], ["/things"]))).toHaveLength(1);
  const own = { servers: [{ url: "https://c.example" }] };
  expect(gone(documentWith(["https://a.example/v2"], ["/things"], own))).toHaveLength(1);
});

it("paths that end with a slash no longer are one edit, whatever else changes of them", () => {
  const slashed = documentWith([], ["/things/", "/boxes/", "/boxes"]);
  const bare = documentWith([], ["/things", "/boxes"]);
  const narrower = documentWith([], ["/things", "/boxes", "/boxes/"], {}, 5);
  expect(told(slashed, bare).toSorted()).toEqual(
    ["trailing-slash-changed /paths/~1things/post", "operation-removed /paths/~1boxes~1/post"].toSorted(),
  );
  expect(told(slashed, narrower).filter((one) => !one.includes("boxes"))).toEqual([
    "trailing-slash-changed /paths/~1things/post",
    "request-body-narrowed /paths/~1things/post/requestBody/content/application~1json/schema",
  ]);
  const both = documentWith([], ["/things/", "/boxes/"]);
  const edits = diff(both, bare, { includes, extent: "document" }).map(({ edit }) => JSON.stringify(edit));
  expect([edits.length, new Set(edits).size]).toEqual([2, 1]);
});
