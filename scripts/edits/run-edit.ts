import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { allChecks } from "../../conformance/checks/all-checks.ts";
import { run } from "../../conformance/runner/run.ts";
import { loopbackReceiver } from "../../conformance/target/loopback-receiver.ts";
import type { Shapes } from "../../conformance/target/shapes.ts";
import type { Target } from "../../conformance/target/target.ts";
import { referenceChoices } from "../../generated/choices.ts";
import { allEdits } from "../../reference-server/edits/all-edits.ts";
import { loadEdited } from "../../reference-server/edits/load-edited.ts";

/** What the process is told on standard input: which edits, which checks, which seed. */
interface Order {
  readonly edits: readonly string[];
  readonly choices: Readonly<Record<string, string>>;
  readonly shapes: Shapes;
  readonly only: readonly string[];
  readonly seed: number;
}

/** What it says on standard output. */
export interface EditOutcome {
  readonly rules: readonly {
    readonly id: string;
    readonly verdict: string;
    readonly message: string;
    readonly checks: readonly string[];
  }[];
  readonly durationMs: number;
}

const order = JSON.parse(await text(process.stdin)) as Order;
loadEdited(allEdits.filter((edit) => order.edits.includes(edit.id)));

// Loaded only now, so that the edits are in it.
const { createServer } = await import("../../reference-server/server.ts");
const { openSqlite } = await import("../../reference-server/store/sqlite.ts");

const token = randomBytes(16).toString("hex");
const server = createServer({
  store: await openSqlite(":memory:"),
  choices: { ...referenceChoices, ...order.choices },
  sandboxToken: token,
  log: pino({ level: "silent" }),
  production: true,
  deliveries: { admitLoopback: true },
});
const { url } = await server.listen({ host: "127.0.0.1", port: 0 });
const target: Target = {
  baseUrl: url,
  ...{ key: null, otherKey: null, session: null, revokedKey: null },
  sandbox: { baseUrl: url, token },
  timing: { requestTimeout: 5000, maxWait: 0, pollInterval: 50, pollTimeout: 5000, clockSkew: 5000 },
  ...{ hooks: {}, implements: null, receiver: loopbackReceiver, shapes: order.shapes },
};
const result = await run(target, allChecks, {
  profile: "full",
  allow: new Set(),
  only: order.only,
  skip: [],
  seed: order.seed,
  ...{ runs: null, jobs: null, path: null },
  signal: new AbortController().signal,
  progress: () => undefined,
});
const outcome: EditOutcome = {
  rules: result.rules.map(({ id, verdict, message, findings }) => ({
    ...{ id, verdict, message },
    checks: [...new Set(findings.filter((f) => f.verdict === verdict).map((f) => f.check))],
  })),
  durationMs: result.durationMs,
};
process.stdout.write(JSON.stringify(outcome));
await server.close();

async function text(stream: NodeJS.ReadableStream): Promise<string> {
  let all = "";
  for await (const chunk of stream) all += String(chunk);
  return all;
}
