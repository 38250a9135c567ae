import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createOrganization, createOrganizationKey } from "../../generated/client/sandbox-organizations.ts";
import { createWebhookEndpoint } from "../../generated/client/webhooks.ts";
import { documentedScopes } from "../../generated/scopes.ts";
import { callBylaw } from "../call-bylaw.ts";
import { sharedReference } from "../shared-reference.ts";
import { appendToJournal, type JournalEntry, journalFile, readJournal } from "./journal.ts";
import type { Reference } from "./reference-target.ts";
import { type Spawned, spawnCommand } from "./spawn-command.ts";

const folder = mkdtempSync(join(tmpdir(), "bylaw-clean-"));
const journal = join(folder, journalFile);
const record = join(folder, "revoked.jsonl");
let reference: Reference;

beforeAll(async () => {
  reference = await sharedReference();
  // Revokes every key but the one that its owner holds on to, and records what it was asked.
  const hook = `
    import { appendFileSync } from "node:fs";
    export const revoke = (input) => {
      if (input.key_id === "held") throw new Error("this key is held");
      appendFileSync(${JSON.stringify(record)}, JSON.stringify(input) + "\\n");
    };
    export const unmake = ({ organization_id }) => {
      if (organization_id !== "o1") throw new Error("this organization is held");
    };
  `;
  writeFileSync(join(folder, "hooks.mjs"), hook);
  writeFileSync(join(folder, "target.yaml"), "hooks: { revoke_key: { module: ./hooks.mjs, export: revoke } }\n");
});

afterEach(() => rmSync(dirname(journal), { recursive: true, force: true }));

afterAll(async () => {
  rmSync(folder, { recursive: true });
});

/** Runs a command within this process, whose modules are read once for all of them. */
async function here(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Spawned> {
  const { code, stdout, stderr } = await callBylaw(folder, args, environment);
  return { code, out: stdout, err: stderr };
}

const clean = (flags: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Spawned> =>
  here(["clean", ...flags], environment);

const baseUrl = "http://127.0.0.1:9";
const entry = (kind: JournalEntry["kind"], id: string, at = baseUrl): JournalEntry => ({
  ...{ time: "2026-01-01T00:00:00.000Z", baseUrl: at, kind, id, organizationId: "o1" },
});
const left = (...entries: readonly JournalEntry[]): void => {
  for (const one of entries) appendToJournal(journal, one);
};
const hooked = ["--url", baseUrl, "--target", "target.yaml"];

async function newOrganization(): Promise<{ readonly id: string; readonly key: string }> {
  const { sandbox } = reference.target;
  if (sandbox === null) throw new Error("The reference has no sandbox.");
  const created = await createOrganization(sandbox, { body: {} });
  if (!created.ok) throw new Error(created.error.message);
  const path = { id: created.data.id };
  const granted = await createOrganizationKey(sandbox, { path, body: { scopes: documentedScopes } });
  if (!granted.ok) throw new Error(granted.error.message);
  return { id: path.id, key: granted.data.plaintext };
}

describe("the journal", () => {
  test("lists the keys of a run without a sandbox, and none of their secrets", async () => {
    const { id, key } = await newOrganization();
    const url = reference.target.baseUrl;
    const flags = ["--url", url, "--only", "api-keys.create-answer", "--report", join(folder, "report")];
    const { code } = await here(["verify", ...flags], { BYLAW_API_KEY: key });
    expect(code).toBe(0);
    const entries = readJournal(journal);
    expect(entries.length).toBeGreaterThan(0);
    for (const one of entries) {
      expect(one).toEqual({
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        ...{ baseUrl: url, kind: "api-key", id: expect.stringMatching(/^[\da-f-]{36}$/), organizationId: id },
      });
    }
    expect(readFileSync(journal, "utf8")).not.toContain("svc_");
  });

  test("loses again the webhook endpoints that a run has deleted itself", async () => {
    const { key } = await newOrganization();
    const url = reference.target.baseUrl;
    const flags = ["--url", url, "--only", "webhooks.rotate-answer", "--report", join(folder, "report")];
    const { code, out } = await here(["verify", ...flags], { BYLAW_API_KEY: key });
    expect([code, out]).toEqual([0, expect.not.stringContaining("webhook endpoint ")]);
    expect(readJournal(journal)).toEqual([]);
  });

  test("lists nothing of a run with a sandbox, which is given back", async () => {
    const { baseUrl: url, sandbox } = reference.target;
    const flags = ["--url", url, "--only", "api-keys.create-answer", "--report", join(folder, "report")];
    const environment = { BYLAW_SANDBOX_TOKEN: sandbox?.token ?? "" };
    expect((await here(["verify", ...flags], environment)).code).toBe(0);
    expect(readJournal(journal)).toEqual([]);
  });
});

describe("clean", () => {
  test("has nothing to do without a journal", async () => {
    const nothing = { code: 0, out: "Nothing is left behind.\n", err: "" };
    expect(await clean([])).toEqual(nothing);
    expect(await spawnCommand(["clean"], { folder })).toEqual(nothing);
  });

  test("lists what is left when it is not told where to remove it", async () => {
    left(entry("api-key", "k1"), entry("api-key", "k2", "http://other.test"));
    const { code, out } = await clean([]);
    expect(code).toBe(1);
    expect(out).toContain(`${baseUrl}: 1 thing\n  API key k1 (2026-01-01T00:00:00.000Z)`);
    expect(out).toContain("http://other.test: 1 thing");
    expect(out).toContain("give --url or --target");
  });

  test("says that the API cannot revoke keys, and keeps them", async () => {
    left(entry("api-key", "k1"));
    const { code, out } = await clean(["--url", baseUrl]);
    expect(code).toBe(1);
    expect(out).toContain("1 thing kept: the API has no operation that revokes a key");
    expect(readJournal(journal)).toHaveLength(1);
  });

  test("revokes keys through the hook, and keeps what that refuses, what it is not for, and what is elsewhere", async () => {
    const kept = [entry("api-key", "held"), entry("organization", "o1"), entry("api-key", "k1", "http://other.test")];
    left(entry("api-key", "k1"), ...kept);
    const { code, out } = await clean(hooked);
    expect(code).toBe(1);
    expect(out).toContain("API key k1 (2026-01-01T00:00:00.000Z): revoked by the revoke_key hook");
    expect(out).toContain('1 thing kept: the hook revoke_key failed: it threw "this key is held"');
    expect(out).toContain("1 thing kept: a hook made it, and the target has no delete_organization hook");
    expect(out).toContain(`Removed 1 of 3 things at ${baseUrl}.`);
    expect(readJournal(journal)).toEqual(kept);
    expect(JSON.parse(readFileSync(record, "utf8"))).toEqual({
      ...{ hook: "revoke_key", base_url: baseUrl, key_id: "k1", organization_id: "o1" },
    });
  });

  test("deletes organizations through the hook, and what is theirs goes with them", async () => {
    const unmaking = "{ delete_organization: { module: ./hooks.mjs, export: unmake } }";
    writeFileSync(join(folder, "unmaking.yaml"), `hooks: ${unmaking}\n`);
    const held = { ...entry("organization", "o2"), organizationId: "o2" };
    left(entry("api-key", "k1"), entry("organization", "o1"), held);
    const { code, out } = await clean(["--url", baseUrl, "--target", "unmaking.yaml"]);
    expect(code).toBe(1);
    expect(out).toContain("organization o1 (2026-01-01T00:00:00.000Z): deleted by the delete_organization hook");
    expect(out).toContain("API key k1 (2026-01-01T00:00:00.000Z): gone with its organization");
    expect(out).toContain("Removed 2 of 3 things");
    expect(readJournal(journal)).toEqual([held]);
  });

  test("ends with 0 when nothing is left, and only tells when asked to", async () => {
    left(entry("api-key", "k3"));
    const told = await clean([...hooked, "--dry-run"]);
    expect([told.code, told.out]).toEqual([0, expect.stringContaining("Would remove 1 of 1 thing")]);
    expect(readJournal(journal)).toHaveLength(1);
    expect((await clean(hooked)).code).toBe(0);
    expect(readJournal(journal)).toEqual([]);
  });

  test("deletes organizations of a sandbox through it, also when they are gone already", async () => {
    const { baseUrl: url, sandbox } = reference.target;
    const { id } = await newOrganization();
    left(entry("sandbox-organization", id, url), entry("sandbox-organization", crypto.randomUUID(), url));
    expect((await clean(["--url", url])).out).toContain("2 things kept: the kit has no token of the sandbox");
    const { code, out } = await clean(["--url", url], { BYLAW_SANDBOX_TOKEN: sandbox?.token ?? "" });
    expect([code, out]).toEqual([0, expect.stringContaining("Removed 2 of 2 things")]);
  });

  test("deletes webhook endpoints by the key of their organization, also when they are gone already", async () => {
    const { baseUrl: url } = reference.target;
    const [ours, theirs] = [await newOrganization(), await newOrganization()];
    const created = await createWebhookEndpoint(
      { baseUrl: url, token: theirs.key },
      { body: { url: "https://bylaw.example/", events: ["lookup.completed"] } },
    );
    if (!created.ok) throw new Error(created.error.message);
    left(entry("webhook-endpoint", created.data.id, url), entry("webhook-endpoint", crypto.randomUUID(), url));
    expect((await clean(["--url", url])).out).toContain("2 things kept: the kit has no key to remove it with");
    const { code, out } = await clean(["--url", url], { BYLAW_API_KEY: ours.key, BYLAW_OTHER_API_KEY: theirs.key });
    expect([code, out]).toEqual([0, expect.stringContaining("Removed 2 of 2 things")]);
    expect(out).toContain(`webhook endpoint ${created.data.id}`);
  });

  test("ends with 2 and one message when the journal is broken or the flags are", async () => {
    mkdirSync(dirname(journal), { recursive: true });
    writeFileSync(journal, `${JSON.stringify(entry("api-key", "k1"))}\nnot a line of it\n`);
    const broken = await clean([]);
    expect([broken.code, broken.out]).toEqual([2, ""]);
    expect(broken.err).toBe(
      "error: .bylaw/journal.jsonl:2: This line is no entry of the journal.\n  Mend or delete it; nothing was removed.\n",
    );
    expect((await clean(["--dry"])).code).toBe(2);
    expect((await clean(["--target", "gone.yaml"])).err).toContain("There is no such file");
  });
});
