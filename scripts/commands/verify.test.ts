import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allChecks } from "../../conformance/checks/all-checks.ts";
import type { Results } from "../../conformance/reports/results-json.ts";
import { resultsSchema } from "../../conformance/reports/results-schema.ts";
import { createOrganization, createOrganizationKey } from "../../generated/client/sandbox-organizations.ts";
import { documentedScopes } from "../../generated/scopes.ts";
import { callBylaw } from "../call-bylaw.ts";
import { sharedReference } from "../shared-reference.ts";
import type { Reference } from "./reference-target.ts";
import { type Spawned, type SpawnOptions, spawnCommand } from "./spawn-command.ts";

const scratch = mkdtempSync(join(tmpdir(), "bylaw-verify-"));
const report = join(scratch, "report");
let reference: Reference;
let url = "";
let key = "";

beforeAll(async () => {
  reference = await sharedReference();
  url = reference.target.baseUrl;
  key = await newKey();
});

afterAll(async () => {
  rmSync(scratch, { recursive: true, force: true });
});

/** A key of a new organization of the reference server. */
async function newKey(): Promise<string> {
  const { sandbox } = reference.target;
  if (sandbox === null) throw new Error("The reference has no sandbox.");
  const created = await createOrganization(sandbox, { body: {} });
  if (!created.ok) throw new Error(created.error.message);
  const granted = await createOrganizationKey(sandbox, {
    path: { id: created.data.id },
    body: { scopes: documentedScopes },
  });
  if (!granted.ok) throw new Error(granted.error.message);
  return granted.data.plaintext;
}

const verify = (flags: readonly string[], options: SpawnOptions = {}): Promise<Spawned> =>
  spawnCommand(["verify", ...flags], {
    ...options,
    environment: { BYLAW_URL: url, BYLAW_API_KEY: key, ...options.environment },
  });

/** The same within this process. */
async function verifyHere(
  flags: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Spawned> {
  const given = { BYLAW_URL: url, BYLAW_API_KEY: key, ...environment };
  const { code, stdout, stderr } = await callBylaw(scratch, ["verify", ...flags], given);
  return { code, out: stdout, err: stderr };
}

const refusal = '{"success":false,"error":{"code":"NOT_FOUND","message":"m","request_id":"r"}}';

/** Where a server listens once it does. */
async function addressOf(server: Server): Promise<string> {
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

const resultsIn = (folder: string): Results => JSON.parse(readFileSync(join(folder, "results.json"), "utf8"));

describe("verify", () => {
  test("finds no violation in the reference server and says where the reports lie", async () => {
    const { code, out, err } = await verify(["--only", "api-keys.create-answer", "--report", report]);
    expect(code).toBe(0);
    expect(err).toMatch(/^Runs 1 check, 1 at a time, against http:\S+ to decide \d+ rules\.\n$/);
    expect(out).toMatch(/✓ no violation; \d+ of \d+ Core rules decided/);
    expect(out).toContain(join(report, "report.html"));
    expect(out).not.toContain(String.fromCharCode(27));
    expect(out).not.toContain(key);
  });

  test("writes results that keep their schema and hold no secret", async () => {
    const folder = join(scratch, "schema");
    await verifyHere([
      "--only",
      "KEYC",
      "--seed",
      "7",
      "--runs",
      "3",
      "--jobs",
      "2",
      "--max-wait",
      "0",
      "--report",
      folder,
    ]);
    const results = resultsIn(folder);
    const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(resultsSchema);
    validate(results);
    expect(validate.errors ?? []).toEqual([]);
    expect(results).toMatchObject({ seed: 7, runs: 3, jobs: 1, profile: "core" });
    for (const name of ["results.json", "report.html", "junit.xml", "summary.md"]) {
      expect(readFileSync(join(folder, name), "utf8")).not.toContain(key);
    }
  });

  test("prints JSON alone when asked for it", async () => {
    const { code, out } = await verifyHere([
      "--only",
      "api-keys.unreadable-ids",
      "--format",
      "json",
      "--report",
      report,
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ format: 1, exitCode: 0 });
  });

  test("prints the last lines alone when asked to be quiet", async () => {
    const { out } = await verifyHere(["--only", "api-keys.unreadable-ids", "--quiet", "--report", report]);
    expect(out.trimEnd().split("\n")).toHaveLength(8);
  });

  test("takes the key from standard input", async () => {
    const flags = ["--key-stdin", "--only", "api-keys.unreadable-ids", "--report", report];
    const { code } = await verify(flags, { environment: { BYLAW_API_KEY: "svc_live_wrong" }, input: `${key}\n` });
    expect(code).toBe(0);
  });

  test("starts the reference server by itself and verifies every rule of it", async () => {
    const flags = ["--reference", "--only", "TEN", "--report", report];
    const { code, out } = await spawnCommand(["verify", ...flags]);
    expect(code).toBe(0);
    expect(out).toMatch(/no violation; (\d+) of \1 Full rules decided/);
  });

  test("exits 2 when the receiver cannot be started, if a check wants it", async () => {
    const receiving = allChecks.find((check) => check.needs.includes("receiver"))?.id ?? "";
    const { host } = new URL(url);
    const flags = ["--profile", "full", "--receiver-listen", host, "--report", report];
    const environment = { BYLAW_SANDBOX_TOKEN: reference.target.sandbox?.token ?? "" };
    const { code, err } = await verifyHere([...flags, "--only", receiving], environment);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining(`${host}: Something listens there already`),
    });
    expect((await verifyHere([...flags, "--only", "api-keys.unreadable-ids"], environment)).code).toBe(0);
  });

  test("exits 1 on a violation and shows how to see it again", async () => {
    const broken = createServer((request, response) => {
      const isProbe = request.method === "GET";
      response.writeHead(isProbe ? 404 : 200, { "content-type": "application/json" });
      response.end(isProbe ? refusal : '{"success":true}');
    });
    const flags = ["--url", await addressOf(broken), "--only", "ENV", "--report", join(scratch, "broken")];
    const { code, out } = await verify(flags);
    broken.close();
    expect(code).toBe(1);
    expect(out).toMatch(/✗ \d+ violations/);
    expect(out).toContain("npx bylaw verify ");
    expect(out).toContain("curl --include");
  });
});

describe("the plan of a run", () => {
  test("is printed without anything being sent", async () => {
    let requests = 0;
    const silent = createServer(() => {
      requests += 1;
    });
    const at = ["--url", await addressOf(silent)];
    const text = await verifyHere([...at, "--plan", "--profile", "full"]);
    const json = await verifyHere([...at, "--plan", "--format", "json"]);
    silent.close();
    expect(requests).toBe(0);
    expect([text.code, json.code]).toEqual([0, 0]);
    for (const part of ["nothing was sent", "Cost", "draws", "waits", "leaves", "Would not run", "To decide more"]) {
      expect(text.out).toContain(part);
    }
    const plan = JSON.parse(json.out);
    expect(plan.checks.length).toBeLessThanOrEqual(allChecks.length);
    expect(plan.cost.draws.apiKeyWrites).toBeGreaterThan(0);
  });
});

describe("bad input of verify", () => {
  const broken = join(scratch, "broken.yaml");
  writeFileSync(broken, "base_url: [\n");
  const wrong: readonly (readonly [string, readonly string[], Readonly<Record<string, string>>, readonly string[]])[] =
    [
      ["an unknown flag", ["--profle", "core"], {}, ["unknown option '--profle'", "--profile"]],
      ["an unknown profile", ["--profile", "all"], {}, ["core, full"]],
      ["an unknown rule", ["--only", "KEYC-155"], {}, ["--only KEYC-155", 'Did you mean "KEYC-15"?']],
      ["an unknown check", ["--skip", "api-keys.creat"], {}, ['Did you mean "api-keys.create-answer"?']],
      ["the monitor as a check", ["--only", "monitor"], {}, ["watches every run"]],
      ["an unknown effect", ["--allow", "destroys"], {}, ["spends, sends, exhausts"]],
      ["a seed that is no number", ["--seed", "abc"], {}, ["whole number"]],
      ["no runs", ["--runs", "0"], {}, ["from 1 to"]],
      ["a path without its check", ["--path", "1:2"], {}, ["--only"]],
      ["a path of a check without a property", ["--path", "1:2", "--only", "api-keys.wrong-types"], {}, ["no values"]],
      ["a path that is none", ["--path", "x", "--only", "api-keys.wrong-types"], {}, ["3:1:0"]],
      ["two targets", ["--reference", "--url", "http://h"], {}, ["cannot be used with"]],
      ["a missing target file", ["--target", "no-such.yaml"], {}, ["no-such.yaml: There is no such file"]],
      ["a malformed target file", ["--target", broken], {}, ["broken.yaml:", "Correct the YAML"]],
      ["a folder as target file", ["--target", scratch], {}, ["It is a folder"]],
      ["a target that is down", ["--url", "http://127.0.0.1:1"], {}, ["Nothing listens at 127.0.0.1:1"]],
      ["a wrong key", [], { BYLAW_API_KEY: "svc_live_wrong" }, ["BYLAW_API_KEY", "does not accept"]],
      ["no key", [], { BYLAW_API_KEY: "" }, ["no API key"]],
      ["an unwritable report folder", ["--report", join(broken, "x")], {}, ["cannot be written", "--report DIR"]],
    ];

  test.each(wrong)("%s: a message, exit code 2, no stack trace", async (_, flags, environment, expected) => {
    expectRefusal(await verifyHere(flags, environment), expected);
  });

  test("an empty key on standard input: a message, exit code 2, no stack trace", async () => {
    expectRefusal(await verify(["--key-stdin"]), ["Standard input was empty"]);
  });

  function expectRefusal({ code, out, err }: Spawned, expected: readonly string[]): void {
    expect(code).toBe(2);
    expect(out).toBe("");
    expect(err).toMatch(/^error: /);
    expect(err).not.toMatch(/^\s+at /m);
    for (const part of expected) expect(err).toContain(part);
  }
});
