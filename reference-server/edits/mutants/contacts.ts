import { refuse } from "../../../generated/error-rows.ts";
import type { BucketName } from "../../../generated/limits.ts";
import type { Mutant } from "../edit.ts";
import { drawing, sized } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { working } from "../unit-changes.ts";
import { onRequest, refusedWith, type WireRequest } from "../wire.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const bucket = "contactErasures" satisfies BucketName;
const operation = "eraseContact";

/** The same request for whoever stands so in the path. */
const withNumber = (request: WireRequest, written: string): WireRequest => ({
  ...request,
  path: request.path.replace(/[^/]+(?=\/erase)/, written),
});

const writtenIn = ({ path }: WireRequest): string => /[^/]+(?=\/erase)/.exec(path)?.[0] ?? "";

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
  mutantOf("LIM-19", "minute", "keeps the limit on erasures for a minute", [
    drawing(
      bucket,
      sized(() => ({ periodSeconds: 60 })),
    ),
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
