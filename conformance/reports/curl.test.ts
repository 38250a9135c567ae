import { execFileSync, spawn } from "node:child_process";
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SentRequest } from "../exchange/exchange.ts";
import { curlOf } from "./curl.ts";

/** Arguments that the shell gives to curl, and what is piped into it. */
function shellReads(
  command: string,
  environment: Readonly<Record<string, string>> = {},
): {
  readonly arguments: readonly string[];
  readonly input: string;
} {
  const program = `curl() { printf '%s\\0' "$@"; case "$*" in *"@-"*) printf '\\001\\0'; cat;; esac; }\n${command}`;
  const output = execFileSync("sh", ["-c", program], { env: { PATH: process.env.PATH ?? "", ...environment } });
  const [args = "", input = ""] = output.toString("utf8").split("\u0001\0");
  return { arguments: args.split("\0").slice(0, -1), input };
}

const request = (more: Partial<SentRequest>): SentRequest => ({
  ...{ method: "GET", url: "http://127.0.0.1:8080/v1/api-keys", headers: {}, body: null },
  ...more,
});

const placeholder = (name: string): string => `\${${name}}`;

describe("a request as a command", () => {
  test("a redacted secret is filled in by the shell", () => {
    const command = curlOf(request({ headers: { authorization: `Bearer ${placeholder("BYLAW_API_KEY")}` } }));
    expect(command).toContain(`"authorization: Bearer ${placeholder("BYLAW_API_KEY")}"`);
    expect(shellReads(command, { BYLAW_API_KEY: "s3cret" }).arguments).toContain("authorization: Bearer s3cret");
  });

  test("blanks behind a body are told by their number", () => {
    const body = '{"label":"it\'s"}'.padEnd(300_000);
    const command = curlOf(request({ method: "POST", body }));
    expect(command.length).toBeLessThan(500);
    expect(shellReads(command).input).toBe(body);
  });

  test("nothing else is run or replaced by the shell", () => {
    const hostile = `$(touch /tmp/x) \`id\` ${placeholder("HOME")} ' " \\ ! ; & | > \n # ~ *`;
    const sent = request({ method: "POST", headers: { "x-label": "a'b$(id)" }, body: hostile });
    const read = shellReads(curlOf(sent)).arguments;
    expect(read).toContain(hostile);
    expect(read).toContain("x-label: a'b$(id)");
  });

  test("a hostile authorization fills in names only", () => {
    const command = curlOf(request({ headers: { authorization: `$(id)"\` ${placeholder("A")}'` } }));
    expect(shellReads(command, { A: "$(id)" }).arguments).toContain("authorization: $(id)\"` $(id)'");
  });

  test("control characters reach the body through a pipe", () => {
    const body = "a\u0000b\u0001\u001f\\n%s'\u0085é\n";
    const { input, arguments: read } = shellReads(curlOf(request({ method: "POST", body })));
    expect(read).toContain("@-");
    expect(input).toBe(body);
  });

  test("bytes that are no text reach the body as they are, and repeated headers in lines of their own", () => {
    const bytes = Buffer.from([0x7b, 0xff, 0xc0, 0xaf, 0x7d]);
    const repeatedHeaders = [["Content-Type", "text/plain"]] as const;
    const headers = { "content-type": "application/json" };
    const sent = request({
      method: "POST",
      headers,
      repeatedHeaders,
      body: bytes.toString(),
      bodyBase64: bytes.toString("base64"),
    });
    const command = curlOf(sent);
    const piped = execFileSync("sh", ["-c", command.replace(/curl [\s\S]*$/, "cat")]);
    expect(piped.equals(bytes)).toBe(true);
    const read = shellReads(command).arguments;
    expect(read).toEqual(expect.arrayContaining(["content-type: application/json", "Content-Type: text/plain", "@-"]));
  });

  test("an absent content type stays absent, an empty header stays empty", () => {
    const read = shellReads(curlOf(request({ method: "POST", headers: { "x-empty": "" }, body: "{}" }))).arguments;
    expect(read).toContain("content-type:");
    expect(read).toContain("x-empty;");
  });

  test("addresses are sent as they are", () => {
    const read = shellReads(curlOf(request({ url: "http://h/v1/../{a}[1]" }))).arguments;
    expect(read).toEqual(expect.arrayContaining(["--path-as-is", "--globoff", "http://h/v1/../{a}[1]"]));
  });
});

describe("a command that is run", () => {
  const seen: { method: string; body: string; type: string | undefined }[] = [];
  const server = createServer((incoming, response) => {
    let body = "";
    incoming.on("data", (chunk) => {
      body += chunk;
    });
    incoming.on("end", () => {
      seen.push({ method: incoming.method ?? "", body, type: incoming.headers["content-type"] });
      response.end("ok");
    });
  });
  beforeAll(() => new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready)));
  afterAll(() => new Promise((done) => server.close(done)));

  test("sends the request", async (context) => {
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const sent = request({ method: "POST", url: `http://127.0.0.1:${port}/v1`, body: "@it's {raw}\n\u0002" });
    const child = spawn("sh", ["-c", `${curlOf(sent)} --silent --noproxy '*'`], { stdio: "ignore" });
    const code = await new Promise((done) => child.on("close", done));
    if (code === 127) context.skip("curl is not installed here");
    expect(seen).toEqual([{ method: "POST", body: "@it's {raw}\n\u0002", type: undefined }]);
  });
});
