import { createHash, createHmac } from "node:crypto";
import { constants } from "../../generated/constants.ts";
import { type DeliverySeen, headerValues } from "../exchange/delivery.ts";
import { objectOf } from "../exchange/exchange.ts";
import { dialectsOf, parseSignature, type Signed as Verified } from "../receiver/signature.ts";
import type { Step } from "../story/step.ts";
import type { Case, Probe } from "./probe.ts";

/** A delivery with what its signature was made of, as far as its header tells. */
interface Signed {
  /** As whoever verifies it takes it. */
  readonly delivery: Verified;
  readonly number: number;
  /** Address of the inbox that it reached, and when it did. */
  readonly url: string;
  readonly receivedAt: number;
  readonly t: string;
  readonly values: readonly string[];
  readonly body: string;
  /** Event ids: of the header, and of the body where that has another one. */
  readonly ids: readonly string[];
}

/** Most secrets and deliveries that are tried: the last ones. */
const most = 6;

/** A delivery that is signed soundly, but with a secret that another one has replaced, or that is another endpoint's. */
export const otherSecret: Probe = {
  id: "other-secret",
  says(seen) {
    for (const signed of judgedIn(seen)) {
      for (const secret of lastSecrets(seen).filter((one) => isSound(signed, one))) {
        const why = whyOther(seen.steps, secret, signed);
        if (why !== null) return `the wrong secret signs: delivery ${signed.number} verifies with ${secret}, ${why}`;
      }
    }
    return null;
  },
};

/** Why a secret is not the one that signs a delivery: another one replaced it before, or it is not its endpoint's. */
function whyOther(steps: readonly Step[], secret: string, { url, receivedAt }: Signed): string | null {
  const given = steps.findIndex((step) => secretIn(step) === secret);
  const path = pathOf(steps[given]);
  if (path === null) return null;
  const next = steps.find(
    (step, index) =>
      index > given && step.at < receivedAt && pathOf(step) === path && (secretIn(step) ?? secret) !== secret,
  );
  if (next !== undefined) return `which ${secretIn(next)} had replaced by then`;
  const endpoint = steps.find((step) => objectOf(parsed(step.request?.body ?? ""))?.url === url);
  const id = objectOf(jsonOf(endpoint)?.data)?.id;
  return typeof id === "string" && !path.includes(id) ? `which is that of another endpoint than ${id}` : null;
}

const jsonOf = (step: Step | undefined): Readonly<Record<string, unknown>> | null =>
  step?.outcome?.kind === "response" ? objectOf(step.outcome.json) : null;

function secretIn(step: Step): string | null {
  const secret = objectOf(jsonOf(step)?.data)?.secret;
  return typeof secret === "string" ? secret : null;
}

const pathOf = (step: Step | undefined): string | null =>
  step?.through === "api" && step.request !== null && URL.canParse(step.request.url)
    ? new URL(step.request.url).pathname
    : null;

/** A signature over something else than the contract says, or made in another way. */
export const otherContent: Probe = {
  id: "other-content",
  says(seen) {
    for (const signed of judgedIn(seen)) {
      if (lastSecrets(seen).some((secret) => isSound(signed, secret))) continue;
      for (const secret of lastSecrets(seen)) {
        const way = waysOf(signed, secret).find(({ value }) => signed.values.includes(value));
        if (way !== undefined)
          return `the signature of delivery ${signed.number} is that of ${way.text}, with ${secret}`;
      }
    }
    return null;
  },
};

/** A signature that does not hang on what is signed. */
export const constantSignature: Probe = {
  id: "constant-signature",
  says(seen) {
    const [one, ...others] = judgedIn(seen);
    const other = others.find(({ t, body }) => t !== one?.t && body !== one?.body);
    if (one === undefined || other === undefined || !other.values.some((value) => one.values.includes(value)))
      return null;
    return `the signature hangs on neither time nor body: deliveries ${one.number} and ${other.number} have the same`;
  },
};

/** The last deliveries of a finding that is about signatures; none of any other. */
const judgedIn = (seen: Case): readonly Signed[] => {
  const words = `${seen.finding.expected} ${seen.finding.actual}`;
  return /signature|sign(s|ed)\b|verif/i.test(words) ? allSigned(seen).slice(-most) : [];
};

const allSigned = ({ finding }: Case): readonly Signed[] =>
  finding.deliveries.flatMap((delivery) => signedOf(delivery) ?? []);

function signedOf({ number, request, receivedAt }: DeliverySeen): Signed | null {
  const { url, body, truncated } = request;
  const delivery = { headers: Object.entries(request.headers), body: Buffer.from(body), truncated, broken: false };
  const signature = parseSignature(delivery);
  if (!signature.ok || truncated) return null;
  const ids = [headerValues(delivery, constants.eventIdHeader)[0], objectOf(parsed(body))?.id];
  return {
    ...{ delivery, number, receivedAt, url, body },
    ids: [...new Set(ids.filter((id) => typeof id === "string"))],
    ...{ t: signature.t, values: signature.values },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The secrets that answers of the check showed; where none did, the last ones of the run. */
function lastSecrets({ steps, secrets }: Case): readonly string[] {
  const own = [...new Set(steps.flatMap((step) => secretIn(step) ?? []))];
  return (own.length > 0 ? own : secrets).slice(-most).toReversed();
}

interface Way {
  readonly text: string;
  readonly value: string;
}

/** Whether some value of the signature is one that the contract admits with this secret. */
const isSound = ({ delivery }: Signed, secret: string): boolean => dialectsOf(delivery, secret).length > 0;

interface Key {
  readonly text: string;
  readonly key: Buffer;
}

const keysOf = (secret: string): readonly Key[] => [
  { text: "the secret as it is written", key: Buffer.from(secret) },
  { text: "the bytes of the secret", key: Buffer.from(secret, "base64") },
  { text: "a digest of the secret", key: createHash("sha256").update(secret).digest() },
  { text: "the secret without its mark", key: Buffer.from(secret.replace(/^[a-z]+_/, "")) },
];

/** Under which condition what another encoding makes of a body is the same. */
const asOfAscii = ", which is right where all characters are ASCII";

/** Bytes of a long body that alone may be signed. */
const beginnings = [16, 32, 64, 100, 128, 200, 256, 500, 512, 1000, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536];

function contentsOf({ t, body, ids }: Signed): readonly { readonly text: string; readonly content: string | Buffer }[] {
  const bytes = Buffer.from(body);
  const again = parsed(body);
  return [
    { text: "time and body", content: `${t}.${body}` },
    { text: "the body alone", content: body },
    { text: "the time alone", content: t },
    { text: "the time alone", content: `${t}.` },
    { text: "time and body without what stands between them", content: t + body },
    { text: "body and time", content: `${body}.${t}` },
    { text: "the time and the length of the body", content: `${t}.${bytes.length}` },
    { text: "the time and the length of the body", content: `${t}.${body.length}` },
    { text: `time and body, each byte read as a character${asOfAscii}`, content: `${t}.${bytes.toString("latin1")}` },
    {
      text: `time and body in latin1, a byte for each character${asOfAscii}`,
      content: Buffer.from(`${t}.${body}`, "latin1"),
    },
    { text: "time and body, with another line break behind it", content: `${t}.${body}\n` },
    { text: "time and body, with other escapes", content: `${t}.${escapedText(body)}` },
    { text: "time and body, spaces left out", content: `${t}.${again === undefined ? body : JSON.stringify(again)}` },
    ...instantsIn(body).map((at) => ({ text: `the body and another time, ${at}`, content: `${at}.${body}` })),
    ...ids.flatMap((id) => [
      { text: `the event id ${id}, time and body`, content: `${id}.${t}.${body}` },
      { text: `time, the event id ${id} and body`, content: `${t}.${id}.${body}` },
      { text: `the time and the event id ${id}`, content: `${t}.${id}` },
    ]),
    ...beginnings
      .filter((length) => length < bytes.length)
      .map((length) => ({
        text: `the time and the first ${length} bytes of the body`,
        content: Buffer.concat([Buffer.from(`${t}.`), bytes.subarray(0, length)]),
      })),
  ];
}

/** Unix seconds of the instants that a body tells: an event happened before it is sent. */
const instantsIn = (body: string): readonly number[] =>
  (body.match(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g) ?? []).map((text) => Math.floor(Date.parse(text) / 1000));

const escapedText = (text: string): string =>
  text.replace(/[^\0-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

function* madeOf(signed: Signed, secret: string): Generator<Way> {
  for (const { text: what, content } of contentsOf(signed)) {
    for (const { text: how, key } of keysOf(secret))
      for (const name of ["sha256", "sha1", "sha512"])
        for (const encoding of ["hex", "base64"] as const)
          yield {
            text: `${what} (HMAC-${name.toUpperCase()} with ${how}, in ${encoding})`,
            value: createHmac(name, key).update(content).digest(encoding),
          };
  }
  for (const encoding of ["hex", "base64"] as const) {
    const digest = createHash("sha256").update(secret).digest(encoding);
    yield { text: "nothing: it is a digest of the secret", value: digest };
    yield {
      text: "nothing: it is a digest of the secret",
      value: createHash("sha256").update(Buffer.from(secret, "base64")).digest(encoding),
    };
  }
}

const waysOf = (signed: Signed, secret: string): readonly Way[] => [...madeOf(signed, secret)];
