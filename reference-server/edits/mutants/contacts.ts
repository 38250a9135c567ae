import { refuse } from "../../../generated/error-rows.ts";
import type { BucketName } from "../../../generated/limits.ts";
import type { OperationId } from "../../../generated/operations.ts";
import type { Mutant } from "../edit.ts";
import { drawing, sized } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { working } from "../unit-changes.ts";
import { onRequest, onRetryAfter, refusedWith, type Wire, type WireRequest } from "../wire.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const bucket = "contactErasures" satisfies BucketName;
const operation = "eraseContact";

/** The same request for whoever stands so in the path. */
const withNumber = (request: WireRequest, written: string): WireRequest => ({
  ...request,
  path: request.path.replace(/[^/]+(?=\/erase)/, written),
});

const writtenIn = ({ path }: WireRequest): string => /[^/]+(?=\/erase)/.exec(path)?.[0] ?? "";

/** Erases nobody in place of who stood in the body of a success of another operation. */
const sparing =
  (source: OperationId): Wire =>
  (serve) => {
    const spared = new Set<string>();
    return async (request) => {
      const number = decodeURIComponent(writtenIn(request));
      if (request.operation === operation && spared.has(number)) return serve(withNumber(request, "%2B12025550199"));
      const answer = await serve(request);
      if (request.operation === source && answer.status < 300)
        for (const [found] of request.bytes.toString().matchAll(/\+[1-9]\d{6,14}/g)) spared.add(found);
      return answer;
    };
  };

/** Servers that erase contacts wrongly. */
export const contactMutants: readonly Mutant[] = [
  mutantOf("LIM-19", "one-more", "erases one contact more than the limit", [
    drawing(
      bucket,
      sized(({ capacity }) => ({ capacity: capacity + 1 })),
    ),
  ]),
  mutantOf("LIM-19", "one-less", "erases one contact less than the limit", [
    drawing(
      bucket,
      sized(({ capacity }) => ({ capacity: capacity - 1 })),
    ),
  ]),
  mutant(
    "LIM-19",
    "per-contact",
    "counts erasures of each contact for itself",
    "http/rate-limit.ts",
    "bucket: each.bucket",
    'bucket: `${each.bucket}${exchange.parameters.contact_number ?? ""}`',
  ),
  mutantOf("LIM-19", "minute", "keeps the limit on erasures for a minute", [
    drawing(
      bucket,
      sized(() => ({ periodSeconds: 60 })),
    ),
  ]),
  wireMutant(
    "LIM-22",
    "half",
    "says half of the time until a contact is erased",
    onRetryAfter(operation, (seconds) => String(Math.ceil(seconds / 2))),
  ),
  mutantOf("LIM-22", "day", "counts erasures by the day and not by the hour, and says to wait an hour", [
    drawing(
      bucket,
      sized(() => ({ periodSeconds: 86_400 })),
    ),
    { wire: onRetryAfter(operation, () => "3600") },
  ]),
  wireMutant("CON-22", "conflict", "calls a second erasure of a contact a conflict", (serve) => {
    const erased = new Set<string>();
    return async (request) => {
      const answer = await serve(request);
      if (request.operation !== operation || answer.status >= 300) return answer;
      const place = `${request.headers.authorization} ${decodeURIComponent(writtenIn(request))}`;
      if (erased.has(place)) return refusedWith(answer, refuse.Conflict("The contact is erased already."));
      erased.add(place);
      return answer;
    };
  }),
  mutantOf("CON-23", "keeps", "keeps the consent of a contact who is erased", [
    working(() => (tx) => ({ consents: withMembers(tx.consents, { remove: async () => undefined }) })),
  ]),
  wireMutant("CON-23", "batch", "keeps the consent of a contact who came in a batch", sparing("captureConsentBatch")),
  wireMutant("CON-23", "asked", "keeps the consent of a contact who was asked", sparing("requestDoubleOptIn")),
  mutant(
    "CON-24",
    "restores",
    "forgets of a contact who is erased no more than that they opted out",
    "routes/contacts.ts",
    "if (consent !== null && !isKeptWhenErased(consent)) await tx.consents.remove(phoneNumber);",
    'if (consent !== null) await tx.consents.put({ ...consent, state: "opted-in" });',
  ),
  mutantOf("CON-25", "everybody", "erases all contacts of an organization with one of them", [
    working(() => {
      const known = new Set<string>();
      return (tx) => ({
        consents: withMembers(tx.consents, {
          async put(consent) {
            known.add(consent.phoneNumber);
            await tx.consents.put(consent);
          },
          async remove() {
            for (const phoneNumber of known) await tx.consents.remove(phoneNumber);
          },
        }),
      });
    }),
  ]),
  mutantOf("CON-25", "everywhere", "erases the contact of every organization", [
    working(() => {
      const erased = new Set<string>();
      return (tx) => ({
        consents: withMembers(tx.consents, {
          of: async (phoneNumber) => (erased.has(phoneNumber) ? null : tx.consents.of(phoneNumber)),
          async put(consent) {
            erased.delete(consent.phoneNumber);
            await tx.consents.put(consent);
          },
          async remove(phoneNumber) {
            erased.add(phoneNumber);
            await tx.consents.remove(phoneNumber);
          },
        }),
      });
    }),
  ]),
  wireMutant(
    "CON-26",
    "whatever",
    "erases whatever text it is given for a number",
    onRequest(operation, (request) =>
      /^(?:\+|%2B)[1-9]/i.test(writtenIn(request)) ? request : withNumber(request, "%2B12025550199"),
    ),
  ),
  wireMutant(
    "CON-27",
    "blank",
    "takes a plus sign in the path for a blank",
    onRequest(operation, (request) => withNumber(request, writtenIn(request).replace(/^\+/, "%20"))),
  ),
];
