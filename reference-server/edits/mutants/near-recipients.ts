import type { Mutant } from "../edit.ts";
import { onMeta } from "../operation-changes.ts";
import { withMembers } from "../ports.ts";
import { idIn, seeing } from "../seen.ts";
import { working } from "../unit-changes.ts";
import { isRefusal, onData, type Wire } from "../wire.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const consents = "routes/consents.ts";
const sends = "routes/messages.ts";
const lookups = "routes/lookups.ts";

/** Knows of each organization the double opt-in alone that was asked for last. */
const latestOptIn = working(() => {
  const latest = new Map<string, string>();
  return (tx) => ({
    doubleOptIns: withMembers(tx.doubleOptIns, {
      async pending(phoneNumber) {
        const one = await tx.doubleOptIns.pending(phoneNumber);
        return one && latest.get(one.organizationId) !== phoneNumber ? { ...one, expiresAt: 0 } : one;
      },
      async insert(one) {
        latest.set(one.organizationId, one.phoneNumber);
        await tx.doubleOptIns.insert(one);
      },
    }),
  });
});

/** Forgets all double opt-ins where it is to forget one. */
const endingAllAsked = working(() => {
  const asked = new Map<string, Set<string>>();
  return (tx) => ({
    doubleOptIns: withMembers(tx.doubleOptIns, {
      async insert(one) {
        asked.set(one.organizationId, (asked.get(one.organizationId) ?? new Set()).add(one.phoneNumber));
        await tx.doubleOptIns.insert(one);
      },
      async remove() {
        for (const number of asked.get(tx.organization?.id ?? "") ?? []) await tx.doubleOptIns.remove(number);
      },
    }),
  });
});

/** Forgets what was looked up once two lookups have failed. */
const twoFailures = working(() => {
  const failures = new Map<string, number>();
  return (tx) => {
    const id = tx.organization?.id ?? "";
    return {
      ledger: withMembers(tx.ledger, {
        async append(entry) {
          if (entry.kind === "refund" && entry.reference.startsWith("lookup"))
            failures.set(id, (failures.get(id) ?? 0) + 1);
          return tx.ledger.append(entry);
        },
      }),
      lookups: withMembers(tx.lookups, {
        latest: async (number) => ((failures.get(id) ?? 0) > 1 ? null : tx.lookups.latest(number)),
      }),
    };
  };
});

/** Takes canceled messages from the total. */
const totalOfOthers: Wire = seeing((seen) => (serve) => {
  const canceled = new Map<string, Set<string>>();
  return async (request) => {
    const answer = await serve(request);
    const owner = seen.callerOf(request)?.organization ?? "";
    if (request.operation === "cancelMessage" && answer.status < 300)
      canceled.set(owner, (canceled.get(owner) ?? new Set()).add(idIn(request)));
    if (request.operation !== "listMessages") return answer;
    return onMeta("listMessages", (meta) => ({
      ...meta,
      total: Number(meta.total) - (canceled.get(owner)?.size ?? 0),
    }))(async () => answer)(request);
  };
});

/** Shows what was refused to be canceled as for at once. */
const unscheduled: Wire = (serve) => {
  const refused = new Set<string>();
  return async (request) => {
    const answer = await serve(request);
    if (request.operation === "cancelMessage" && isRefusal(answer, "MessageNotCancelable")) refused.add(idIn(request));
    return request.operation === "getMessage" && refused.has(idIn(request))
      ? onData("getMessage", (data) => ({ ...data, scheduled_at: null }))(async () => answer)(request)
      : answer;
  };
};

/** Servers with faults of consents, messages and lookups that show the second time, for users or beside others alone. */
export const nearRecipientMutants: readonly Mutant[] = [
  mutant(
    "CON-02",
    "twice",
    "drops who is named twice in a batch",
    consents,
    "keepAll(tx.consents, consents)",
    "keepAll(tx.consents, consents.filter(({ phoneNumber }) => consents.filter((one) => one.phoneNumber === phoneNumber).length === 1))",
  ),
  mutant(
    "CON-04",
    "again",
    "heeds no STOP of who has come back by START",
    "domain/consent/reply.ts",
    'const declined = state === "opted-out" ? doubleOptIn : null;',
    'if (state === "opted-out" && consent?.state === "opted-in" && consent.source === "reply") return { consent: null, doubleOptIn: null };\nconst declined = state === "opted-out" ? doubleOptIn : null;',
  ),
  mutantOf("CON-30", "latest", "hears the YES of the recipient alone who was asked last", [latestOptIn]),
  mutantOf("CON-25", "asked", "ends all double opt-ins when one contact is erased", [endingAllAsked]),
  mutant(
    "MSG-04",
    "user",
    "asks users for no consent",
    sends,
    "consent: await tx.consents.of(wanted.to)",
    'consent: caller.kind === "session" ? { organizationId: "", phoneNumber: wanted.to, state: "opted-in", source: "", capturedAt: 0 } : await tx.consents.of(wanted.to)',
  ),
  mutant(
    "MSG-13",
    "user",
    "blocks no fixed line for users",
    sends,
    "lookup: await tx.lookups.latest(wanted.to)",
    'lookup: caller.kind === "session" ? null : await tx.lookups.latest(wanted.to)',
  ),
  mutant(
    "MSG-24",
    "user",
    "has users send in quiet hours",
    sends,
    "quietHours: tx.organization?.quietHours ?? null",
    'quietHours: caller.kind === "session" ? null : (tx.organization?.quietHours ?? null)',
  ),
  mutantOf("MSG-22", "second", "lifts the block when a second lookup fails", [twoFailures]),
  mutant(
    "MSG-51",
    "long",
    "shows 160 characters of a text",
    sends,
    "body: message.body",
    "body: message.body.slice(0, 160)",
  ),
  wireMutant("MSG-63", "canceled", "counts no canceled messages in the total", totalOfOthers),
  mutant(
    "LKP-05",
    "user",
    "charges users nothing for lookups",
    lookups,
    "await charge(tx, charged);",
    'if (caller.kind === "key") await charge(tx, charged);',
  ),
  mutant(
    "LKP-05",
    "again",
    "charges nothing for a number that was looked up before",
    lookups,
    "await charge(tx, charged);",
    "if ((await tx.lookups.latest(phoneNumber)) === null) await charge(tx, charged);",
  ),
  mutantOf("LKP-08", "second", "gives every other failure's charge back", [
    {
      file: lookups,
      find: "const price = Number(choices.lookupPriceMicros);",
      replace: "const price = Number(choices.lookupPriceMicros);\nlet failures = 0;",
    },
    {
      file: lookups,
      find: 'await tx.ledger.append(lookupEntry("refund", { id, price, at: now }));',
      replace: 'if (failures++ % 2 === 0) await tx.ledger.append(lookupEntry("refund", { id, price, at: now }));',
    },
  ]),
  mutant(
    "LKP-21",
    "others",
    "knows of Jamaica alone that it is elsewhere",
    "domain/lookups/calling-region.ts",
    "!elsewhere.has(area)",
    '!["876", "658"].includes(area)',
  ),
  wireMutant(
    "MSG-45",
    "unscheduled",
    "forgets when a message was meant to be sent that it refuses to cancel",
    unscheduled,
  ),
  mutant(
    "MSG-62",
    "scheduled",
    "lists messages by when they are to be sent",
    sends,
    "data: messages.map((message) => wireMessage(message, precision))",
    "data: [...messages].sort((one, other) => (other.scheduledAt ?? other.createdAt) - (one.scheduledAt ?? one.createdAt)).map((message) => wireMessage(message, precision))",
  ),
];
