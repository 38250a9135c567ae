import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { eventTypes } from "../../generated/events.ts";
import { operations } from "../../generated/operations.ts";

const utf8 = (text: string): Buffer => Buffer.from(text, "utf8");
const raw = (...bytes: readonly number[]): Buffer => Buffer.from(bytes);
/** A scope that may be granted, as JSON writes it. */
const scope = JSON.stringify(operations.getApiKey.scope);

const inLabel = (bytes: Buffer): Buffer => Buffer.concat([utf8(`{"scopes":[${scope}],"label":"`), bytes, utf8('"}')]);

/** An endpoint at such an address; nobody answers at those that may be. */
const endpointAt = (url: string): Buffer =>
  utf8(JSON.stringify({ url, events: eventTypes, active: true, answers: [{ status: 500 }] }));

const oddUrls: readonly string[] = [
  ...["", "x", "https:", "https://", "//x", "https://x.invalid:99999/", "https://u:p@x.invalid/", "http://x.invalid/"],
  ...["https://127.0.0.1/", "https://[::1]/", "https://[::ffff:7f00:1]/", "https://0x7f.1/", "https://2130706433/"],
  ...["https://169.254.169.254/latest", "https://localhost/", "https://x.invalid/\u0000", "https://x.invalid/\r\nA: b"],
  ...["javascript:alert(1)", "file:///etc/passwd", "data:,x", "https://\u{1f600}.invalid/", "https://xn--a.invalid/"],
  ...["https://x.invalid/#f", "https://x.invalid/?a=\u2028", `https://${"a".repeat(300)}.invalid/`],
  ...[`https://x.invalid/${"a".repeat(9_000)}`, "https://x.invalid/%zz/../..", "\ud800", "https://x\ud800.invalid/"],
];

const soundEndpoint = utf8(JSON.stringify({ url: "https://receiver.invalid/hook", events: eventTypes }));

const sound = `{"label":"hostile","scopes":[${scope}]}`;

/** Bodies that were made to hurt, each for a reason of its own. */
const crafted: readonly Buffer[] = [
  ...[sound, "", "{}", "[]", "null", '""', "0", "{", sound.slice(0, -1), `${sound}}`, "undefined", "NaN"].map(utf8),
  // Members that are given twice, or named after what objects inherit.
  utf8(`{"label":"a","label":"b","scopes":[${scope}],"scopes":[]}`),
  utf8(`{"__proto__":{"label":"x","scopes":[${scope}]}}`),
  utf8('{"constructor":{"prototype":{"label":"x"}},"hasOwnProperty":1,"toString":null,"toJSON":1,"valueOf":{}}'),
  utf8(`{"label":{"__proto__":null,"length":1e9},"scopes":{"length":5,"0":${scope}}}`),
  utf8(`{"label":"x","scopes":[${scope},"__proto__","constructor"]}`),
  ...oddUrls.map(endpointAt),
  utf8('{"reason":"\\ud800"}'),
  // Depth and breadth.
  utf8("[".repeat(50_000)),
  utf8(`${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`),
  utf8(`{"label":"x","scopes":${"[".repeat(70)}${"]".repeat(70)}}`),
  utf8(`{"label":"x","scopes":[${'"a:b",'.repeat(30_000)}"a:c"]}`),
  utf8(`{${Array.from({ length: 5_000 }, (_, index) => `"member${index}":${index}`).join(",")}}`),
  utf8(`{"label":"${"x".repeat(200_000)}","scopes":[${scope}]}`),
  // Numbers beyond all bounds.
  utf8('{"label":1e400,"scopes":[-1e400,1e-400,123456789012345678901234567890,-0]}'),
  utf8('{"clock":"manual","plan":1e400,"limits":{"apiKeyWrites":{"capacity":1e308,"period_seconds":1e-308}}}'),
  utf8('{"seconds":9007199254740993}'),
  utf8('{"seconds":1e308}'),
  utf8(`{"label":${"9".repeat(5_000)},"scopes":[]}`),
  // Text that is none.
  inLabel(utf8("\\ud800")),
  inLabel(utf8("\\udc00\\ud800")),
  inLabel(utf8("\\u0000")),
  inLabel(raw(0)),
  inLabel(raw(0xc0, 0xaf)),
  inLabel(raw(0xe0, 0x80, 0x80)),
  inLabel(raw(0xed, 0xa0, 0x80)),
  inLabel(raw(0xf8, 0x88, 0x80, 0x80, 0x80)),
  inLabel(utf8("\u202e\u2028\ufeff\u0300".repeat(20))),
  Buffer.concat([raw(0xef, 0xbb, 0xbf), utf8(sound)]),
  Buffer.from(sound, "utf16le"),
  gzipSync(sound),
  gzipSync(Buffer.alloc(5_000_000)),
  utf8("--x\r\nContent-Disposition: form-data; name=label\r\n\r\na\r\n--x--\r\n"),
  utf8("label=x&scopes=apikeys%3Aread&__proto__[a]=1"),
];

const names = fc.constantFrom("label", "scopes", "__proto__", "constructor", "seconds", "clock", "limits", "toJSON");

/** JSON of any shape, with members that the server knows among others. */
const anyJson = fc
  .dictionary(fc.oneof(names, fc.string({ unit: "binary", maxLength: 8 })), fc.jsonValue({ maxDepth: 4 }), {
    maxKeys: 6,
  })
  .map((value) => utf8(JSON.stringify(value)));

const anyBytes = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));

/** Some operation takes it. */
export const soundBody: fc.Arbitrary<Buffer> = fc.constantFrom(utf8(sound), soundEndpoint, utf8("{}"));

export const hostileBody: fc.Arbitrary<Buffer> = fc.oneof(
  { arbitrary: fc.constantFrom(...crafted), weight: 6 },
  { arbitrary: anyJson, weight: 2 },
  { arbitrary: anyBytes, weight: 1 },
);
