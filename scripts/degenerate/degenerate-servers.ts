import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import type { PreflightFailure } from "../../conformance/target/preflight-failure.ts";
import { constants } from "../../generated/constants.ts";
import { type ErrorRowName, errorRows } from "../../generated/error-rows.ts";
import { operations } from "../../generated/operations.ts";
import type { RuleId } from "../../generated/rules.ts";

/** A server that serves nothing of the contract and answers every request alike. */
export interface DegenerateServer {
  readonly name: string;
  readonly answer: RequestListener;
  /** How the kit finds out before it starts, and what it says. */
  readonly stopped: { readonly kind: PreflightFailure["kind"]; readonly message: RegExp };
  /** Rules that its answers keep in earnest, each group with why; no other may pass. */
  readonly keeps: readonly Kept[];
}

interface Kept {
  readonly rules: readonly RuleId[];
  readonly why: string;
}

const send =
  (status: number, headers: Readonly<Record<string, string>>, body: (requestId: string) => string): RequestListener =>
  (_request, response) => {
    const requestId = `req_${randomUUID()}`;
    response.writeHead(status, {
      ...headers,
      ...(headers[constants.requestIdHeader] === "" ? { [constants.requestIdHeader]: requestId } : {}),
    });
    response.end(body(requestId));
  };

const plain = (status: number, type: string, body: string): RequestListener =>
  send(status, { "content-type": type }, () => body);

const enveloped = (
  status: number,
  body: (requestId: string) => unknown,
  headers: Readonly<Record<string, string>> = {},
): RequestListener =>
  send(status, { ...headers, "content-type": "application/json", [constants.requestIdHeader]: "" }, (id) =>
    JSON.stringify(body(id)),
  );

const refused = (
  row: ErrorRowName,
  more: object = {},
  headers: Readonly<Record<string, string>> = {},
): RequestListener =>
  enveloped(
    errorRows[row].referenceStatus,
    (request_id) => ({ success: false, error: { code: errorRows[row].code, message: "No.", request_id, ...more } }),
    headers,
  );

const success = (data: unknown) => () => ({ success: true, data });

/** What every answer of a catalogued refusal keeps by being one, whatever was asked. */
const refuses: Kept = {
  rules: ["ENV-03", "ENV-07", "ENV-08", "ENV-09", "ENV-10", "ENV-11", "ENV-13", "ENV-14", "ENV-15", "ENV-28", "ENV-34"],
  why: "each answer is the error envelope with its request id, and its status and code belong together",
};

const withoutDetails = (...rules: readonly RuleId[]): Kept => ({
  rules: ["ENV-17", ...rules],
  why: "a code of which the catalog says that it has no details comes without",
});

/** What every success answer keeps by being one. */
const succeeds: Kept = {
  rules: ["ENV-02", "ENV-04", "ENV-05", "ENV-06", "ENV-12", "ENV-14", "ENV-25", "ENV-34"],
  why: "each answer is the success envelope with its request id; what the data should be, other rules say",
};

const admits: Kept = {
  rules: ["ENV-01", "ENV-35", "ENV-36", "ENV-40", "ENV-44", "AUTH-10", "KEYC-01", "USR-03"],
  why: "the rules ask that a sound call of a caller with a key succeeds and an odd one does no harm, and every call succeeds",
};

const alike = (message: RegExp) => ({ kind: "answers-alike", message }) as const;

/** A key as the document shows it, though always the same. */
const oneKey = {
  ...{ id: "018f4e9a-7c1e-7b3a-9d2f-5c6b7a8d9e0f", org_id: "018f4e9a-0000-7000-8000-000000000001" },
  ...{
    label: "the only key",
    prefix: `${constants.liveKeyPrefix}EXAMPLE0`,
    plaintext: `${constants.liveKeyPrefix}EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXA`,
  },
  ...{
    // More than any check that fits into the limits asks for.
    scopes: [operations.getApiKey.scope, operations.createApiKey.scope],
    // Long enough ago that no check takes it for a key just made, however fast the machine is.
    created_at: new Date(Date.now() - 3_600_000).toISOString(),
    last_used_at: null,
    revoked_at: null,
  },
};

export const degenerateServers: readonly DegenerateServer[] = [
  {
    name: "200 {}",
    answer: plain(200, "application/json", "{}"),
    stopped: { kind: "no-envelope", message: /answers 200 with JSON, but without the API's envelope/ },
    keeps: [{ rules: ["ENV-02"], why: "the answers are JSON and say so" }],
  },
  {
    name: "404 in plain text",
    answer: plain(404, "text/plain", "not found"),
    stopped: { kind: "not-json", message: /answers 404 with text\/plain that is not JSON/ },
    keeps: [],
  },
  {
    name: "500 in plain text",
    answer: plain(500, "text/plain", "oops"),
    stopped: { kind: "server-error", message: /fails by itself \(500\)/ },
    keeps: [],
  },
  {
    name: "hangs",
    answer: () => undefined,
    stopped: { kind: "slow-head", message: /did not answer within 300 ms/ },
    keeps: [],
  },
  {
    name: "200 in HTML",
    answer: plain(200, "text/html", "<!doctype html><title>hello</title>"),
    stopped: { kind: "not-json", message: /answers 200 with text\/html that is not JSON/ },
    keeps: [],
  },
  {
    name: "success with nonsense",
    answer: enveloped(200, success({ colour: "red" })),
    stopped: alike(/answers 200 to everything/),
    keeps: [succeeds, admits],
  },
  {
    name: "success with one key",
    answer: enveloped(201, success(oneKey)),
    stopped: alike(/answers 201 to everything/),
    keeps: [
      succeeds,
      admits,
      {
        rules: ["ENV-26", "ENV-27", "AUTH-11", "AUTH-32"],
        why: "the key has the documented shape, form of its secret and of its scopes included",
      },
      {
        rules: ["KEYC-02", "KEYC-05", "KEYC-06", "KEYC-07", "KEYC-08", "KEYC-09", "KEYC-14"],
        why: "as an answer to a creation, it is a whole key with its secret, neither used nor revoked",
      },
      {
        rules: ["KEYC-11", "KEYG-01", "KEYG-04", "KEYG-13", "KEYG-15"],
        why: "a key that never changes reads as it was created, each time, also to itself",
      },
      {
        rules: ["KEYG-05", "KEYR-08", "TEN-30"],
        why: "after a rotation too it is unused and its secret begins with its prefix, and every caller finds it",
      },
    ],
  },
  {
    name: "401 in the envelope",
    answer: refused("Unauthorized"),
    stopped: { kind: "refused-secret", message: /does not accept the API key \(401/ },
    keeps: [refuses, withoutDetails("AUTH-08"), { rules: ["AUTH-07"], why: "it has but one message" }],
  },
  {
    name: "403 in the envelope",
    answer: refused("Forbidden"),
    stopped: alike(/answers 403 FORBIDDEN to everything/),
    keeps: [refuses, withoutDetails("AUTH-13")],
  },
  {
    name: "404 in the envelope",
    answer: refused("NotFound"),
    stopped: alike(/answers 404 NOT_FOUND to everything/),
    keeps: [refuses, withoutDetails()],
  },
  {
    name: "400 in the envelope",
    answer: refused("ValidationFailed400", { details: { id: "No." } }),
    stopped: alike(/answers 400 VALIDATION_FAILED to everything/),
    keeps: [refuses, { rules: ["ENV-16", "ENV-18", "ENV-95"], why: "each answer names a field in texts" }],
  },
  {
    name: "429 in the envelope",
    answer: refused("RateLimited", {}, { "retry-after": "1" }),
    stopped: alike(/answers 429 RATE_LIMITED to everything/),
    keeps: [refuses, withoutDetails("LIM-11", "LIM-12", "LIM-13")],
  },
  {
    name: "500 in the envelope",
    answer: refused("InternalError"),
    stopped: { kind: "server-error", message: /fails by itself \(500 INTERNAL_ERROR\)/ },
    keeps: [refuses, withoutDetails("ENV-33")],
  },
];
