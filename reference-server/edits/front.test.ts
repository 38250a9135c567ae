import { request } from "node:http";
import { text } from "node:stream/consumers";
import express from "express";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createListener, type Listener, usualPatience } from "../http/listener.ts";
import { unreadable } from "../server.ts";
import { createFront } from "./front.ts";

/** Tells what it was asked, in one way or another. */
const app = express()
  .disable("x-powered-by")
  .use(async (asked, response) => {
    const { method, url, httpVersion } = asked;
    const { connection: _, ...headers } = asked.headers;
    if (url === "/gone") return void response.destroy();
    const body = { method, url, headers, httpVersion, body: await text(asked), beyond: "ASCII: ü" };
    if (url === "/piecewise") {
      response.writeHead(201, { "set-cookie": "a=b", "x-said": "1" });
      response.write(JSON.stringify(body).slice(0, 9));
      return void response.end(JSON.stringify(body).slice(9));
    }
    if (url === "/empty") return void response.writeHead(204).end();
    response.setHeader("x-said", ["1", "2"]);
    response.writeHead(url === "/refused" ? 429 : 200, { "content-length": Buffer.byteLength(JSON.stringify(body)) });
    response.end(JSON.stringify(body));
  });

const failures: string[] = [];
const failed = (problem: unknown): void => void failures.push(String(problem));
let behind: Listener;
let fronts: readonly { readonly listener: Listener; readonly port: number }[];

beforeAll(async () => {
  behind = createListener(app, unreadable, usualPatience);
  const { url } = await behind.listen({ host: "127.0.0.1", port: 0 });
  fronts = await Promise.all(
    [url, app].map(async (upstream) => {
      const listener = createFront(upstream, [], failed, null);
      return { listener, port: (await listener.listen({ host: "127.0.0.1", port: 0 })).port };
    }),
  );
});
afterAll(async () => {
  for (const { listener } of fronts) await listener.close(0);
  await behind.close(0);
});

describe("a front of an application in the same process", () => {
  it.each([
    ["GET", "/", ["accept", "a"], ""],
    [
      "GET",
      "/?q=%20&q=é".replace("é", "%C3%A9"),
      ["x-id", "1", "X-Id", "2", "authorization", "a", "authorization", "b"],
      "",
    ],
    ["POST", "/", ["content-type", "application/json", "cookie", "a=b", "cookie", "c=d"], '{"text":"ü"}'],
    ["POST", "/refused", ["content-type", "a", "content-type", "b", "x-latin", "\u00fc"], "{}"],
    ["POST", "/piecewise", [], "x".repeat(2_000)],
    ["HEAD", "/", [], ""],
    ["DELETE", "/empty", [], ""],
    ["POST", "/gone", [], "{}"],
  ] as const)("answers %s %s as one that reaches it over HTTP does", async (method, path, headers, body) => {
    const [over, within] = await Promise.all(fronts.map(({ port }) => asked(port, method, path, headers, body)));
    expect(within).toEqual(over);
  });

  it("tells that the application ended a connection", () => {
    expect(failures).toHaveLength(2);
  });
});

/** The answer, without what tells of the moment; null where there is none. */
function asked(port: number, method: string, path: string, headers: readonly string[], body: string) {
  const length = body === "" ? [] : ["content-length", String(Buffer.byteLength(body))];
  return new Promise<unknown>((resolve) => {
    const sent = request(
      { host: "127.0.0.1", port, method, path, setHost: false, headers: ["host", "here", ...headers, ...length] },
      async (response) => {
        const told = Object.entries(response.headersDistinct).filter(([name]) => name !== "date");
        resolve({ status: response.statusCode, headers: Object.fromEntries(told), body: await text(response) });
      },
    );
    sent.on("error", () => resolve(null));
    sent.end(body);
  });
}
