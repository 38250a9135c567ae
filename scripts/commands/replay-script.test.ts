import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { allChecks } from "../../conformance/checks/all-checks.ts";
import { resultsOf } from "../../conformance/reports/results-json.ts";
import { storyScript } from "../../conformance/reports/story-script.ts";
import { run } from "../../conformance/runner/run.ts";
import { loopbackReceiver } from "../../conformance/target/loopback-receiver.ts";
import type { Target } from "../../conformance/target/target.ts";
import { allEdits } from "../../reference-server/edits/all-edits.ts";
import { startEdited } from "../../reference-server/edits/start-edited.ts";

/** What bash printed while it ran a script. */
async function ranIn(script: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const shell = spawn("bash", ["-s"], { env: { ...process.env, ...environment }, stdio: ["pipe", "pipe", "pipe"] });
  let output = "";
  for (const stream of [shell.stdout, shell.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk));
  shell.stdin.end(script);
  await new Promise((ended) => shell.on("close", ended));
  return output;
}

/** The statuses of a script's output: those that came, and those that had come to the kit. */
const statusesIn = (output: string): readonly (readonly string[])[] =>
  [...output.matchAll(/^ {3}(\d+) \(then: (\d+)\)/gm)].map(([, now = "", then = ""]) => [now, then]);

test.each([
  ["KEYR-02-lapses", "api-keys.after-rotation", "200"],
  ["MSG-41-released", "messages.message-life", "409"],
])(
  "the script of a failure by %s shows it again, and shows no failure of another server",
  async (id, only, lawful) => {
    const edited = await startEdited(
      allEdits.filter((edit) => edit.id === id),
      { choices: {} },
    );
    const reference = await startEdited([], { choices: {} });
    try {
      const target: Target = {
        baseUrl: edited.url,
        ...{ key: null, secrets: {} },
        sandbox: { baseUrl: edited.url, token: edited.sandboxToken },
        timing: { requestTimeout: 5000, maxWait: 0, pollInterval: 50, pollTimeout: 5000, clockSkew: 5000 },
        ...{ hooks: {}, implements: null, receiver: loopbackReceiver, shapes: {}, numbers: {} },
      };
      const result = await run(target, allChecks, {
        ...{ profile: "full", allow: new Set(), only: [only], skip: [], seed: 1 },
        ...{ runs: null, jobs: null, path: null, signal: new AbortController().signal, progress: () => undefined },
      });
      const rule = resultsOf(result).rules.find(({ verdict }) => verdict === "fail");
      const failure = rule?.failures[0];
      if (rule === undefined || failure === undefined) throw new Error(`${only} found nothing wrong with ${id}.`);
      const script = storyScript(edited.url, rule, failure);

      expect(await ranIn(script, {})).toContain("BYLAW_SANDBOX_TOKEN: set it");
      const again = statusesIn(await ranIn(script, { BYLAW_SANDBOX_TOKEN: edited.sandboxToken }));
      expect(again.length).toBeGreaterThan(3);
      expect(again.map(([now]) => now)).toEqual(again.map(([, then]) => then));

      const elsewhere = { BYLAW_SANDBOX_TOKEN: reference.sandboxToken, BASE: reference.url };
      expect(statusesIn(await ranIn(script, elsewhere)).at(-1)).toEqual([lawful, again.at(-1)?.[1]]);
    } finally {
      await Promise.all([edited.close(), reference.close()]);
    }
  },
  120_000,
);
