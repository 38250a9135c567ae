import { type Exchange, objectOf } from "../exchange/exchange.ts";
import { parsedBody } from "../story/parsed-body.ts";
import { type Case, dataIn } from "./probe.ts";

interface Owners {
  /** By the Authorization header that its keys are sent in. */
  readonly ofCaller: ReadonlyMap<string, string>;
  readonly ofId: ReadonlyMap<string, string>;
}

/** Whose the keys and the records of a check are: what the sandbox gave an organization, and what its keys made. */
export function ownersIn({ steps, secrets }: Case): Owners {
  const ofCaller = new Map<string, string>();
  const ofId = new Map<string, string>();
  for (const step of steps) {
    const made = objectOf(dataIn(step));
    if (made === null || step.request === null) continue;
    const inPath = /\/organizations\/([\w-]{8,})/.exec(step.request.url)?.[1];
    const isNew = step.through === "sandbox" && /\/organizations$/.test(step.request.url);
    const caller = step.request.headers.authorization ?? "";
    const own = step.through === "sandbox" ? (isNew ? String(made.id) : inPath) : ofCaller.get(caller);
    if (own === undefined || step.request.method !== "POST") continue;
    if (typeof made.id === "string") ofId.set(made.id, own);
    for (const text of textsIn(made)) if (secrets.includes(text)) ofCaller.set(`Bearer ${text}`, own);
  }
  return { ofCaller, ofId };
}

/** An organization that the sandbox made in a check, and what it was made with. */
export interface MadeOrganization {
  readonly id: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** The key that it was given when it was made; undefined for none. */
  readonly firstKey: unknown;
}

/** That of a call's caller; null where the sandbox did not make it in the check. */
export function organizationOf(seen: Case, { request }: Pick<Exchange, "request">): MadeOrganization | null {
  const id = ownersIn(seen).ofCaller.get(request.headers.authorization ?? "");
  const made = seen.steps.find((step) => objectOf(dataIn(step))?.id === id && step.through === "sandbox");
  if (id === undefined || made === undefined) return null;
  const firstKey = objectOf(objectOf(dataIn(made))?.key)?.plaintext;
  return { id, settings: objectOf(parsedBody(made.request?.body ?? null)) ?? {}, firstKey };
}

const textsIn = (value: unknown): readonly string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];
