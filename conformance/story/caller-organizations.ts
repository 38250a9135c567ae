import { objectOf, type SentRequest } from "../exchange/exchange.ts";
import { once } from "./once.ts";
import { parsedBody } from "./parsed-body.ts";
import type { Step } from "./step.ts";

/** Learns which organization the sandbox made for whom, in the course of one check. */
export interface CallerOrganizations {
  hear(step: Step): void;
  /** That of who calls with a credential; null where the sandbox did not make it in this check. */
  of(credential: string): CallerOrganization | null;
}

export interface CallerOrganization {
  readonly id: string | null;
  /** What it was created with. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** `issuedBy` tells the call of the API whose answer gave a key; null for a key that was given otherwise. */
export function newCallerOrganizations(issuedBy: (secret: string) => Step | null): CallerOrganizations {
  /** Steps that made an organization, or gave a credential in one. */
  const givers: Step[] = [];
  const found = new Map<string, CallerOrganization>();

  /** Whom the sandbox itself gave a credential that led to this one; null where keys lead to each other, as one that all are given. */
  function firstOf(credential: string): string | null {
    const known = new Set<string>();
    for (let last = credential; !known.has(last); ) {
      const issuer = issuedBy(last);
      if (issuer?.request == null) return last;
      known.add(last);
      last = credentialIn(issuer.request);
    }
    return null;
  }

  function creationFor(credential: string): Step | null {
    const first = firstOf(credential);
    const giver = first === null ? undefined : givers.findLast((one) => answerOf(one).includes(`"${first}"`));
    if (giver === undefined) return null;
    const asked = organizationIn(giver);
    return givers.find((one) => isCreation(one) && (one === giver || (asked !== null && idIn(one) === asked))) ?? null;
  }

  return {
    hear(step) {
      if (isGiver(step)) givers.push(step);
    },
    of(credential) {
      const known = found.get(credential);
      if (known !== undefined) return known;
      const creation = creationFor(credential);
      if (creation === null) return null;
      const settings = objectOf(parsedBody(creation.request?.body ?? null)) ?? {};
      const organization = { id: idIn(creation), settings };
      found.set(credential, organization);
      return organization;
    },
  };
}

export const credentialIn = ({ headers }: SentRequest): string =>
  (headers.authorization ?? "no credential").replace(/^Bearer +/i, "");

/** The organization that a call of the sandbox names in its address; null for none. */
export const organizationIn = ({ request }: Pick<Step, "request">): string | null =>
  /\/organizations\/([\w-]{8,})/.exec(request?.url ?? "")?.[1] ?? null;

/** Whether a step makes an organization, or gives somebody a credential in one. */
const isGiver = ({ through, what }: Step): boolean => through === "sandbox" && /^(create|sign)\b/.test(what ?? "");

const isCreation = ({ what }: Step): boolean => what === "create an organization";

/** The id of what a step made. */
function idIn({ outcome }: Step): string | null {
  const id = outcome?.kind === "response" ? objectOf(objectOf(outcome.json)?.data)?.id : undefined;
  return typeof id === "string" ? id : null;
}

/** An answer as text. */
const answerOf = once(({ outcome }: Step): string =>
  outcome?.kind === "response" ? (JSON.stringify(outcome.json) ?? "") : "",
);
