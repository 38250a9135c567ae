import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Results } from "../../conformance/reports/results-json.ts";
import { forwardingTo } from "../degenerate/forwarding.ts";
import { startDegenerate } from "../degenerate/start-degenerate.ts";
import { sharedReference } from "../shared-reference.ts";
import { journalFile, readJournal } from "./journal.ts";
import type { Reference } from "./reference-target.ts";
import { spawnCommand } from "./spawn-command.ts";

const folder = mkdtempSync(join(tmpdir(), "bylaw-stopping-"));
const journal = join(folder, journalFile);
let reference: Reference;
let environment: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  reference = await sharedReference();
  environment = { BYLAW_SANDBOX_TOKEN: reference.target.sandbox?.token ?? "" };
});

afterEach(() => rmSync(journal, { force: true }));

afterAll(async () => {
  rmSync(folder, { recursive: true });
});

/** A request of the run's own: those of the preflight have no credentials when there is a sandbox and no key. */
const isOfRun = ({ url = "", headers }: IncomingMessage): boolean =>
  url.startsWith("/v1/") && headers.authorization !== undefined;

const isSandbox = ({ url = "" }: IncomingMessage): boolean => url.startsWith("/sandbox/");

/** Nobody waits that long: whatever ends sooner was ended. */
const patient = ["--request-timeout", "10m"];

/** Verifies a server that hangs from the run's nth request on, and sends signals when the first one hangs. */
async function stopped(after: number, signals: readonly NodeJS.Signals[], broken: boolean) {
  let pid = 0;
  let seen = 0;
  const between = forwardingTo(reference.target.baseUrl, {
    takes(request) {
      if (isOfRun(request)) seen += 1;
      if (seen <= after) return false;
      if (seen === after + 1 && isOfRun(request)) for (const signal of signals) process.kill(pid, signal);
      // From now on nothing is answered, by the sandbox neither.
      return true;
    },
    becomes: (body, request) => (broken && isOfRun(request) ? body.replace('"success":', '"succes":') : body),
  });
  const server = await startDegenerate(between);
  const flags = ["verify", "--url", server.url, ...patient, "--report", "report", "--jobs", "4"];
  const started = (id: number): void => {
    pid = id;
  };
  const ended = await spawnCommand(flags, { folder, environment, started });
  await server.close();
  return { ...ended, url: server.url };
}

const results = (): Results => JSON.parse(readFileSync(join(folder, "report", "results.json"), "utf8"));

describe("a run against a server that hangs", () => {
  test("ends at the first interruption, with a report, what it left behind, and exit code 2", async () => {
    const { code, out, err } = await stopped(20, ["SIGINT"], false);
    expect(code).toBe(2);
    expect(err).toContain("Ending the run with what there is");
    const { interrupted, rules, leftBehind } = results();
    expect(interrupted).toBe("interrupted before every check was done");
    const blocked = rules.filter(
      ({ verdict, message }) => verdict === "blocked" && message === "the run was interrupted",
    );
    expect(blocked.length).toBeGreaterThan(100);
    // The hanging sandbox took nothing back.
    expect(leftBehind).toContainEqual(expect.stringMatching(/^sandbox organization /));
    expect(out).toContain("sandbox organization");
    expect(readJournal(journal).length).toBe(leftBehind.length);
  });

  test("keeps the breach that it saw before: exit code 1", async () => {
    const { code } = await stopped(20, ["SIGINT"], true);
    expect(code).toBe(1);
    const { interrupted, rules } = results();
    expect(interrupted).toMatch(/^interrupted/);
    expect(rules.find(({ id }) => id === "ENV-04")?.verdict).toBe("fail");
  });

  test("ends at once when it is asked twice", async () => {
    const { code } = await stopped(20, ["SIGINT", "SIGTERM"], false);
    expect(code).toBe(130);
  });
});

describe("a run that is killed", () => {
  test("leaves a journal by which all that it made is removed", async () => {
    let pid = 0;
    const made: string[] = [];
    const between = forwardingTo(reference.target.baseUrl, {
      takes(request) {
        // Organizations are made by now, and the checks that use them are under way.
        if (isOfRun(request) && made.length >= 3) process.kill(pid, "SIGKILL");
        return false;
      },
      becomes(body, request) {
        if (isSandbox(request) && request.method === "POST" && request.url === "/sandbox/v1/organizations") {
          made.push(JSON.parse(body).data.id);
        }
        return body;
      },
    });
    const server = await startDegenerate(between);
    const flags = ["--url", server.url];
    const started = (id: number): void => {
      pid = id;
    };
    // One check at a time: of an organization whose answer is still under way nobody can know.
    const { code } = await spawnCommand(["verify", ...flags, "--jobs", "1"], { folder, environment, started });
    expect(code).toBeNull();
    expect(readJournal(journal).length).toBeGreaterThan(0);
    const left = readJournal(journal).map(({ id }) => id);
    expect(made).toEqual(expect.arrayContaining(left));
    pid = 0;
    const cleaned = await spawnCommand(["clean", ...flags], { folder, environment });
    await server.close();
    expect([cleaned.code, readJournal(journal)]).toEqual([0, []]);
    for (const id of made) {
      const { sandbox } = reference.target;
      const state = await fetch(`${sandbox?.baseUrl}/sandbox/v1/organizations/${id}/state`, {
        headers: { authorization: `Bearer ${sandbox?.token}` },
      });
      expect([id, state.status]).toEqual([id, 404]);
    }
  });
});
