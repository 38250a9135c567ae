import { expect, it } from "vitest";
import { pages } from "./pages.ts";
import { send } from "./transport.ts";

const head = { status: 200, requestId: "", headers: {} };

/** A list whose pages have these cursors, one after the other. */
const listOf = (cursors: readonly (string | null)[]) => {
  let page = 0;
  return pages(async () => ({ ...head, ok: true, data: { next: cursors[page++ % cursors.length] } }), "/next");
};

it("an id of dots is refused before anything is sent: it would call another path", async () => {
  const envelope = { code: "/code", message: null, details: null, requestId: null };
  for (const id of [".", ".."]) {
    const call = { method: "GET", path: `/v1/api-keys/${id}`, envelope, errors: [], rows: {} } as const;
    const sent = send({ baseUrl: "http://127.0.0.1:1", token: "none" }, call);
    await expect(sent).rejects.toThrow(RangeError);
  }
});

it("a list ends with the page that has no cursor", async () => {
  const seen: unknown[] = [];
  for await (const page of listOf(["a", "b", null])) seen.push(page);
  expect(seen).toEqual([{ next: "a" }, { next: "b" }, { next: null }]);
});

it("a list whose cursor comes again ends with an error that says so", async () => {
  const read = async (): Promise<void> => {
    for await (const _ of listOf(["a", "b"]));
  };
  await expect(read()).rejects.toThrow('The server gave the cursor "a" a second time.');
});
