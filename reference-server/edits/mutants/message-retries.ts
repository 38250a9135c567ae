import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { operations } from "../../../generated/operations.ts";
import type { KeptAnswer } from "../../domain/idempotency/kept-answer.ts";
import type { Mutant } from "../edit.ts";
import { keepingAnswersFor } from "../kept-answers.ts";
import { storing } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { working } from "../unit-changes.ts";
import { onRequest, type WireAnswer } from "../wire.ts";
import { withRequestHeader } from "../wire-requests.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

const { id: send, idempotencyHeader } = operations.sendMessage;
const keyHeader = idempotencyHeader.toLowerCase();

/** Servers that take sends with an idempotency key for others than they are. */
export const messageRetryMutants: readonly Mutant[] = [
  wireMutant(
    "MSG-64",
    "ignored",
    "ignores the key of a send",
    onRequest(send, (request) => withRequestHeader(request, keyHeader, undefined)),
  ),
  mutantOf("MSG-64", "charged", "charges a send that comes again", [
    storing((store) => ({
      async keptAnswer(organizationId, retry, now) {
        const kept = await store.keptAnswer(organizationId, retry, now);
        const entry = { kind: "charge", amount: 10_000, reference: `again ${randomUUID()}`, at: now } as const;
        if (kept !== null && retry.operation === send)
          await store.atomically(organizationId, (tx) => tx.ledger.append(entry));
        return kept;
      },
    })),
  ]),
  mutantOf("MSG-65", "race", "looks for a first answer to a send before it begins, and not again", [
    storing((store) => ({
      async keptAnswer(organizationId, retry, now) {
        const kept = await store.keptAnswer(organizationId, retry, now);
        if (kept === null && retry.operation === send) await pause(30);
        return kept;
      },
    })),
    working(() => (tx) => ({ answers: withMembers(tx.answers, { find: async () => null }) })),
  ]),
  mutantOf("MSG-66", "shared", "knows keys of sends of all organizations as one", [
    storing((store) => {
      const all = new Map<string, KeptAnswer>();
      return {
        async keptAnswer(organizationId, retry, now) {
          const kept = await store.keptAnswer(organizationId, retry, now);
          if (retry.operation !== send) return kept;
          if (kept !== null) all.set(retry.key, kept);
          return kept ?? all.get(retry.key) ?? null;
        },
      };
    }),
  ]),
  wireMutant("MSG-67", "by-text", "takes an equal text for an equal key", (serve) => {
    const taken = new Map<string, WireAnswer>();
    return async (request) => {
      if (request.operation !== send || request.headers[keyHeader] === undefined) return serve(request);
      const place = `${request.headers.authorization} ${request.bytes}`;
      const answer = taken.get(place) ?? (await serve(request));
      if (answer.status < 300) taken.set(place, answer);
      return answer;
    };
  }),
  mutantOf("MSG-64", "ten-minutes", "stores the response of a send for ten minutes only", [keepingAnswersFor(600)]),
];
