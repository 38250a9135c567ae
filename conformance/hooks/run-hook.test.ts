import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { newBreaker } from "../liveness/breaker.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Hook } from "../target/target.ts";
import { runHook } from "./run-hook.ts";

const scratch = mkdtempSync(join(tmpdir(), "bylaw-hooks-"));
const servers: Server[] = [];
const never = new AbortController().signal;

afterAll(() => {
  for (const server of servers) server.close();
  rmSync(scratch, { recursive: true });
});

function file(name: string, text: string): string {
  const path = join(scratch, name);
  writeFileSync(path, text);
  return path;
}

const command = (name: string, text: string): Hook => ({
  kind: "command",
  command: [process.execPath, file(name, text)],
});

const module = (name: string, text: string): Hook => ({ kind: "module", path: file(name, text), name: "hook" });

async function url(answer: RequestListener): Promise<Hook> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const address = server.address();
  return { kind: "url", url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/hook` };
}

const run = (hook: Hook, patience = 10_000): Promise<unknown> =>
  runHook({ name: "revoke_key", hook, input: { key_id: "k1" }, signal: never, breaker: newBreaker("", ""), patience });

async function blockOf(hook: Hook, patience?: number): Promise<string> {
  const error: unknown = await run(hook, patience).catch((problem: unknown) => problem);
  if (!(error instanceof Blocked)) throw new Error(`It was not blocked but gave ${JSON.stringify(error)}.`);
  expect(error.unblock).toBe("mend the hook revoke_key of the target file, or leave it out");
  expect(error.origin).toBe("target file");
  return error.message;
}

const echo = `
  let text = "";
  for await (const chunk of process.stdin) text += chunk;
  console.log(JSON.stringify({ args: process.argv.slice(2), input: JSON.parse(text) }));
`;

test("a hook that hangs three times in a row is asked no more", async () => {
  const hanging = module("hangs.mjs", "export const hook = () => new Promise(() => undefined);");
  const breaker = newBreaker("hook revoke_key", "mend the hook");
  const ask = (hook: Hook, patience: number): Promise<unknown> =>
    runHook({ name: "revoke_key", hook, input: {}, signal: never, breaker, patience }).catch((error: unknown) => error);
  for (let time = 0; time < 3; time += 1) {
    expect(await ask(hanging, 20)).toMatchObject({ message: expect.stringContaining("when its time was up") });
  }
  const sound = module("sound.mjs", "export const hook = () => ({ fine: true });");
  expect(await ask(sound, 60_000)).toMatchObject({
    name: "Blocked",
    message: expect.stringMatching(/^hook revoke_key down since .*, after no answer at all: 3 requests in a row/),
  });
});

describe("a hook that is a command", () => {
  test("reads its input on standard input, none of it on its command line, and prints its answer", async () => {
    const hook = command("echo.mjs", echo);
    expect(await run(hook)).toEqual({ args: [], input: { key_id: "k1" } });
  });

  test("is started without a shell", async () => {
    const hook: Hook = { kind: "command", command: [process.execPath, file("echo.mjs", echo), "$HOME; exit 3"] };
    expect(await run(hook)).toMatchObject({ args: ["$HOME; exit 3"] });
  });

  test("may print nothing, and need not read", async () => {
    expect(await run(command("silent.mjs", ""))).toEqual({});
  });

  test("blocks with its code and its last words when it fails", async () => {
    const hook = command("fails.mjs", 'console.error("first");console.error("no such key");process.exitCode = 3;');
    expect(await blockOf(hook)).toBe("the hook revoke_key failed: it ended with code 3: no such key");
  });

  test("blocks when it cannot be started, prints no JSON, no object or too much", async () => {
    expect(await blockOf({ kind: "command", command: ["/no/such/program"] })).toContain("could not be started");
    expect(await blockOf(command("text.mjs", 'console.log("svc_live_secret")'))).toBe(
      "the hook revoke_key failed: what it answered is no JSON",
    );
    expect(await blockOf(command("list.mjs", "console.log('[]')"))).toContain("no JSON object");
    expect(await blockOf(command("much.mjs", 'console.log("x".repeat(1e6))'))).toContain("more than 64 KiB");
  });

  test("is ended with all that it started when its time is up", async () => {
    // As long as one of them holds the command's output open, it has not ended: far longer than this test may take.
    const hook: Hook = { kind: "command", command: ["/bin/sh", "-c", "sleep 900 & sleep 900"] };
    expect(await blockOf(hook, 200)).toContain("still running when its time was up");
  });
});

describe("a hook that is an address", () => {
  test("is posted JSON and answers JSON", async () => {
    const hook = await url(async (request, response) => {
      let text = "";
      for await (const chunk of request) text += String(chunk);
      const { method, headers } = request;
      response.end(JSON.stringify({ method, type: headers["content-type"], input: JSON.parse(text) }));
    });
    expect(await run(hook)).toEqual({ method: "POST", type: "application/json", input: { key_id: "k1" } });
  });

  test("may answer 204", async () => {
    expect(await run(await url((_, response) => response.writeHead(204).end()))).toEqual({});
  });

  test("blocks on another status, a redirect, too long an answer and none at all", async () => {
    const status = (code: number) => url((_, response) => response.writeHead(code, { location: "/" }).end("{}"));
    expect(await blockOf(await status(500))).toContain("it answered 500");
    expect(await blockOf(await status(302))).toContain("it answered 302");
    expect(await blockOf(await url((_, response) => response.end("x".repeat(1e6))))).toContain("more than 64 KiB");
    expect(await blockOf(await url(() => undefined), 200)).toContain("had not answered when its time was up");
    expect(await blockOf({ kind: "url", url: "http://127.0.0.1:1" })).toContain("cannot be reached");
  });
});

describe("a hook that is a function of a module", () => {
  test("is called with its input, in TypeScript too", async () => {
    const text = "export const hook = async (input: { key_id: string }) => ({ got: input.key_id });";
    expect(await run(module("echo.ts", text))).toEqual({ got: "k1" });
    expect(await run(module("nothing.mjs", "export const hook = () => undefined;"))).toEqual({});
  });

  test("blocks when it throws, hangs, is missing or cannot be loaded", async () => {
    expect(await blockOf(module("throws.mjs", 'export const hook = () => { throw new Error("no\\nway"); };'))).toBe(
      'the hook revoke_key failed: it threw "no way"',
    );
    expect(await blockOf(module("hangs.mjs", "export const hook = () => new Promise(() => {});"), 100)).toContain(
      "time was up",
    );
    expect(await blockOf(module("other.mjs", "export const other = 1;"))).toContain("exports no function hook");
    expect(await blockOf({ kind: "module", path: join(scratch, "gone.mjs"), name: "hook" })).toContain(
      "cannot be loaded",
    );
  });
});
