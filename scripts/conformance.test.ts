import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { afterAll, beforeAll } from "vitest";
import { loopbackReceiver } from "../conformance/target/loopback-receiver.ts";
import type { Target } from "../conformance/target/target.ts";
import { registerChecks } from "../conformance/vitest-binding.ts";
import { referenceChoices } from "../generated/choices.ts";
import { createServer, type Server } from "../reference-server/server.ts";
import { openSqlite } from "../reference-server/store/engine/sqlite.ts";

const token = randomBytes(16).toString("hex");
let server: Server;
let target: Target;

beforeAll(async () => {
  server = createServer({
    store: await openSqlite(":memory:"),
    choices: referenceChoices,
    sandboxToken: token,
    log: pino({ level: "silent" }),
    production: false,
    deliveries: { admitLoopback: true },
  });
  const { url } = await server.listen({ host: "127.0.0.1", port: 0 });
  target = {
    baseUrl: url,
    ...{ key: null, secrets: {}, hooks: {}, implements: null },
    ...{ receiver: loopbackReceiver, shapes: {}, numbers: {} },
    sandbox: { baseUrl: url, token },
    timing: { requestTimeout: 10_000, maxWait: 0, pollInterval: 50, pollTimeout: 5_000, clockSkew: 5_000 },
  };
});

afterAll(() => server.close());

// The reference obeys the contract: every check of the kit passes on it.
registerChecks(() => target);
