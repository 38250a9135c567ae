import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { scopes } from "../../generated/scopes.ts";
import { callBylaw } from "../call-bylaw.ts";
import { serving, type spawnServe } from "./spawn-serve.ts";

const scratch = mkdtempSync(join(tmpdir(), "bylaw-serve-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

type Environment = Parameters<typeof spawnServe>[1];

/** Within this process: nothing is served. */
const refusesToStart = async (flags: readonly string[], message: string, env: Environment = {}): Promise<void> => {
  const { code, stdout, stderr } = await callBylaw(scratch, ["serve", "--port", "0", ...flags], env);
  expect(code, stderr).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr.trim().split("\n").length).toBeLessThanOrEqual(3);
  expect(stderr).not.toContain("secret");
  expect(stdout).toBe("");
};

describe("serve", () => {
  it("says where it serves, answers, and ends on SIGTERM", async () => {
    const { url, child, exited, written } = await serving([]);
    expect(written.out).toMatch(/^Serving at http:\/\/127\.0\.0\.1:\d+ \(store: memory, sandbox: off\)\n$/);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    child.kill("SIGTERM");
    expect(await exited).toBe(0);
    expect(JSON.parse(written.err.trim())).toMatchObject({ msg: "request", path: "/healthz", status: 200 });
  });

  it("prints a first organization with its key once, and keeps both in the file", async () => {
    const store = `sqlite:${join(scratch, "first.db")}`;
    const first = await serving(["--store", store, "--seed-organization", "--log-level", "debug"]);
    const { organization_id: id, api_key: key } = JSON.parse(first.written.out.split("\n")[0] ?? "");
    first.child.kill("SIGINT");
    expect(await first.exited).toBe(0);
    const second = await serving(["--store", store]);
    const answer = await fetch(`${second.url}/v1/api-keys`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ label: "all", scopes }),
    });
    expect([answer.status, ((await answer.json()) as { data: { org_id: string } }).data.org_id]).toEqual([201, id]);
    for (const { written } of [first, second]) expect(written.err).not.toContain(key);
    expect(second.written.out).not.toContain(key);
  });

  it("gives a first organization credit, so that it can send", async () => {
    const { url, written } = await serving(["--seed-organization", "--seed-credit", "0.01"]);
    const { api_key: key } = JSON.parse(written.out.split("\n")[0] ?? "");
    const call = async (path: string, body: object): Promise<number> => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      return (await fetch(`${url}/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body) })).status;
    };
    const to = "+12025550130";
    await call("consent", { phone_number: to, source: "form", captured_at: new Date().toISOString() });
    const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
    expect(await call("messages", { to, body: "Hello.", scheduled_at })).toBe(202);
    expect(await call("lookup", { phone_number: to })).toBe(402);
  });

  it("opens the sandbox to the token of the named variable", async () => {
    const { url, written } = await serving(["--sandbox-token-env", "MY_TOKEN"], { MY_TOKEN: "from-the-environment" });
    expect(written.out).toContain("sandbox: on");
    const headers = { authorization: "Bearer from-the-environment" };
    expect((await fetch(`${url}/sandbox/v1/capabilities`, { headers })).status).toBe(200);
    expect(written.out + written.err).not.toContain("from-the-environment");
  });

  it("follows a file of choices", async () => {
    const file = join(scratch, "choices.yaml");
    writeFileSync(file, "wwwAuthenticate: omitted\nunknownPath: InvalidInput\n");
    const { url } = await serving(["--choices", file]);
    expect((await fetch(`${url}/nothing`)).status).toBe(400);
    expect((await fetch(`${url}/v1/nothing`)).headers.has("www-authenticate")).toBe(false);
  });

  it("shows each attempt at a delivery in one line, to receivers on this machine only where they are admitted", async () => {
    const receiver = createHttpServer((_request, response) => response.writeHead(503).end()).listen(0, "127.0.0.1");
    await once(receiver, "listening");
    const address = receiver.address();
    const endpoint = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/hook`;
    const create = async (base: string, key: string) =>
      fetch(`${base}/v1/webhooks`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ url: `${endpoint}?password=secret`, events: ["lookup.completed"] }),
      });
    const keyOf = (out: string) => JSON.parse(out.split("\n")[0] ?? "").api_key;
    const strict = await serving(["--seed-organization"]);
    expect((await create(strict.url, keyOf(strict.written.out))).status).toBe(422);

    const { url, written } = await serving(["--seed-organization", "--admit-loopback", "--delivery-timeout", "2.5"]);
    const key = keyOf(written.out);
    const { data } = (await (await create(url, key)).json()) as { data: { id: string } };
    const test = { method: "POST", headers: { authorization: `Bearer ${key}` } };
    expect((await fetch(`${url}/v1/webhooks/${data.id}/test`, test)).status).toBe(202);
    await expect.poll(() => written.out).toContain("(attempt 1, next in 5 s)");
    const line = written.out.split("\n").find((each) => each.includes("attempt 1")) ?? "";
    expect(line).toMatch(
      /^did not deliver evt_[0-9a-f-]{36} lookup\.completed → http:\/\/127\.0\.0\.1:\d+\/hook\?… 503 in \d+ ms \(/,
    );
    expect(written.out + written.err).not.toContain("password");
    receiver.close();
  });

  it("makes pages at the address that recipients are told", async () => {
    const { url, child, exited, written } = await serving(["--seed-organization", "--public-url", "https://x.test/a/"]);
    const { api_key: key } = JSON.parse(written.out.split("\n")[0] ?? "");
    const made = await fetch(`${url}/v1/consent/hosted`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ phone_number: "+12025550130", source: "checkout", sender_name: "Bakery" }),
    });
    const { data } = Object(await made.json());
    expect(data.url).toMatch(/^https:\/\/x\.test\/a\/opt-in\/[\w-]+$/);
    child.kill("SIGTERM");
    expect(await exited).toBe(0);
  });

  it("finishes a request in flight after the signal", async () => {
    const { url, child, exited, written } = await serving(["--seed-organization"]);
    const { api_key: key } = JSON.parse(written.out.split("\n")[0] ?? "");
    const inFlight = request(`${url}/v1/api-keys`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", expect: "100-continue" },
    });
    inFlight.write('{"label":"slow",');
    await once(inFlight, "continue");
    child.kill("SIGTERM");
    await new Promise((done) => setTimeout(done, 200));
    inFlight.end('"scopes":["apikeys:read"]}');
    const [answer] = await once(inFlight, "response");
    expect(answer.statusCode).toBe(201);
    answer.resume();
    expect(await exited).toBe(0);
  });

  it("refuses to start with one clear message and exit code 2", async () => {
    const wrong = join(scratch, "wrong.json");
    writeFileSync(wrong, '{"lastUsed":"never"}');
    await refusesToStart(["--port", "80000"], "It must be a whole number from 0 to 65535.");
    await refusesToStart(["--delivery-timeout", "0"], "It must be a number above 0, up to 120.");
    await refusesToStart(["--delivery-timeout", "ten"], "It must be a number above 0, up to 120.");
    await refusesToStart(["--public-url", "example.test"], "It must be an http or https address without a query.");
    await refusesToStart(["--nope"], "unknown option '--nope'");
    await refusesToStart(["--admit-loopback"], "Leave out --admit-loopback", { NODE_ENV: "production" });
    await refusesToStart(["--log-level", "loud"], "Allowed choices are trace");
    await refusesToStart(["--store", "mysql://u:secret@h/d"], 'There is no store "mysql:…".');
    await refusesToStart(["--store", "postgres://u:secret@127.0.0.1:1/d"], "postgres://127.0.0.1:1/d cannot be used");
    await refusesToStart(["--store", "sqlite:/no/such/folder/x.db"], "unable to open database file");
    await refusesToStart(["--choices", "/no/such/file"], "The choices in /no/such/file cannot be used.");
    await refusesToStart(["--choices", wrong], 'The option lastUsed cannot be "never". Values: at-once, delayed.');
  });

  it("says so when the port is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    await refusesToStart(["--port", String(port)], "The port is in use.");
    other.close();
  });
});
