import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { newSecrets } from "../exchange/redaction.ts";
import { newHookCaller } from "../hooks/hook-caller.ts";
import { openDeadline } from "../liveness/deadline.ts";
import { interruption } from "../liveness/or-ended.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Target } from "../target/target.ts";
import { newLedger } from "./ledger.ts";
import { newProvisioner } from "./provisioner.ts";
import { usualSettings } from "./usual-settings.ts";
import { newWaiting } from "./wait.ts";

const folder = mkdtempSync(join(tmpdir(), "bylaw-provisioner-"));
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

const bare: Target = {
  ...{ baseUrl: "http://127.0.0.1:9", key: null, secrets: {}, sandbox: null },
  ...{ hooks: {}, implements: null, receiver: null, shapes: {}, numbers: {} },
  timing: { requestTimeout: 60_000, maxWait: 0, pollInterval: 10, pollTimeout: 50, clockSkew: 0 },
};

function provisionerFor(target: Target, limits: readonly string[] | null = null) {
  const told: string[] = [];
  const ledger = newLedger({
    left: ({ kind, id }) => told.push(`made ${kind} ${id}`),
    gone: ({ kind, id }) => told.push(`gone ${kind} ${id}`),
  });
  const sender = {
    send: () => Promise.reject(new Error("Nothing is sent.")),
    count: () => 0,
    close: async () => undefined,
  };
  const closing = new AbortController().signal;
  const secrets = newSecrets();
  const hooks = newHookCaller(target, secrets, closing);
  const options = {
    target,
    sender,
    secrets,
    hooks,
    waiting: newWaiting({ maxSeconds: 0 }),
    ledger,
    closing,
    scopes: [],
    limits,
  };
  return { provisioner: newProvisioner(options), told, ledger };
}

test("an organization that a hook makes is noted when it is made, and stays without a hook that deletes it", async () => {
  const path = join(folder, "hooks.mjs");
  writeFileSync(path, `export const make = () => ({ id: "o1", key: "svc_live_made00000000" });\n`);
  const { provisioner, told } = provisionerFor({
    ...bare,
    hooks: { new_organization: { kind: "module", path, name: "make" } },
  });
  const fixture = provisioner.fixture(["key"]);
  await fixture.tenant({});
  expect(told).toEqual(["made organization o1"]);
  await fixture.dispose();
  expect(told).toHaveLength(1);
});

test("an organization that a hook makes is deleted by one after its check, with all that is noted of it", async () => {
  const path = join(folder, "both.mjs");
  const exported = [
    `export const make = () => ({ id: "o1", key: "svc_live_made00000000" });`,
    "export const unmake = ({ organization_id }) => { globalThis.unmade = organization_id; };",
  ];
  writeFileSync(path, exported.join("\n"));
  const hook = (name: string) => ({ kind: "module", path, name }) as const;
  const { provisioner, told, ledger } = provisionerFor({
    ...bare,
    hooks: { new_organization: hook("make"), delete_organization: hook("unmake") },
  });
  const fixture = provisioner.fixture(["key"]);
  await fixture.tenant({});
  ledger.made({ kind: "api-key", id: "k1", organizationId: "o1" });
  ledger.made({ kind: "api-key", id: "k2", organizationId: "o2" });
  await fixture.dispose();
  expect(Reflect.get(globalThis, "unmade")).toBe("o1");
  expect(told.slice(3)).toEqual(["gone organization o1", "gone api-key k1"]);
  expect(ledger.left().map(({ id }) => id)).toEqual(["k2"]);
});

test("an organization that its hook fails to delete stays in the ledger", async () => {
  const path = join(folder, "failing.mjs");
  writeFileSync(
    path,
    `export const make = () => ({ id: "o1", key: "svc_live_made00000000" });\nexport const fail = () => { throw new Error("No."); };\n`,
  );
  const hook = (name: string) => ({ kind: "module", path, name }) as const;
  const { provisioner, ledger } = provisionerFor({
    ...bare,
    hooks: { new_organization: hook("make"), delete_organization: hook("fail") },
  });
  const fixture = provisioner.fixture(["key"]);
  await fixture.tenant({});
  await fixture.dispose();
  expect(ledger.left()).toHaveLength(1);
});

test("an organization that is made after its check has ended is noted and given back", async () => {
  const asked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    asked.resolve();
    if (request.method === "POST") await release.promise;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ success: true, data: { id: "o1" } }));
  });
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { provisioner, told } = provisionerFor({ ...bare, sandbox: { baseUrl, token: "token" } });
  const fixture = provisioner.fixture(["key"]);
  const run = new AbortController();
  const deadline = openDeadline({ milliseconds: 60_000, ended: run.signal, late: interruption });
  const outcome = deadline.run(() => fixture.tenant({})).catch((error: unknown) => error);
  await asked.promise;
  run.abort(interruption());
  expect(await outcome).toMatchObject({ message: "the run was interrupted" });
  const disposed = fixture.dispose();
  release.resolve();
  await disposed;
  expect(told).toEqual(["made sandbox-organization o1", "gone sandbox-organization o1"]);
});

test("no organization of a server that ends with the run is noted or deleted", async () => {
  const methods: unknown[] = [];
  const server = createServer((request, response) => {
    methods.push(request.method);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ success: true, data: { id: "o1" } }));
  });
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sandbox = { baseUrl, token: "token", endsWithRun: true };
  const { provisioner, told } = provisionerFor({ ...bare, sandbox });
  const fixture = provisioner.fixture(["key"]);
  await fixture.tenant({});
  await fixture.dispose();
  expect(methods).toEqual(["POST"]);
  expect(told).toEqual([]);
});

test.each([
  {
    fate: "is deleted again",
    answers: ["lost", 200],
    told: ["made sandbox-organization o1", "gone sandbox-organization o1"],
  },
  { fate: "is gone", answers: ["lost", 404], told: ["made sandbox-organization o1", "gone sandbox-organization o1"] },
  { fate: "stays when that is refused", answers: ["lost", 403], told: ["made sandbox-organization o1"] },
  { fate: "stays when that is lost too", answers: ["lost", "lost"], told: ["made sandbox-organization o1"] },
  { fate: "stays without being asked for again", answers: [403], told: ["made sandbox-organization o1"] },
])("an organization whose deletion is lost or refused $fate: $answers", async ({ answers, told: expected }) => {
  const left = [...answers];
  const server = createServer((request, response) => {
    const status = request.method === "POST" ? 200 : left.shift();
    if (typeof status !== "number") return void response.destroy();
    response.writeHead(status, { "content-type": "application/json" });
    const error = { code: "CODE", message: "No.", type: "invalid_request_error", request_id: "r1" };
    response.end(JSON.stringify(status < 400 ? { success: true, data: { id: "o1" } } : { success: false, error }));
  });
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { provisioner, told } = provisionerFor({ ...bare, sandbox: { baseUrl, token: "token" } });
  const fixture = provisioner.fixture(["key"]);
  await fixture.tenant({});
  await fixture.dispose();
  expect(told).toEqual(expected);
  expect(left).toEqual([]);
});

test("a hook is asked for the settings that it can do, and for no others", async () => {
  const path = join(folder, "settings.mjs");
  const exported = `export const make = (asked) => {
    globalThis.asked = asked;
    return { id: "o1", key: "svc_live_made00000000" };
  };`;
  writeFileSync(path, exported);
  const made = { kind: "module", path, name: "make", settings: ["wallet_micros", "limits"] } as const;
  const { provisioner } = provisionerFor({ ...bare, hooks: { new_organization: made } });
  const limits = { apiKeyWrites: { capacity: 7, period_seconds: 60 } };
  await provisioner.fixture(["limit-override"]).tenant({ limits });
  expect(Reflect.get(globalThis, "asked")).toMatchObject({
    clock: "real",
    settings: { limits, wallet_micros: usualSettings.wallet_micros },
  });
  expect(Reflect.get(globalThis, "asked").settings).not.toHaveProperty("lifetime_spend_micros");
  const refused: unknown = await provisioner
    .fixture(["quiet-hours"])
    .tenant({ quiet_hours: { mode: "reject" } })
    .catch((problem: unknown) => problem);
  expect(refused).toBeInstanceOf(Blocked);
  expect(String(refused)).toContain("the kit cannot set an organization's quiet hours");
});

test("a check that wishes for what it did not declare is told what to declare", async () => {
  const { provisioner } = provisionerFor({ ...bare, key: "svc_live_ours00000000" });
  await expect(provisioner.fixture(["key"]).tenant({ wallet_micros: 0 })).rejects.toThrow(
    'have "wallet" among its needs',
  );
});

test("the present of an organization whose clock the kit moves is where it began and how far it was moved", async () => {
  const path = join(folder, "clock.mjs");
  const exported = `export const make = () => ({ id: "o1", key: "svc_live_made00000000", clock: "manual" });
    export const move = () => ({ clock: "manual" });`;
  writeFileSync(path, exported);
  const hook = (name: string) => ({ kind: "module", path, name }) as const;
  const { provisioner } = provisionerFor({
    ...bare,
    hooks: { new_organization: { ...hook("make"), settings: ["starts_at"] }, advance: hook("move") },
  });
  const starts_at = "2026-01-15T04:00:00.000Z";
  const tenant = await provisioner.fixture(["chosen-time"]).tenant({ clock: "manual", starts_at });
  await tenant.advance(90, "a test");
  expect(new Date(await tenant.now()).toISOString()).toBe("2026-01-15T04:01:30.000Z");
});

test("a limit that the sandbox does not say it can set is not asked for", async () => {
  const sandbox = { baseUrl: "http://127.0.0.1:9", token: "token" };
  const { provisioner } = provisionerFor({ ...bare, sandbox }, ["deliveryReplays"]);
  const wish = (...names: string[]) =>
    provisioner
      .fixture(["limit-override"])
      .tenant({ limits: Object.fromEntries(names.map((name) => [name, { capacity: 1, period_seconds: 1 }])) });
  await expect(wish("deliveryReplays", "apiKeyWrites")).rejects.toMatchObject({
    message: "the sandbox cannot set an organization's limits apiKeyWrites",
    unblock: expect.stringContaining("/sandbox/v1/capabilities"),
  });
  await expect(wish("deliveryReplays")).rejects.toMatchObject({ message: expect.stringContaining("did not create") });
});
