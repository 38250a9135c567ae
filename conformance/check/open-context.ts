import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { operations } from "../../generated/operations.ts";
import { type RuleId, rules } from "../../generated/rules.ts";
import type { Operation } from "../../generated/runtime/operation.ts";
import {
  codeOf,
  dataOf,
  type Exchange,
  headerOf,
  isSuccess,
  objectOf,
  statusOf,
  summaryOf,
} from "../exchange/exchange.ts";
import type { Sender } from "../exchange/sender.ts";
import { newShared, type Shared } from "../ladder/shared.ts";
import type { Credential, Tenant, TenantWish } from "../ladder/tenant.ts";
import { type Delivery, seenDelivery } from "../receiver/delivery.ts";
import type { Inbox } from "../receiver/inbox.ts";
import type { Signer } from "../receiver/signer.ts";
import { type Shapes, shapeRequest, shapeResponse } from "../target/shapes.ts";
import type { Timing } from "../target/target.ts";
import { rowAllows, rowNamed, rowText } from "./admits.ts";
import type { Check } from "./check.ts";
import type { CallInput, CheckContext, CreatedKey, Evidence, Shown } from "./context.ts";
import { newMadeEndpoints } from "./made-endpoints.ts";
import { newLabel } from "./new-label.ts";
import { Blocked, type Finding, NotApplicable } from "./verdict.ts";

/** What a run lends to one check. */
export interface Surroundings {
  readonly timing: Timing;
  readonly sender: Sender;
  readonly seed: number;
  /** Where a property's counterexample lies, to run it alone. */
  readonly path: string | null;
  /** Values tried for a property. */
  readonly runs: number;
  readonly tenant: (wish: TenantWish) => Promise<Tenant>;
  readonly otherTenant: (wish: TenantWish) => Promise<Tenant>;
  readonly signal: AbortSignal;
  /** Why the target does not serve an operation; null when it does. */
  readonly unserved: (operation: string) => string | null;
  readonly inbox: () => Inbox;
  readonly spareInbox: () => Promise<Inbox | null>;
  readonly signer: () => Signer;
  readonly shapes: Shapes;
}

/** A context and the findings that it has recorded so far. */
export interface OpenContext {
  readonly context: CheckContext;
  readonly findings: () => readonly Finding[];
  /** Takes back what the check made and the API can delete. */
  readonly tidy: () => Promise<void>;
}

/** Ends a property's run so that its value is shrunk. */
class Breach extends Error {
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(finding.message);
    this.finding = finding;
  }
}

/** Keys that the checks of a run share, by creator and scopes. */
const sharedKeys = new WeakMap<Tenant, Shared<string, CreatedKey>>();

/** Times that a call is sent again after its bucket was found empty. */
const patience = 5;

/** Opens the context of one check. */
export function openContext(check: Check, around: Surroundings): OpenContext {
  const findings: Finding[] = [];
  const endpoints = newMadeEndpoints(around.shapes);
  let property = false;

  const record = (rule: RuleId, holds: boolean, evidence: Evidence): boolean => {
    if (!check.rules.includes(rule)) throw new Error(`Check ${check.id} decides ${rule} without declaring it.`);
    const { level }: { readonly level: string } = rules[rule];
    const verdict = holds
      ? "pass"
      : level === "observe"
        ? "observed"
        : level === "must" && !evidence.warnOnly
          ? "fail"
          : "warn";
    const message = holds ? "" : `expected ${evidence.expected}, got ${evidence.actual}`;
    const { expected, actual, exchanges } = evidence;
    const finding: Finding = {
      rule,
      check: check.id,
      verdict,
      message,
      expected,
      actual,
      exchanges,
      deliveries: (evidence.deliveries ?? []).map(seenDelivery),
      unblock: null,
      origin: null,
      path: null,
    };
    // Only a breach of a must is worth shrinking; a mere warning would end the search for one.
    if (property && verdict === "fail") throw new Breach(finding);
    const isNew = !findings.some((f) => f.rule === rule && f.verdict === verdict);
    if (isNew || (!property && !holds)) findings.push(finding);
    return holds;
  };

  const attempt = async (operation: Operation, input: CallInput, as: Credential | null): Promise<Exchange> => {
    const unserved = around.unserved(operation.id);
    if (unserved !== null) throw new NotApplicable(unserved);
    const body = input.rawBody ?? (input.body === undefined ? null : JSON.stringify(input.body));
    const headers = {
      ...(as ? { authorization: `Bearer ${as.token}` } : {}),
      ...(body === null ? {} : { "content-type": "application/json" }),
      ...input.headers,
    };
    const path = pathOf(operation, input);
    const exchange = await around.sender.send({ method: operation.method, path, headers, body });
    endpoints.note(exchange, as);
    return alive(exchange);
  };

  /** A lost exchange is the server's doing only if the server still answers others. */
  const alive = async (exchange: Exchange): Promise<Exchange> => {
    if (exchange.outcome.kind !== "lost") return exchange;
    const probe = await around.sender.send({ method: "GET", path: operations.getApiKey.path, headers: {}, body: null });
    if (probe.outcome.kind === "lost") {
      const message = `the target stopped answering: ${summaryOf(exchange)}`;
      throw new Blocked(message, "see whether the target still runs", "environment");
    }
    return exchange;
  };

  const call: CheckContext["call"] = async (id, input, as) => {
    const operation: Operation = operations[id];
    for (let tries = 0; ; tries += 1) {
      const exchange = await attempt(operation, input, as);
      // Calls without a limit in the contract may have one of the server's own.
      if (statusOf(exchange) !== rowNamed("RateLimited").referenceStatus) return exchange;
      const seconds = Number(headerOf(exchange, "Retry-After"));
      if (tries >= patience || !(seconds > 0 && seconds <= 3600)) {
        throw new Blocked(
          `${id} is still throttled after ${tries + 1} tries`,
          "give the kit an organization that nobody else uses",
        );
      }
      await as.tenant.advance(seconds, `room for ${id}`);
    }
  };

  const control: CheckContext["control"] = (exchange, what) => {
    if (isSuccess(exchange)) return exchange;
    throw new Blocked(`${what} was answered ${summaryOf(exchange)}`, "see the rules on this request first", "server");
  };

  const created = async (as: Credential, scopes: readonly string[]): Promise<CreatedKey> => {
    const body = { label: newLabel(), scopes };
    const exchange = control(await call("createApiKey", { body }, as), "creating a key");
    const data = objectOf(dataOf(exchange)) ?? {};
    const { id, plaintext } = data;
    if (typeof id !== "string" || typeof plaintext !== "string") {
      const unblock = "see the rules on the answer of a creation first";
      throw new Blocked("the created key has no id or no plaintext", unblock, "server");
    }
    const credential = { name: `new key with ${scopes.join(", ")}`, token: plaintext, id, scopes, tenant: as.tenant };
    return { credential, id, data, exchange };
  };

  const context: CheckContext = {
    timing: around.timing,
    random: randomFrom(around.seed),
    tenant: (wish = {}) => around.tenant(wish),
    otherTenant: (wish = {}) => around.otherTenant(wish),
    serves: (operation) => around.unserved(operation) === null,
    call,
    control,
    verify: record,
    attempt: (id, input, as) => attempt(operations[id], input, as),
    send: async (outgoing) => alive(await around.sender.send(outgoing)),
    inbox: around.inbox,
    spareInbox: around.spareInbox,
    signer: around.signer,
    shapeRequest: (operation, body) => shapeRequest(around.shapes, operation, body),
    shapeResponse: (operation, data) => shapeResponse(around.shapes, operation, data),

    createKey(as, scopes, options) {
      if (options?.own) return created(as, scopes);
      const known = sharedKeys.get(as.tenant) ?? newShared<string, CreatedKey>();
      sharedKeys.set(as.tenant, known);
      return known.get(`${as.token} ${scopes.join(" ")}`, () => created(as, scopes));
    },

    refused(rule, exchange, ...names) {
      const rows = names.map(rowNamed);
      const status = statusOf(exchange);
      const holds = status !== null && rows.some((row) => row.code === codeOf(exchange) && rowAllows(row, status));
      return record(rule, holds, {
        expected: rows.map(rowText).join(" or "),
        actual: summaryOf(exchange),
        exchanges: [exchange],
      });
    },
    accepted: (rule, exchange) =>
      record(rule, isSuccess(exchange), {
        expected: "2xx success",
        actual: summaryOf(exchange),
        exchanges: [exchange],
      }),
    equal: (rule, what, actual, expected, ...evidence) =>
      record(rule, isDeepStrictEqual(actual, expected), {
        expected: `${what} = ${shown(expected)}`,
        actual: shown(actual),
        ...apart(evidence),
      }),
    observe(rule, message, ...evidence) {
      if (!check.rules.includes(rule)) throw new Error(`Check ${check.id} observes ${rule} without declaring it.`);
      const none = { expected: null, actual: null, unblock: null, origin: null, path: null };
      const { exchanges, deliveries } = apart(evidence);
      const seen = { exchanges, deliveries: deliveries.map(seenDelivery) };
      findings.push({ ...none, rule, check: check.id, verdict: "observed", message, ...seen });
    },

    async property(arbitrary, predicate) {
      let breach: Breach | null = null;
      const tried = fc.asyncProperty(arbitrary, async (value) => {
        if (around.signal.aborted) throw new Blocked("the run was interrupted", "run it again", "environment");
        property = true;
        try {
          await predicate(value);
        } catch (error) {
          if (error instanceof Breach) breach = error;
          throw error;
        } finally {
          property = false;
        }
      });
      const details = await fc.check(tried, {
        seed: around.seed,
        numRuns: around.runs,
        ...(around.path === null ? {} : { path: around.path, endOnFailure: true }),
      });
      if (!details.failed) return;
      const cause = details.errorInstance;
      if (cause instanceof Breach) {
        const value = shown(details.counterexample?.[0]);
        const message = `${cause.finding.message}; for example with ${value}`;
        findings.push({ ...(breach ?? cause).finding, message, path: details.counterexamplePath });
        return;
      }
      throw cause;
    },
  };
  return {
    context,
    findings: () => findings,
    tidy: () => endpoints.remove((id, as) => attempt(operations.deleteWebhookEndpoint, { path: { id } }, as)),
  };
}

/** Exchanges and deliveries, each in their order. */
const apart = (shown: readonly Shown[]): { exchanges: readonly Exchange[]; deliveries: readonly Delivery[] } => ({
  exchanges: shown.filter((one) => "outcome" in one),
  deliveries: shown.filter((one) => "receivedAt" in one),
});

function pathOf(operation: Operation, input: CallInput): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(input.path?.[name] ?? ""));
  const query = new URLSearchParams(input.query).toString();
  return query === "" ? path : `${path}?${query}`;
}

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
};

/** A small seeded generator (mulberry32): numbers from 0 up to 1. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
