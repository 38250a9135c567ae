import { describe, expect, it } from "vitest";
import { operations } from "../../generated/operations.ts";
import type { Change } from "./edit.ts";
import { withMembers } from "./ports.ts";
import { startEdited } from "./start-edited.ts";
import { withData, withHeaders } from "./wire.ts";

/** A server with these changes, and the answer to a new organization that its sandbox is asked for. */
async function asked(...changes: readonly Change[]) {
  const server = await startEdited([{ id: "test", does: "", answers: "Q1", changes }]);
  const { method, path } = operations.createOrganization;
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${server.sandboxToken}`, "content-type": "application/json" },
    body: "{}",
  });
  const body = await response.json();
  await server.close();
  return { status: response.status, headers: response.headers, body, failures: server.failures };
}

describe("an edited server", () => {
  it("answers through its wires, the last outermost", async () => {
    const adding = (name: string): Change => ({
      wire: (serve) => async (request) => withHeaders(await serve(request), { "x-way": name }),
    });
    const plain = await asked();
    const edited = await asked(adding("inner"), adding("outer"), {
      wire: (serve) => async (request) => withData(await serve(request), { operation: request.operation }),
    });
    expect(plain.failures).toEqual([]);
    expect(edited).toMatchObject({ status: plain.status, failures: [] });
    expect(edited.body).toMatchObject({ success: true, data: { operation: operations.createOrganization.id } });
    expect(edited.headers.get("x-way")).toBe("outer");
  });

  it("reaches the outside through its ports", async () => {
    const id = "11111111-2222-4333-8444-555555555555";
    const { body } = await asked({
      ports: (ports) => ({ ...ports, world: withMembers(ports.world, { newId: () => id }) }),
    });
    expect(body).toMatchObject({ data: { id } });
  });

  it("tells what failed", async () => {
    const { failures, status } = await asked({
      ports: (ports) => ({
        ...ports,
        store: withMembers(ports.store, { insertOrganization: () => Promise.reject(new Error("no room")) }),
      }),
    });
    expect(status).toBeGreaterThanOrEqual(500);
    expect(failures).toEqual([expect.stringContaining("no room")]);
  });
});
