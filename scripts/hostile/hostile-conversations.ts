import * as fc from "fast-check";
import { hostileBody, soundBody } from "./hostile-bodies.ts";
import { aim, headers } from "./hostile-heads.ts";
import type { Known } from "./known.ts";
import type { Conversation } from "./raw-client.ts";

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

/** Header lines that announce a body, and the body as it is then sent. */
interface Framed {
  readonly lines: readonly string[];
  readonly bytes: Buffer;
}

type Framing = (body: Buffer) => Framed;

const lengthFraming: Framing = (body) => ({ lines: [`Content-Length: ${body.length}`], bytes: body });

const soundFramings: readonly Framing[] = [
  (body) => ({ lines: [`Content-Length: ${body.length}`], bytes: body }),
  (body) => ({ lines: [`Content-Length: ${body.length}`], bytes: body }),
  (body) => ({ lines: [`Content-Length: ${body.length}`], bytes: body }),
  (body) => ({ lines: ["Transfer-Encoding: chunked"], bytes: chunked(body, [body.length]) }),
  (body) => ({ lines: ["Transfer-Encoding: chunked"], bytes: chunked(body, [1, 2, 3, 5, 8, 13]) }),
  (body) => ({
    lines: ["Transfer-Encoding: chunked", "Trailer: X"],
    bytes: chunked(body, [7], ";a=b", "X: y\r\nContent-Length: 0\r\n"),
  }),
];

const brokenFramings: readonly Framing[] = [
  // Announced wrongly, twice, or not at all.
  (body) => ({ lines: [`Content-Length: ${body.length + 10}`], bytes: body }),
  (body) => ({ lines: [`Content-Length: ${Math.max(0, body.length - 3)}`], bytes: body }),
  (body) => ({ lines: [`Content-Length: ${body.length}`, "Content-Length: 1"], bytes: body }),
  (body) => ({ lines: [`Content-Length: ${body.length}`, "Transfer-Encoding: chunked"], bytes: chunked(body, [9]) }),
  (body) => ({ lines: ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"], bytes: chunked(body, [9]) }),
  ...["-1", "+5", "0x10", "5, 5", "1e3", "99999999999999999999", "9007199254740991", " ", "1073741825"].map(
    (length) =>
      (body: Buffer): Framed => ({ lines: [`Content-Length: ${length}`], bytes: body }),
  ),
  ...["gzip, chunked", "chunked, chunked", "chunked, gzip", "xchunked", " chunked", "\x0bchunked", "identity"].map(
    (coding) =>
      (body: Buffer): Framed => ({ lines: [`Transfer-Encoding: ${coding}`], bytes: chunked(body, [4]) }),
  ),
  // Chunks that are none.
  ...[
    "zz\r\n",
    "-1\r\nx\r\n",
    "ffffffffffffffffff\r\n",
    "5\r\nab",
    `5;${"e".repeat(20_000)}\r\n`,
    "5\nhello\n0\n\n",
    "\r\n",
  ].map((chunks) => (): Framed => ({ lines: ["Transfer-Encoding: chunked"], bytes: latin1(chunks) })),
  (body) => ({ lines: [], bytes: body }),
];

/** The body in chunks of these sizes, taken in turn. */
function chunked(body: Buffer, sizes: readonly number[], extension = "", trailer = ""): Buffer {
  const parts: Buffer[] = [];
  // A large body in tiny chunks would only cost time.
  const least = Math.ceil(body.length / 2_000);
  for (let at = 0, turn = 0; at < body.length; turn += 1) {
    const size = Math.max(sizes[turn % sizes.length] ?? 1, least, 1);
    const part = body.subarray(at, at + size);
    parts.push(latin1(`${part.length.toString(16)}${extension}\r\n`), part, latin1("\r\n"));
    at += size;
  }
  return Buffer.concat([...parts, latin1(`0\r\n${trailer}\r\n`)]);
}

const version = fc.oneof(
  { arbitrary: fc.constant("HTTP/1.1"), weight: 12 },
  { arbitrary: fc.constantFrom("HTTP/1.0", "HTTP/2.0", "HTTP/0.9", "HTTP/1.1.1", "http/1.1", "", "HTTP/9"), weight: 1 },
);

/** All of a request but its method and target, as whoever may call the service would send it. */
const soundly = (body: Buffer, path: string, { key, sandboxToken }: Known) => ({
  protocol: "HTTP/1.1",
  lines: [
    `Authorization: Bearer ${path.startsWith("/sandbox") ? sandboxToken : key}`,
    "Content-Type: application/json",
  ],
  framed: [body, lengthFraming] as const,
});

/** A request; without a method of its own one of any. */
const request = (known: Known, only: string | null = null): fc.Arbitrary<Buffer> =>
  fc
    .record({
      aimed: aim(known),
      /** Now and then all but method and target is as it should be, so that operations are reached. */
      body: fc.option(soundBody, { freq: 3 }),
      protocol: version,
      lines: headers(known),
      framed: fc.oneof(
        { arbitrary: fc.tuple(hostileBody, fc.constantFrom(...soundFramings)), weight: 5 },
        { arbitrary: fc.tuple(hostileBody, fc.constantFrom(...brokenFramings)), weight: 1 },
      ),
    })
    .map(({ aimed, body: sound, ...drawn }) => {
      const { verb, path } = only === null ? aimed : { ...aimed, verb: only };
      const { protocol, lines, framed } = sound === null ? drawn : soundly(sound, path, known);
      const [body, frame] = framed;
      const { lines: announcing, bytes } =
        verb === "GET" || verb === "HEAD" ? { lines: [], bytes: Buffer.alloc(0) } : frame(body);
      const head = [`${verb} ${path} ${protocol}`, "Host: x", ...lines, ...announcing, "", ""];
      return Buffer.concat([latin1(head.join("\r\n")), bytes]);
    });

/** No HTTP, or of another kind. */
const strange: fc.Arbitrary<Buffer> = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom(
    ...[
      "GET /\r\n",
      "\r\n\r\n\r\n",
      "\u0000",
      "GET",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "HTTP/1.1 200 OK\r\n\r\n",
    ].map(latin1),
    Buffer.from("16030100c8010000c40303", "hex"),
    latin1("GET / HTTP/1.1\nHost: x\n\n"),
    latin1("A".repeat(100_000)),
  ),
);

const conversation = (bytes: fc.Arbitrary<Buffer>, bodiless: boolean): fc.Arbitrary<Conversation> =>
  fc
    .record({
      bytes,
      cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 }),
      kept: fc.oneof(
        { arbitrary: fc.constant(1), weight: 8 },
        { arbitrary: fc.double({ min: 0, max: 1, noNaN: true }), weight: 1 },
      ),
      leaving: fc.constantFrom<Conversation["leaving"]>("listen", "listen", "listen", "listen", "half-close", "vanish"),
    })
    .map((drawn) => ({
      pieces: pieces(drawn.bytes.subarray(0, Math.ceil(drawn.bytes.length * drawn.kept)), drawn.cuts),
      leaving: drawn.leaving,
      bodiless,
    }));

function pieces(bytes: Buffer, cuts: readonly number[]): readonly Buffer[] {
  const at = [0, ...cuts.map((cut) => Math.floor(cut * bytes.length)).sort((one, other) => one - other), bytes.length];
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

/** One connection's worth of hostility. */
export const hostileConversation = (known: Known): fc.Arbitrary<Conversation> => {
  const one = request(known);
  const several = fc.array(fc.oneof({ arbitrary: one, weight: 6 }, { arbitrary: strange, weight: 1 }), {
    minLength: 2,
    maxLength: 6,
    size: "max",
  });
  return fc.oneof(
    { arbitrary: conversation(one, false), weight: 10 },
    {
      arbitrary: conversation(
        several.map((all) => Buffer.concat(all)),
        false,
      ),
      weight: 3,
    },
    { arbitrary: conversation(strange, false), weight: 1 },
    { arbitrary: conversation(request(known, "HEAD"), true), weight: 1 },
  );
};
