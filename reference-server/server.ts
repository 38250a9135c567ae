import { randomBytes, randomUUID } from "node:crypto";
import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import type { Express } from "express";
import type { Logger } from "pino";
import type { Choices } from "../generated/choices.ts";
import { bindApiKeys } from "../generated/server/api-keys.ts";
import { bindSandboxOrganizations } from "../generated/server/sandbox-organizations.ts";
import type { Caller } from "./domain/caller.ts";
import type { World } from "./domain/world.ts";
import { createApp } from "./http/app.ts";
import { authenticate } from "./http/authenticate.ts";
import { requestPath } from "./http/request-path.ts";
import { routesOf } from "./http/routes.ts";
import { createValidation } from "./http/validation.ts";
import { apiKeysHandlers } from "./routes/api-keys.ts";
import { sandboxHandlers } from "./sandbox/organizations.ts";
import { type SandboxCaller, sandboxPath, sandboxToken as sandboxEntry } from "./sandbox/sandbox-path.ts";
import type { Store } from "./store/store.ts";

export interface ServerOptions {
  readonly store: Store;
  readonly choices: Choices;
  /** Opens the sandbox to whoever has it; without it there is none. */
  readonly sandboxToken?: string;
  readonly log: Logger;
  /** In production answers are not checked against the contract. */
  readonly production: boolean;
}

export interface Server {
  readonly app: Express;
  /** Starts to serve; port 0 takes any free one. Throws when it cannot. */
  listen(at: { readonly host: string; readonly port: number }): Promise<{ readonly url: string; readonly port: number }>;
  /** Lets requests in flight finish, for ten seconds at most, then closes the store. */
  close(): Promise<void>;
}

const world: World = { now: Date.now, randomBytes, newId: randomUUID };

export function createServer(options: ServerOptions): Server {
  const { store, log, production, sandboxToken } = options;
  const compile = createValidation();
  const app = createApp({
    log,
    ready: async () => true,
    mount: (put) => {
      put<Caller>({
        name: "api",
        base: "/v1",
        routes: routesOf((bind) => bindApiKeys(apiKeysHandlers({ store, world }), bind), compile),
        steps: requestPath({ store, world, production, sandbox: sandboxToken !== undefined }),
        entry: authenticate(store, world),
      });
      if (sandboxToken === undefined) return;
      put<SandboxCaller>({
        name: "sandbox",
        base: "/sandbox",
        routes: routesOf((bind) => bindSandboxOrganizations(sandboxHandlers({ store, world }), bind), compile),
        steps: sandboxPath(sandboxToken, production),
        entry: sandboxEntry(sandboxToken),
      });
    },
  });
  const http = createHttpServer(app);
  return {
    app,
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        http.once("error", reject);
        http.listen(port, host, () => {
          const address = http.address();
          const taken = typeof address === "object" && address !== null ? address.port : port;
          resolve({ url: `http://${host}:${taken}`, port: taken });
        });
      }),
    close: () => closeServer(http, store),
  };
}

async function closeServer(http: HttpServer, store: Store): Promise<void> {
  await new Promise<void>((resolve) => {
    http.close(() => resolve());
    setTimeout(() => http.closeAllConnections(), 10_000).unref();
  });
  await store.close();
}
