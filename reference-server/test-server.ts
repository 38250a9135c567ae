import { Writable } from "node:stream";
import { expect } from "vitest";
import { type Choices, referenceChoices } from "../generated/choices.ts";
import { basePaths, constants } from "../generated/constants.ts";
import { scopes as allScopes } from "../generated/scopes.ts";
import { createLog } from "./log.ts";
import { createServer, type ServerOptions } from "./server.ts";
import { openTestStore } from "./store/open-test-store.ts";

/** An answer, with its body parsed as far as it is JSON. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  readonly body: any;
}

export interface TestCall {
  readonly token?: string | null;
  /** Sent as JSON, or as it is when it is text. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An organization with a key of its own. */
export interface TestOrganization {
  readonly id: string;
  readonly keyId: string;
  readonly key: string;
}

export type TestServer = Awaited<ReturnType<typeof startTestServer>>;

export const sandboxToken = "test-sandbox-token";

/** A server on a free port with its own empty store, and short ways to call it. Stop it with `close`. */
export async function startTestServer(
  options: Partial<ServerOptions> & { readonly chosen?: Partial<Choices>; readonly withoutSandbox?: boolean } = {},
) {
  const { chosen, withoutSandbox = false, ...given } = options;
  const logged: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged.push(String(chunk));
      done();
    },
  });
  const store = options.store ?? (await openTestStore());
  const server = createServer({
    store,
    choices: { ...referenceChoices, ...chosen },
    ...(withoutSandbox ? {} : { sandboxToken }),
    log: createLog("trace", sink),
    production: false,
    deliveries: { admitLoopback: true },
    ...given,
  });
  const { url, port } = await server.listen({ host: "127.0.0.1", port: 0 });

  async function call(method: string, path: string, { token, body, headers }: TestCall = {}): Promise<TestAnswer> {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token === undefined || token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  }

  const sandbox = async (method: string, path: string, body?: unknown) =>
    call(method, `${basePaths.sandbox.slice(0, -1)}${path}`, { token: sandboxToken, body });

  return {
    url,
    port,
    store,
    logged,
    call,
    sandbox,
    close: server.close,
    /** A new organization with a key; of all scopes unless given. */
    async organization(arrangement: object = {}, scopes: readonly string[] = allScopes): Promise<TestOrganization> {
      const { id } = (await sandbox("POST", "/organizations", arrangement)).body.data;
      const key = (await sandbox("POST", `/organizations/${id}/keys`, { scopes })).body.data;
      return { id: String(id), keyId: String(key.id), key: String(key.plaintext) };
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An error answer that keeps all rules of the envelope; gives its error. */
export function refused(answer: TestAnswer, status: number, code: string) {
  expect([answer.status, answer.body?.error?.code]).toEqual([status, code]);
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(answer.body.success).toBe(false);
  expect(answer.body).not.toHaveProperty("data");
  expect(answer.body.error.request_id).toBe(answer.headers.get(constants.requestIdHeader));
  expect(answer.headers.get(constants.requestIdHeader)).toMatch(/^req_[0-9a-f]{8}-[0-9a-f]{4}-7/);
  expect(answer.headers.has("x-powered-by")).toBe(false);
  return answer.body.error;
}
