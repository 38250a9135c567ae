import { beforeEach, describe, expect, it } from "vitest";
import { buckets } from "../../generated/limits.ts";
import { newTestDatabase } from "../../reference-server/store/open-test-store.ts";
import { serving } from "./spawn-serve.ts";

const environment = { BYLAW_SANDBOX_TOKEN: "from-the-environment" };
const { capacity } = buckets.apiKeyWrites;

let database: string;
beforeEach(async () => {
  database = await newTestDatabase();
});

async function post(
  url: string,
  token: string,
  body: unknown,
): Promise<{ status: number; data: Record<string, string> }> {
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const { data = {} } = (await response.json()) as { data?: Record<string, string> };
  return { status: response.status, data };
}

describe("serve on PostgreSQL", () => {
  it("starts as three servers at once on an empty database, and 200 creations over them admit what the limit holds", async () => {
    const flags = ["--store", database, "--log-level", "warn"];
    const servers = await Promise.all([1, 2, 3].map(() => serving(flags, environment)));
    const urls = servers.map(({ url }) => url);
    const sandbox = `${urls[0]}/sandbox/v1/organizations`;
    const { id } = (await post(sandbox, environment.BYLAW_SANDBOX_TOKEN, { clock: "manual" })).data;
    const scopes = ["apikeys:write"];
    const { plaintext = "" } = (await post(`${sandbox}/${id}/keys`, environment.BYLAW_SANDBOX_TOKEN, { scopes })).data;
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        post(`${urls[index % urls.length]}/v1/api-keys`, plaintext, { label: "x", scopes }),
      ),
    );
    const counts = Object.groupBy(answers, ({ status }) => status);
    expect(counts[201]).toHaveLength(capacity);
    expect(counts[429]).toHaveLength(200 - capacity);
    for (const { child } of servers) child.kill("SIGTERM");
    for (const { exited, written } of servers) expect([await exited, written.err]).toEqual([0, ""]);
  });

  it("shows its database without user and password", async () => {
    // Where the database asks for no password, it takes any.
    const place = new URL(database);
    place.password ||= "secret";
    const { written } = await serving(["--store", place.href]);
    expect(written.out).toContain(`(store: postgres://${place.host}${place.pathname}, sandbox: off)`);
    expect(written.out + written.err).not.toContain(place.password);
  });
});
