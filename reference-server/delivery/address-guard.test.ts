import { describe, expect, it } from "vitest";
import { refuseUrl } from "./address-guard.ts";

const outside = { loopback: false };
const development = { loopback: true };

const notPublic = /^must be a public address$/;
const internal = /internal network/;
const scheme = /^must begin with https:\/\/$/;
const silent = /white space/;
const noUser = /no user/;

/** Every way past the guard that we know of, with the reason that it is refused for. */
const bypasses: readonly (readonly [way: string, url: string, reason: RegExp])[] = [
  ["loopback", "https://127.0.0.1/", notPublic],
  ["decimal", "https://2130706433/", notPublic],
  ["octal", "https://0177.0.0.1/", notPublic],
  ["octal in one", "https://017700000001/", notPublic],
  ["hexadecimal", "https://0x7f000001/", notPublic],
  ["hexadecimal parts", "https://0x7f.0x0.0x0.0x1/", notPublic],
  ["mixed bases", "https://0x7f.0.0.01/", notPublic],
  ["short form", "https://127.1/", notPublic],
  ["three parts", "https://127.0.1/", notPublic],
  ["nought", "https://0/", notPublic],
  ["nought in full", "https://0.0.0.0/", notPublic],
  ["trailing dot", "https://127.0.0.1./", notPublic],
  ["too many trailing dots", "https://127.0.0.1../", /valid host name/],
  ["full-width digits", "https://１２７.０.０.１/", notPublic],
  ["circled digits", "https://①②⑦.⓪.⓪.①/", notPublic],
  ["ideographic dots", "https://127。0。0。1/", notPublic],
  ["percent-encoded", "https://%31%32%37.0.0.1/", notPublic],
  ["private", "https://10.1.2.3/", notPublic],
  ["metadata", "https://169.254.169.254/latest/meta-data/", notPublic],
  ["metadata, decimal", "https://2852039166/", notPublic],
  ["metadata, IPv6", "https://[fd00:ec2::254]/", notPublic],
  ["IPv6 loopback", "https://[::1]/", notPublic],
  ["IPv6 loopback in full", "https://[0:0:0:0:0:0:0:1]/", notPublic],
  ["IPv6 unspecified", "https://[::]/", notPublic],
  ["IPv4-mapped", "https://[::ffff:127.0.0.1]/", notPublic],
  ["IPv4-mapped in hexadecimal", "https://[::ffff:7f00:1]/", notPublic],
  ["IPv4-mapped public", "https://[::ffff:8.8.8.8]/", notPublic],
  ["IPv4-compatible", "https://[::127.0.0.1]/", notPublic],
  ["NAT64", "https://[64:ff9b::127.0.0.1]/", notPublic],
  ["local NAT64", "https://[64:ff9b:1::a9fe:a9fe]/", notPublic],
  ["6to4", "https://[2002:7f00:1::]/", notPublic],
  ["Teredo", "https://[2001:0:7f00:1::]/", notPublic],
  ["link-local", "https://[fe80::1]/", notPublic],
  ["zone", "https://[fe80::1%25eth0]/", /host name or address/],
  ["multicast", "https://224.0.0.1/", notPublic],
  ["broadcast", "https://255.255.255.255/", notPublic],
  ["localhost", "https://localhost/", internal],
  ["localhost, trailing dot", "https://localhost./", internal],
  ["localhost in capitals", "https://LOCALHOST/", internal],
  ["localhost, circled letter", "https://ⓛocalhost/", internal],
  ["localhost, soft hyphen", "https://lo\u00ADcalhost/", internal],
  ["below localhost", "https://a.localhost/", internal],
  ["below localhost, trailing dot", "https://a.localhost./", internal],
  ["below local", "https://printer.local/", internal],
  ["below internal", "https://metadata.google.internal/", internal],
  ["below home.arpa", "https://nas.home.arpa/", internal],
  ["one label", "https://metadata/", internal],
  ["empty label", "https://a..example/", /valid host name/],
  ["no host", "https:///", scheme],
  ["http", "http://example.com/", scheme],
  ["file", "file:///etc/passwd", scheme],
  ["gopher", "gopher://example.com/", scheme],
  ["data", "data:text/plain,x", scheme],
  ["socket", "unix:/var/run/docker.sock", scheme],
  ["no scheme", "example.com/", scheme],
  ["no slashes", "https:example.com", scheme],
  ["relative", "//example.com/", scheme],
  ["empty", "", scheme],
  ["user and password", "https://user:pass@example.com/", noUser],
  ["user", "https://user@example.com/", noUser],
  ["empty user", "https://@example.com/", noUser],
  ["empty user and password", "https://:@example.com/", noUser],
  ["host disguised as user", "https://example.com@127.0.0.1/", noUser],
  ["host disguised as user, encoded", "https://example.com%40127.0.0.1/", /host name or address/],
  ["user behind a fragment", "https://127.0.0.1#@example.com/", /fragment/],
  ["user behind a query", "https://127.0.0.1?@example.com/", notPublic],
  ["fragment", "https://example.com/#x", /fragment/],
  ["empty fragment", "https://example.com/#", /fragment/],
  ["backslashes", "https:\\\\127.0.0.1\\", silent],
  ["backslash before the user", "https://127.0.0.1\\@example.com/", silent],
  ["leading space", " https://example.com/", silent],
  ["tab in the scheme", "ht\ttps://example.com/", silent],
  ["line break in the host", "https://127.0.\n0.1/", silent],
  ["header in the path", "https://example.com/\r\nX: y", silent],
  ["U+0000", "https://example.com/\u0000", silent],
  ["other white space", "https://example.com/\u2003", silent],
  ["mail", "https://example.com:25/", /port/],
  ["plain web", "https://example.com:80/", /port/],
  ["port nought", "https://example.com:0/", /port/],
  ["impossible port", "https://example.com:65536/", /host name or address/],
  ["bad punycode", "https://xn--a.xn--\u0000/", silent],
  ["label too long", `https://${"a".repeat(64)}.example/`, /valid host name/],
  ["name too long", `https://${"a.".repeat(130)}example/`, /valid host name/],
  ["one megabyte", `https://example.com/${"a".repeat(1_000_000)}`, /at most 2048 characters/],
];

describe("an address that leads inside, or nowhere", () => {
  it.each(bypasses)("is refused: %s", (_way, url, reason) => {
    expect(refuseUrl(url, outside)).toMatch(reason);
  });
});

describe("an address outside", () => {
  it.each([
    "https://example.com",
    "https://example.com/hooks/1?a=b@c&d=/",
    "HTTPS://Example.COM/",
    "https://example.com./",
    "https://example.com:443/",
    "https://example.com:8443/",
    "https://example.com:65535/",
    "https://localhost.example.com/",
    "https://10.example.com/",
    "https://internal.example.com/",
    "https://ex_ample.example.com/",
    "https://münchen.example/",
    "https://8.8.8.8/",
    "https://134744072/",
    "https://[2a00:1450:4001:800::200e]/",
    "https://unreachable.invalid/",
    `https://example.com/${"a".repeat(2_028)}`,
  ])("is admitted: %s", (url) => {
    expect(refuseUrl(url, outside)).toBeNull();
  });
});

describe("the policy for development", () => {
  it.each([
    "http://127.0.0.1:8080/",
    "http://127.1/",
    "http://localhost:3000/hook",
    "https://localhost./",
    "http://[::1]:80/",
    "http://example.com/",
    "http://example.com:25/",
  ])("admits %s", (url) => {
    expect(refuseUrl(url, development)).toBeNull();
  });

  it.each([
    ["http://10.0.0.1/", notPublic],
    ["http://169.254.169.254/", notPublic],
    ["http://0.0.0.0/", notPublic],
    ["http://[::ffff:127.0.0.1]/", notPublic],
    ["http://a.localhost/", internal],
    ["http://metadata.google.internal/", internal],
    ["http://user@127.0.0.1/", noUser],
    ["ftp://127.0.0.1/", /^must begin with https:\/\/ or http:\/\/$/],
  ])("still refuses %s", (url, reason) => {
    expect(refuseUrl(url, development)).toMatch(reason);
  });
});
