import type { Choices } from "../../../generated/choices.ts";
import { constants } from "../../../generated/constants.ts";
import { type SignatureDialect, signatureHeader } from "../signatures/delivery-signature.ts";
import type { OrganizationSecrets } from "./organization-secrets.ts";

/** What an organization's numbers send to addresses of their own. */
export interface Callback {
  readonly id: string;
  readonly url: string;
  readonly data: unknown;
  /** When it is sent, in the organization's time: milliseconds since 1970. */
  readonly now: number;
}

/** The secrets by which a callback is signed at an instant: a rotated one too, while it is valid. */
export function validSecrets(
  { current, previous }: OrganizationSecrets,
  now: number,
  choices: Pick<Choices, "graceSignatures">,
): readonly [string, ...string[]] {
  const earlier = previous.filter(({ validUntil }) => now <= validUntil).map(({ secret }) => secret);
  const [first = current, ...others] =
    choices.graceSignatures === "new-first" ? [current, ...earlier] : [...earlier, current];
  return [first, ...others];
}

/** The request that carries it. It is no event of the catalog, so it names no type. */
export function callbackRequest(
  { id, url, data, now }: Callback,
  secrets: readonly [string, ...string[]],
  { dialect, userAgent }: { readonly dialect: SignatureDialect; readonly userAgent: string },
) {
  const body = Buffer.from(JSON.stringify(data));
  return {
    url,
    body,
    headers: {
      "Content-Type": "application/json",
      "User-Agent": userAgent,
      [constants.eventIdHeader]: id,
      [constants.signatureHeader]: signatureHeader(
        { eventId: id, seconds: Math.floor(now / 1000), body },
        secrets,
        dialect,
      ),
    },
  };
}
