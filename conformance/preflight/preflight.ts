import { randomUUID } from "node:crypto";
import { errorRows } from "../../generated/error-rows.ts";
import type { Capabilities } from "../../generated/models/sandbox-organizations.ts";
import { operations } from "../../generated/operations.ts";
import { secretDefinitions } from "../arrangements/all.ts";
import { type SecretDefinition, secretOf } from "../arrangements/requirement.ts";
import { objectOf } from "../exchange/exchange.ts";
import { onOneLine } from "../target/on-one-line.ts";
import type { PreflightFailure } from "../target/preflight-failure.ts";
import { type Probe, probe, type Reached } from "../target/probe.ts";
import type { SandboxAccess, Target } from "../target/target.ts";
import { unreachedFailure } from "../target/unreached-failure.ts";

/**
 * One cheap request for each secret given: can the target be reached, is it this API, and does it know who calls? One
 * more, or two, for whether it looks at what it is asked.
 */
export async function preflight(target: Target): Promise<PreflightFailure | null> {
  const { baseUrl, key, sandbox, timing } = target;
  const path = operations.getApiKey.path.replace("{id}", randomUUID());
  const ask = (token: string | null): Promise<Probe> => probe(baseUrl + path, token, timing.requestTimeout);
  const answer = await ask(key);
  const first = callerFailure(answer, baseUrl + path, timing.requestTimeout, key === null ? null : keyRefused);
  if (first !== null) return first;
  const stranger = answer.kind === "reached" ? await strangerFailure(answer, baseUrl + path, target) : null;
  if (stranger !== null) return stranger;
  for (const secret of secretDefinitions) {
    const token = secretOf(target, secret);
    const refusal = refusalOf(secret);
    if (token === null || refusal === null) continue;
    const failure = callerFailure(await ask(token), baseUrl + path, timing.requestTimeout, refusal);
    if (failure !== null) return failure;
  }
  if (sandbox === null) return null;
  const read = await readCapabilities(sandbox, timing.requestTimeout);
  return read.ok ? null : read.failure;
}

/** Why nobody answers, or does not know who calls. What an answer should be besides, a run judges. */
function callerFailure(answer: Probe, url: string, timeout: number, refusal: Refusal | null): PreflightFailure | null {
  if (answer.kind === "unreached") return unreachedFailure(answer, url, timeout);
  return isUnauthorized(answer) && refusal !== null ? { kind: "refused-secret", ...refusal } : null;
}

const isUnauthorized = ({ status }: Reached): boolean => status === errorRows.Unauthorized.status;

/** Whether an answer could be that of an implementation, however broken: it refuses a stranger, or it is JSON. */
const isOfApi = (answer: Reached): boolean => isUnauthorized(answer) || objectOf(answer.json) !== null;

/**
 * Whether this is no implementation at all: a write that can have no effect and a read of no key, both without
 * credentials, are answered just like the first read, as a gateway or a wrong path does; or no answer looks like one of
 * this API, as those of a site do.
 */
async function strangerFailure(
  first: Reached,
  url: string,
  { baseUrl, key, timing }: Target,
): Promise<PreflightFailure | null> {
  // Without a key the first read is that of a stranger as well: the same refusal each time is as it should be.
  if (key === null && isOfApi(first)) return null;
  const others: readonly (() => Promise<Probe>)[] = [
    () => probe(baseUrl + operations.createApiKey.path, null, timing.requestTimeout, "{"),
    () => probe(baseUrl + operations.getApiKey.path.replace("{id}", "none"), null, timing.requestTimeout),
  ];
  for (const other of others) {
    const answer = await other();
    if (answer.kind === "unreached") return null;
    if (told(answer) !== told(first) && (isOfApi(answer) || isOfApi(first))) return null;
  }
  const known = answerFailure(first, url, null);
  if (known !== null) return known;
  return {
    kind: "answers-alike",
    where: baseUrl,
    message: `The target answers ${told(first)} to everything: to a read with the key, and to a write and a read without one.`,
    fix:
      first.status === 404
        ? `Check the address: nothing of the API is at ${baseUrl}${operations.createApiKey.path}.`
        : "Check the address: what answers there looks at no request, as a stub, a gateway or a closed door does.",
  };
}

/** Status and code of an answer. */
function told({ status, json }: Reached): string {
  const code = objectOf(objectOf(json)?.error)?.code;
  return typeof code === "string" ? `${status} ${onOneLine(code)}` : String(status);
}

/** What a sandbox says it can arrange, null where it does not tell; `timeout` in milliseconds. */
export async function readCapabilities(
  sandbox: SandboxAccess,
  timeout: number,
): Promise<
  | { readonly ok: true; readonly capabilities: Capabilities | null }
  | { readonly ok: false; readonly failure: PreflightFailure }
> {
  const url = sandbox.baseUrl + operations.getCapabilities.path;
  const answer = await probe(url, sandbox.token, timeout);
  const failed = (failure: PreflightFailure) => ({ ok: false, failure }) as const;
  if (answer.kind === "reached" && answer.status === 404) {
    const code = await codeOfUnknownOrganization(sandbox, timeout);
    if (code === errorRows.SandboxNotFound.code) return { ok: true, capabilities: null };
    if (code === errorRows.SandboxUnauthorized.code) return failed({ kind: "refused-secret", ...sandboxTokenRefused });
    return failed({
      kind: "no-sandbox",
      where: url,
      message: "There is no sandbox at this address (404).",
      fix: "Start the server with its sandbox on, correct BYLAW_SANDBOX_URL, or leave the sandbox out of the target.",
    });
  }
  const failure = failureOf(answer, url, timeout, sandboxTokenRefused);
  if (failure !== null) return failed(failure);
  const data = answer.kind === "reached" ? objectOf(objectOf(answer.json)?.data) : null;
  const capabilities: Capabilities = {
    operations: texts(data?.operations),
    plans: texts(data?.plans),
    buckets: texts(data?.buckets),
    outages: texts(data?.outages),
    ...(Array.isArray(data?.scopes) ? { scopes: texts(data.scopes) } : {}),
  };
  if (answer.kind === "reached" && answer.status < 300 && Array.isArray(data?.operations)) {
    return { ok: true, capabilities };
  }
  return failed({
    kind: "no-sandbox",
    where: url,
    message: "The answer does not tell what the sandbox can arrange.",
    fix: "Serve the sandbox API as sandbox.openapi.yaml describes it, or leave the sandbox out of the target.",
  });
}

/** The error code with which a sandbox refuses an organization that does not exist; null where no sandbox answers. */
async function codeOfUnknownOrganization({ baseUrl, token }: SandboxAccess, timeout: number): Promise<unknown> {
  const answer = await probe(
    baseUrl + operations.getOrganizationState.path.replace("{id}", randomUUID()),
    token,
    timeout,
  );
  const json = answer.kind === "reached" ? objectOf(answer.json) : null;
  return objectOf(json?.error)?.code ?? null;
}

interface Refusal {
  readonly where: string;
  readonly message: string;
  readonly fix: string;
}

const refusedBy = `${errorRows.Unauthorized.status} ${errorRows.Unauthorized.code}`;

const keyRefused: Refusal = {
  where: "BYLAW_API_KEY",
  message: `The target does not accept the API key (${refusedBy}).`,
  fix: "Give the kit a key of this target that is not revoked.",
};

const refusalOf = ({ variable, what, ifRefused }: SecretDefinition): Refusal | null =>
  ifRefused === null
    ? null
    : { where: variable, message: `The target does not accept ${what} (${refusedBy}).`, fix: ifRefused };

const sandboxTokenRefused: Refusal = {
  where: "BYLAW_SANDBOX_TOKEN",
  message: `The sandbox does not accept the token (${errorRows.SandboxUnauthorized.status}).`,
  fix: "Give the kit the token with which the server was started.",
};

function failureOf(answer: Probe, url: string, timeout: number, refusal: Refusal | null): PreflightFailure | null {
  return answer.kind === "unreached" ? unreachedFailure(answer, url, timeout) : answerFailure(answer, url, refusal);
}

function answerFailure(answer: Reached, url: string, refusal: Refusal | null): PreflightFailure | null {
  const { status, mediaType, location, json } = answer;
  const failed = (kind: PreflightFailure["kind"], message: string, fix: string): PreflightFailure => ({
    ...{ kind, where: url, message, fix },
  });
  if (status >= 300 && status < 400) {
    const to = location === null ? "nowhere" : `to ${onOneLine(location)}`;
    const fix = "The kit follows no redirects: give it the address where the API itself answers.";
    return failed("redirect", `The target redirects ${to} (${status}).`, fix);
  }
  const body = objectOf(json);
  const error = body?.success === false ? objectOf(body.error) : null;
  const code = typeof error?.code === "string" ? ` ${onOneLine(error.code)}` : "";
  if (status >= 500) {
    const fix = "Look into the target's log: whatever is asked there fails, so nothing can be judged.";
    return failed("server-error", `The target fails by itself (${status}${code}).`, fix);
  }
  if (json === undefined) {
    const what = mediaType === "" ? "a body that is not JSON" : `${onOneLine(mediaType)} that is not JSON`;
    const fix = "Give the kit the address of the API; this looks like another site, a proxy or a login page.";
    return failed("not-json", `The target answers ${status} with ${what}.`, fix);
  }
  // Before the envelope: a wrong key is the likelier cause.
  if (status === errorRows.Unauthorized.status && refusal !== null) return { kind: "refused-secret", ...refusal };
  if (error === null && !(body?.success === true && "data" in body)) {
    const fix = "Check the address: every answer of this API is an envelope with success and data or error.";
    return failed("no-envelope", `The target answers ${status} with JSON, but without the API's envelope.`, fix);
  }
  return null;
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
