import type { Secrets } from "../exchange/redaction.ts";
import { type Dialect, detectDialect, dialectText, parseSignature, type Signed, verifiesIn } from "./signature.ts";

/** What is to be thought of a signature. */
export type SignatureVerdict =
  /** It verifies; the dialect is null when a hook says so. */
  | { readonly kind: "valid"; readonly dialect: Dialect | null }
  /** It does not verify in the dialect of the run, or a hook says that it is false. */
  | { readonly kind: "invalid"; readonly why: string }
  /** It verifies, but in another dialect than the first delivery of the run that did. */
  | { readonly kind: "changed"; readonly why: string; readonly first: Dialect; readonly now: Dialect }
  /** It verifies in no dialect that the kit knows, as every other so far: nothing to hold against anybody. */
  | { readonly kind: "unknown"; readonly why: string }
  /** There is nothing to verify: the header is not of the contract's form, or the kit lacks a part of the body. */
  | { readonly kind: "unreadable"; readonly why: string };

/** Judges the signatures of a run. The first delivery that verifies fixes the dialect for all. */
export interface DialectMemory {
  judge(delivery: Signed, secret: string): Promise<SignatureVerdict>;
  /** The dialect of the run; null before any delivery verified. */
  dialect(): Dialect | null;
}

/** A target's own judgement, in place of the kit's. */
export type VerifyHook = (delivery: Signed, secret: string) => Promise<boolean>;

export function newDialectMemory(secrets: Secrets, hook: VerifyHook | null): DialectMemory {
  let fixed: Dialect | null = null;
  const learned = new Set<string>();

  const judge: DialectMemory["judge"] = async (delivery, secret) => {
    learned.add(secret);
    secrets.learn(secret, `SIGNING_SECRET_${learned.size}`, null);
    if (delivery.truncated || delivery.broken) {
      return { kind: "unreadable", why: "the kit does not have the whole body" };
    }
    if (hook !== null) {
      return (await hook(delivery, secret))
        ? { kind: "valid", dialect: null }
        : { kind: "invalid", why: "the hook verify_signature says that the signature is false" };
    }
    const parsed = parseSignature(delivery);
    if (!parsed.ok) return { kind: "unreadable", why: parsed.why };
    if (fixed !== null && verifiesIn(fixed, delivery, secret)) return { kind: "valid", dialect: fixed };
    const now = detectDialect(delivery, secret);
    if (fixed === null) {
      if (now === null)
        return { kind: "unknown", why: "the signature verifies in none of the dialects that the kit knows" };
      fixed = now;
      return { kind: "valid", dialect: now };
    }
    if (now === null) return { kind: "invalid", why: `the signature is not that of ${dialectText(fixed)}` };
    const why = `the signature is that of ${dialectText(now)}; before it was ${dialectText(fixed)}`;
    return { kind: "changed", why, first: fixed, now };
  };

  return { judge, dialect: () => fixed };
}
