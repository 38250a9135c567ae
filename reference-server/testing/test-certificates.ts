import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** A key and a certificate for it, as PEM. */
export interface Identity {
  readonly key: string;
  readonly cert: string;
}

export interface CertificateWanted {
  /** Host name that it is for. */
  readonly name: string;
  /** Milliseconds since 1970 when it expires; a day from now unless given. */
  readonly expires?: number;
}

const day = 86_400_000;

/** An authority of a test, which signs with ECDSA over P-256. */
export function testAuthority() {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const issuer = "Test authority";
  const own = { issuer, subject: issuer, publicKey, expires: Date.now() + day };
  return {
    cert: pem("CERTIFICATE", certificate({ ...own, extensions: [isAuthority] }, privateKey)),
    /** A certificate that this authority signed. */
    issue: (wanted: CertificateWanted): Identity => identity(wanted, { issuer, privateKey }),
  };
}

/** A certificate that nobody vouches for. */
export const selfSigned = (wanted: CertificateWanted): Identity => identity(wanted, null);

function identity(
  { name, expires = Date.now() + day }: CertificateWanted,
  authority: { readonly issuer: string; readonly privateKey: KeyObject } | null,
): Identity {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { issuer, privateKey: signer } = authority ?? { issuer: name, privateKey };
  const subject = { issuer, subject: name, publicKey, expires, extensions: [alternativeName(name)] };
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: pem("CERTIFICATE", certificate(subject, signer)),
  };
}

interface Certified {
  readonly issuer: string;
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly expires: number;
  readonly extensions: readonly Uint8Array[];
}

/** RFC 5280, section 4.1, in DER. */
function certificate({ issuer, subject, publicKey, expires, extensions }: Certified, signer: KeyObject): Uint8Array {
  const version3 = tagged(0xa0, tagged(0x02, Buffer.of(2)));
  // Positive, and no zero at its beginning.
  const serial = tagged(0x02, Buffer.of(0x40), randomBytes(8));
  const validity = sequence(time(expires - 10 * day), time(expires));
  const all = tagged(0xa3, sequence(...extensions));
  const signed = sequence(
    ...[version3, serial, ecdsaWithSha256, distinguished(issuer), validity, distinguished(subject)],
    ...[publicKey.export({ type: "spki", format: "der" }), all],
  );
  return sequence(signed, ecdsaWithSha256, tagged(0x03, Buffer.of(0), sign("sha256", signed, signer)));
}

function tagged(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...head), content]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => tagged(0x30, ...parts);
const objectId = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, "hex"));

const ecdsaWithSha256 = sequence(objectId("2a8648ce3d040302"));
const commonName = objectId("550403");
const distinguished = (name: string): Buffer =>
  sequence(tagged(0x31, sequence(commonName, tagged(0x0c, Buffer.from(name)))));

/** GeneralizedTime, in UTC to the second. */
const time = (instant: number): Buffer =>
  tagged(0x18, Buffer.from(new Date(instant).toISOString().replace(/\.\d+|[-:T]/g, "")));

const octets = (content: Uint8Array): Buffer => tagged(0x04, content);
const critical = tagged(0x01, Buffer.of(0xff));
const isAuthority = sequence(objectId("551d13"), critical, octets(sequence(critical)));
const alternativeName = (name: string): Buffer =>
  sequence(objectId("551d11"), octets(sequence(tagged(0x82, Buffer.from(name)))));

const pem = (label: string, der: Uint8Array): string =>
  `-----BEGIN ${label}-----\n${Buffer.from(der).toString("base64")}\n-----END ${label}-----\n`;
