/** Whom a hostile client can pass itself off as, and what it knows. */
export interface Known {
  readonly key: string;
  readonly keyId: string;
  /** A key whose secret may be replaced. */
  readonly spareKeyId: string;
  /** An endpoint that may be deleted. */
  readonly endpointId: string;
  readonly staffSession: string;
  readonly sandboxToken: string;
  /** An organization of which only the sandbox's paths are tried. */
  readonly victim: string;
}
