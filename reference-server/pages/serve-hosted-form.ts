import type { Request, Response } from "express";
import type { Logger } from "pino";
import type { Choices } from "../../generated/choices.ts";
import { constants } from "../../generated/constants.ts";
import { timeOf } from "../domain/clock.ts";
import { consentAfter } from "../domain/consent/consent.ts";
import { consentOf, formBucket, formState, type HostedForm, hashFormToken } from "../domain/consent/hosted-form.ts";
import { longestWait } from "../domain/limits/retry-after.ts";
import type { World } from "../domain/world.ts";
import { ClientGone, readBytes } from "../http/read-body.ts";
import type { Store } from "../store/store.ts";
import {
  agreement,
  contentSecurityPolicy,
  expiredPage,
  openPage,
  plainPage,
  submittedPage,
} from "./hosted-form-page.ts";

/** Where the pages are: outside the API, since it is recipients who open them. */
export const hostedFormPath = "/opt-in";

/** Largest submission that is read, in bytes. */
const bodyLimit = 4096;

/** How often one form is opened or submitted; nobody needs a page more often. */
const limit = { capacity: 30, periodSeconds: 60 };

export interface ServeHostedFormParts {
  readonly store: Store;
  readonly world: World;
  readonly choices: Choices;
  readonly log: Logger;
}

/** Serves the page of one form, for recipients, and takes its submission. Never rejects. */
export function serveHostedForm(parts: ServeHostedFormParts) {
  return async (request: Request, response: Response): Promise<void> => {
    // The address is a secret, and is not logged.
    response.locals.pathTemplate = `${hostedFormPath}/{token}`;
    try {
      await serve(request, response, parts);
    } catch (problem) {
      if (problem instanceof ClientGone || response.headersSent) return void response.destroy();
      parts.log.error({ err: problem }, "a hosted form failed");
      answer(response, 500, plainPage("Something went wrong", "Please try again in a moment."));
    }
  };
}

async function serve(request: Request, response: Response, parts: ServeHostedFormParts): Promise<void> {
  const { store, world } = parts;
  if (!["GET", "HEAD", "POST"].includes(request.method))
    return answer(response, 405, plainPage("Not possible", "This page can only be opened."), {
      allow: "GET, HEAD, POST",
    });
  const form = await store.hostedFormByHash(hashFormToken(String(request.params.token)));
  const organization = form && (await store.organization(form.organizationId));
  if (form === null || organization === null)
    return answer(response, 404, plainPage("No such page", "Check that the address is complete."));
  response.locals.organizationId = organization.id;
  const now = timeOf(organization.clock, world.now());
  const wait = await waitFor(form, parts);
  if (wait !== null)
    return answer(response, 429, plainPage("One moment, please", "This page was opened too often. Try again later."), {
      "retry-after": String(wait),
    });
  if (request.method === "POST") return submit(request, response, form, now, parts);
  switch (formState(form, now)) {
    case "open":
      return answer(response, 200, openPage(form, false));
    case "submitted":
      return answer(response, 200, submittedPage(form));
    case "expired":
      return answer(response, 410, expiredPage(form));
  }
}

async function submit(
  request: Request,
  response: Response,
  form: HostedForm,
  now: number,
  { store }: ServeHostedFormParts,
): Promise<void> {
  const bytes = await readBytes(request, bodyLimit);
  if (bytes === null) return answer(response, 413, plainPage("Too much", "More was sent than this page has room for."));
  if (new URLSearchParams(bytes.toString()).get(agreement.name) !== agreement.value)
    return answer(response, 422, openPage(form, true));
  const state = await store.atomically(form.organizationId, async (tx) => {
    // It may have been submitted since it was looked up.
    const current = await tx.hostedForms.find(form.id);
    const before = current === null ? "expired" : formState(current, now);
    if (before !== "open") return before;
    await tx.hostedForms.submit(form.id, now);
    await tx.consents.put(consentAfter(await tx.consents.of(form.phoneNumber), consentOf(form, now)));
    return "submitted";
  });
  if (state === "expired") return answer(response, 410, expiredPage(form));
  // So that loading the page again submits nothing again.
  answer(response, 303, submittedPage(form), { location: request.originalUrl });
}

/** Seconds until the form may be used again; null when it may be now. It counts in real time, as its visitors do. */
async function waitFor(form: HostedForm, { store, world, choices }: ServeHostedFormParts): Promise<number | null> {
  const draw = { bucket: formBucket(form.id), size: limit, units: 1 };
  const joint = { algorithm: choices.bucketAlgorithm, now: world.now(), draws: [draw] };
  const drawn = await store.draw(form.organizationId, joint);
  return drawn.admitted ? null : longestWait(joint, drawn.levels).seconds;
}

function answer(
  response: Response,
  status: number,
  html: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-length": Buffer.byteLength(html),
    "cache-control": "no-store",
    [constants.requestIdHeader]: String(response.locals.requestId),
    "content-security-policy": contentSecurityPolicy,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "x-robots-tag": "noindex",
    ...headers,
  });
  response.end(html);
}
