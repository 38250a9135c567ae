import { isDeepStrictEqual } from "node:util";
import { atPart, member, status as statusPart } from "../evidence/place.ts";
import { rowAllows, rowNamed, rowText } from "../exchange/admits.ts";
import { codeOf, type Exchange, isSuccess, statusOf, summaryOf } from "../exchange/exchange.ts";
import type { Finding } from "../outcome/verdict.ts";
import type { Tenant, TenantWish } from "../provision/tenant.ts";
import type { Inbox } from "../receiver/inbox.ts";
import type { Signer } from "../receiver/signer.ts";
import type { Sender } from "../sending/sender.ts";
import type { Story } from "../story/stories.ts";
import type { Course } from "../story/tallies.ts";
import { type GivenNumbers, numbersFor } from "../target/phone-numbers.ts";
import {
  absentFields,
  extraProperties,
  type Shapes,
  shapeRequest,
  shapeResponse,
  withProperties,
} from "../target/shapes.ts";
import type { Timing } from "../target/target.ts";
import type { Check } from "./check.ts";
import type { CheckContext } from "./context.ts";
import { control } from "./control.ts";
import { createKey } from "./create-key.ts";
import { newMadeThings } from "./made-things.ts";
import { newOperationCalls } from "./operation-calls.ts";
import { apart, newRecorder } from "./recorder.ts";
import { runProperty } from "./run-property.ts";
import { randomFrom, seedOf } from "./seeded-random.ts";
import { sharedKey } from "./shared-key.ts";

/** What a run lends to one check. */
export interface ContextParts {
  readonly timing: Timing;
  readonly sender: Pick<Sender, "send">;
  /** Seed of the run. */
  readonly runSeed: number;
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
  readonly numbers: GivenNumbers;
  /** Is told of each breach and warning in the moment in which it is found. */
  readonly breached: (finding: Finding) => void;
  readonly story: Story;
  /** Counts how rules are decided in the check. */
  readonly course: Pick<Course, "decided">;
}

/** A context and the findings that it has recorded so far. */
export interface OpenContext {
  readonly context: CheckContext;
  readonly findings: () => readonly Finding[];
  /** The response to the last call of an operation; null before the first one. */
  readonly last: () => Exchange | null;
  /** Takes back what the check made and the API can delete. */
  readonly cleanUp: () => Promise<void>;
}

/** Opens the context of one check. */
export function openContext(check: Check, around: ContextParts): OpenContext {
  const recorder = newRecorder(check, around.breached, around.story, around.course);
  const seed = seedOf(around.runSeed, check.id);
  const things = newMadeThings(around.shapes);
  let last: Exchange | null = null;
  const { attempt, call, send } = newOperationCalls(around.sender, around.unserved, (exchange, as) => {
    last = exchange;
    things.note(exchange, as);
  });
  let hasProperty = false;

  const context: CheckContext = {
    timing: around.timing,
    random: check.kind === "scenario" ? unsampled(check) : randomFrom(seed),
    tenant: (wish = {}) => around.tenant(wish),
    otherTenant: (wish = {}) => around.otherTenant(wish),
    serves: (operation) => around.unserved(operation) === null,
    call,
    control,
    attempt,
    send,
    verify: recorder.verify,
    observe: (rule, message, ...seen) => recorder.observe(rule, message, seen),
    undecided: (rule, why, ...seen) => recorder.undecided(rule, why, seen),
    inbox: around.inbox,
    spareInbox: around.spareInbox,
    signer: around.signer,
    numbers: (part) => numbersFor(around.numbers, part),
    shapeRequest: (operation, body) => shapeRequest(around.shapes, operation, body),
    withExtra(operation, body, which) {
      const extra = extraProperties(around.shapes, operation, which);
      return extra === null ? null : withProperties(body, extra);
    },
    shapeResponse: (operation, data) => shapeResponse(around.shapes, operation, data),
    absentFields: (operation) => absentFields(around.shapes, operation),

    createKey: (as, scopes, { own = false } = {}) =>
      own ? createKey(call, as, scopes) : sharedKey(as, scopes, () => createKey(call, as, scopes)),

    refused(rule, exchange, ...names) {
      const rows = names.map(rowNamed);
      const status = statusOf(exchange);
      const holds = status !== null && rows.some((row) => row.code === codeOf(exchange) && rowAllows(row, status));
      const hasStatus = status !== null && rows.some((row) => rowAllows(row, status));
      return recorder.verify(rule, holds, {
        expected: rows.map(rowText).join(" or "),
        actual: summaryOf(exchange),
        exchanges: [exchange],
        admits: names,
        // Of a refusal with a status that some row has, the code is at fault.
        at: [atPart(exchange, hasStatus ? member("/error/code") : statusPart, rows.map(rowText).join(" or "))],
      });
    },
    accepted: (rule, exchange) =>
      recorder.verify(rule, isSuccess(exchange), {
        expected: "2xx success",
        actual: summaryOf(exchange),
        admits: ["success"],
        exchanges: [exchange],
      }),
    equal: (rule, what, actual, expected, ...evidence) =>
      recorder.verify(rule, isDeepStrictEqual(actual, expected), {
        expected: `${what} = ${shown(expected)}`,
        actual: shown(actual),
        compared: { what, actual, expected },
        ...apart(evidence),
      }),

    async property(arbitrary, predicate) {
      // A path names one value of one property.
      if (hasProperty) throw new Error(`Check ${check.id} has more than one property.`);
      hasProperty = true;
      const { runSeed, path, runs, signal } = around;
      await runProperty(arbitrary, predicate, { runSeed, seed, path, runs, signal, recorder });
    },
  };
  return {
    context,
    findings: recorder.findings,
    last: () => last,
    // The key that made a thing may have been revoked since.
    cleanUp: () =>
      things.remove(async (operation, id, { tenant }) => attempt(operation, { path: { id } }, await tenant.main())),
  };
}

/** Further seeds are tried on what they change alone. */
const unsampled =
  ({ id }: Check) =>
  (): never => {
    throw new Error(`Check ${id} takes random values and is a scenario: declare it as sampled.`);
  };

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
};
