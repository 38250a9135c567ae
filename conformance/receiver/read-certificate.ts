import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import type { PreflightFailure } from "../target/preflight-failure.ts";
import type { ReceiverSettings } from "../target/target.ts";

/** A certificate with its private key, both PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export type ReadCertificate =
  | { readonly ok: true; readonly certificate: Certificate }
  | { readonly ok: false; readonly failure: PreflightFailure };

/** Bytes of a PEM file that are read; chains of certificates are far shorter. */
const longest = 1024 * 1024;

/** Reads the receiver's certificate and key and sees whether they belong together. Shows nothing of either. */
export async function readCertificate(files: NonNullable<ReceiverSettings["tls"]>): Promise<ReadCertificate> {
  const failed = (where: string, message: string, fix: string): ReadCertificate => ({
    ...{ ok: false, failure: { kind: "receiver", where, message, fix } },
  });
  const [cert, key] = await Promise.all([textOf(files.cert), textOf(files.key)]);
  if (cert === null) return failed(files.cert, "The receiver's certificate cannot be read.", pathFix("cert"));
  if (key === null) return failed(files.key, "The receiver's private key cannot be read.", pathFix("key"));
  try {
    createSecureContext({ cert });
  } catch {
    return failed(files.cert, "This is no certificate.", "Give a PEM file that begins with BEGIN CERTIFICATE.");
  }
  try {
    createSecureContext({ cert, key });
  } catch {
    const fix = "Give the unencrypted PEM file of the key for which the certificate was issued.";
    return failed(files.key, "This is no private key that fits the receiver's certificate.", fix);
  }
  return { ok: true, certificate: { cert, key } };
}

const pathFix = (name: "cert" | "key"): string =>
  `Correct receiver.tls.${name} in the target file; a relative path starts from that file's folder.`;

async function textOf(path: string): Promise<string | null> {
  const text = await readFile(path, "utf8").catch(() => null);
  return text === null || text.length > longest ? null : text;
}
