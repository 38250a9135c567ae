import { describe, expect, test } from "vitest";
import { listenAddressOf } from "./listen-address.ts";

describe("where to listen", () => {
  test.each([
    ["127.0.0.1:9100", "127.0.0.1", 9100],
    [" localhost:0 ", "localhost", 0],
    ["0.0.0.0:65535", "0.0.0.0", 65_535],
    ["[::1]:9100", "::1", 9100],
    ["9100", "127.0.0.1", 9100],
  ])("is read from %j", (text, host, port) => {
    expect(listenAddressOf(text)).toEqual({ ok: true, host, port });
  });

  test.each([
    ["", "nothing to listen on"],
    ["localhost", "no host and port"],
    ["http://localhost:9100", "public_url"],
    ["::1:9100", "brackets"],
    ["localhost:70000", "70000 is no port"],
    ["localhost:-1", "no host and port"],
    ["user@host:1", "no host and port"],
    ["9100 ; rm", "no host and port"],
  ])("is refused as %j with a way out", (text, part) => {
    const read = listenAddressOf(text);
    expect(read.ok ? "" : `${read.message} ${read.fix}`).toContain(part);
  });
});
