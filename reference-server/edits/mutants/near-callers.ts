import { randomUUID } from "node:crypto";
import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import type { Mutant } from "../edit.ts";
import { withMembers } from "../ports.ts";
import { seeing } from "../seen.ts";
import { working } from "../unit-changes.ts";
import { dataOf, isRefusal, parsed, refusedWith, type Wire, type WireRequest, withBody } from "../wire.ts";
import { bodyOf, tokenOf, withKey, withRequestBody } from "../wire-requests.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const sends = "routes/messages.ts";
const lookups = "routes/lookups.ts";
const keysFile = "domain/keys/api-keys.ts";
const isUser = ({ headers }: WireRequest): boolean => !headers.authorization?.includes(constants.liveKeyPrefix);
/** Charges what is refused so, as source. */
const chargingFor = (row: string, when: string): string =>
  `if (send instanceof Refusal && send.row === "${row}" && ${when}) await tx.ledger.append({ kind: "charge", amount: wanted.cost, reference: \`message \${id}\`, at: now });\nif (send instanceof Refusal) return send;`;
const refusing = "if (send instanceof Refusal) return send;";

/** Cancels what waits for a recipient in other organizations, too. */
const elsewhereToo = working(({ store }) => {
  const waiting = new Map<string, string>();
  return (tx) => ({
    messages: withMembers(tx.messages, {
      async insert(message) {
        waiting.set(`${message.to} ${message.organizationId}`, message.id);
        await tx.messages.insert(message);
      },
      async cancelTo(number) {
        for (const name of waiting.keys()) {
          const [to, organization] = name.split(" ");
          if (to === number && organization && organization !== tx.organization?.id)
            // Behind this transaction, which has the store to itself.
            void store.atomically(organization, (other) => other.messages.cancelTo(number)).catch(() => undefined);
        }
        return tx.messages.cancelTo(number);
      },
    }),
  });
});

/** Cancels what waits for anybody where one recipient leaves. */
const whoeverWaits = working(() => {
  const waiting = new Map<string, Set<string>>();
  return (tx) => ({
    messages: withMembers(tx.messages, {
      async insert(message) {
        waiting.set(message.organizationId, (waiting.get(message.organizationId) ?? new Set()).add(message.to));
        await tx.messages.insert(message);
      },
      async cancelTo(number) {
        const own = await tx.messages.cancelTo(number);
        for (const to of waiting.get(tx.organization?.id ?? "") ?? []) await tx.messages.cancelTo(to);
        return own;
      },
    }),
  });
});

/** Lists for each caller the messages that it sent itself. */
const ownMessages: Wire = (serve) => {
  const senders = new Map<string, string | undefined>();
  return async (request) => {
    const answer = await serve(request);
    if (request.operation === "sendMessage" && answer.status < 300)
      senders.set(String(dataOf(answer)?.id), request.headers.authorization);
    if (request.operation !== "listMessages" || answer.status >= 300) return answer;
    const { data, ...others } = Object(parsed(answer.bytes));
    return withBody(answer, {
      ...others,
      data: data.filter(
        ({ id }: { id: string }) =>
          (senders.get(id) ?? request.headers.authorization) === request.headers.authorization,
      ),
    });
  };
};

/** Heeds what a caller did itself alone. */
const byOthersUnheeded =
  (maker: "captureConsent" | "createLookup", answering: Wire): Wire =>
  (serve) => {
    const makers = new Map<string, Set<string | undefined>>();
    const elsewhere = answering(serve);
    return async (request) => {
      const number = Object(bodyOf(request));
      if (request.operation === maker) {
        const name = String(number.phone_number);
        makers.set(name, (makers.get(name) ?? new Set()).add(request.headers.authorization));
      }
      const own = makers.get(String(number.to));
      return request.operation === "sendMessage" && own !== undefined && !own.has(request.headers.authorization)
        ? elsewhere(request)
        : serve(request);
    };
  };

/** Takes what it would block. */
const unblocked: Wire = (serve) => async (request) => {
  const answer = await serve(request);
  const { to, body } = Object(bodyOf(request));
  const data = {
    id: randomUUID(),
    to,
    body,
    status: "queued",
    scheduled_at: null,
    created_at: new Date().toISOString(),
  };
  return isRefusal(answer, "LineTypeBlocked") ? withBody({ ...answer, status: 202 }, { success: true, data }) : answer;
};

/** Refuses for want of consent what it would take. */
const wanting: Wire = (serve) => async (request) => {
  const answer = await serve(request);
  return answer.status < 300 ? refusedWith(answer, refuse.ConsentRequired("The recipient has not consented.")) : answer;
};

/** Confines no key that a user made. */
const freeOfUsers: Wire = seeing((seen) => (serve) => {
  const free = new Set<string>();
  return async (request) => {
    const answer = await serve(request);
    const token = tokenOf(request);
    if (request.operation === "createApiKey" && answer.status < 300 && isUser(request))
      free.add(String(dataOf(answer)?.plaintext));
    const caller = isRefusal(answer, "Forbidden") && free.has(token) ? seen.callerOf(request) : undefined;
    const key = caller && seen.widestKeyOf(caller.organization);
    return key === undefined ? answer : serve(withKey(request, key));
  };
});

const dormant = "if (!hasFloor || !isDormant(callerOf(exchange).organization.plan)) return null;";

/** Servers with faults that show for another key, for users, in another form of a call or beside others alone. */
export const nearCallerMutants: readonly Mutant[] = [
  mutant(
    "MSG-16",
    "now",
    "charges a send at once that is blocked",
    sends,
    refusing,
    chargingFor("LineTypeBlocked", "wanted.scheduledAt === null"),
  ),
  mutant(
    "MSG-16",
    "keyed",
    "charges a send with a key that is blocked",
    sends,
    refusing,
    chargingFor("LineTypeBlocked", "caller.retry"),
  ),
  mutant(
    "MSG-10",
    "keyed",
    "charges a send with a key that wants consent",
    sends,
    refusing,
    chargingFor("ConsentRequired", "caller.retry"),
  ),
  mutant(
    "MSG-10",
    "scheduled",
    "charges a send for later that wants consent",
    sends,
    refusing,
    chargingFor("ConsentRequired", "wanted.scheduledAt !== null"),
  ),
  mutant(
    "MSG-30",
    "keyed",
    "charges a send with a key that comes in quiet hours",
    sends,
    refusing,
    chargingFor("QuietHours", "caller.retry"),
  ),
  mutant(
    "MSG-30",
    "later",
    "charges a send for a later time in quiet hours",
    sends,
    refusing,
    chargingFor("QuietHours", "wanted.scheduledAt !== null"),
  ),
  mutantOf("CON-43", "waiting", "cancels what another organization has waiting for who replies STOP or is erased", [
    elsewhereToo,
  ]),
  mutantOf("CON-25", "beside", "cancels what waits for anybody where one contact is erased", [whoeverWaits]),
  mutant(
    "KEYC-15",
    "user",
    "grants users whatever they name",
    keysFile,
    "const unknown = refuseUnknown(scopes);",
    'const unknown = caller.kind === "session" ? null : refuseUnknown(scopes);',
  ),
  wireMutant("KEYC-27", "text", "takes one scope that is no list for a list of one", (serve) => (request) => {
    const body = Object(bodyOf(request));
    return serve(
      request.operation === "createApiKey" && typeof body.scopes === "string"
        ? withRequestBody(request, { ...body, scopes: [body.scopes] })
        : request,
    );
  }),
  wireMutant(
    "USR-04",
    "case",
    "knows channels in any case",
    (serve) => (request) =>
      serve(
        request.operation === "updateNotifications" && typeof bodyOf(request) === "object" && bodyOf(request) !== null
          ? withRequestBody(
              request,
              Object.fromEntries(
                Object.entries(Object(bodyOf(request))).map(([name, value]) => [name.toLowerCase(), value]),
              ),
            )
          : request,
      ),
  ),
  wireMutant("MSG-60", "own", "lists for each key what it sent itself", ownMessages),
  mutantOf("LKP-06", "user", "looks up for users whatever the wallet holds", [
    { file: lookups, find: "uncovered !== null", replace: 'uncovered !== null && caller.kind === "key"' },
    {
      file: lookups,
      find: "const refusal = refuseUncovered(await tx.ledger.wallet(), price);",
      replace: 'const refusal = caller.kind === "session" ? null : refuseUncovered(await tx.ledger.wallet(), price);',
    },
    {
      file: lookups,
      find: "await charge(tx, charged);",
      replace: "if (refuseUncovered(await tx.ledger.wallet(), price) === null) await charge(tx, charged);",
    },
  ]),
  wireMutant("MSG-13", "own", "blocks who has looked the number up alone", byOthersUnheeded("createLookup", unblocked)),
  wireMutant(
    "CON-01",
    "own",
    "heeds the consents alone that the same key captured",
    byOthersUnheeded("captureConsent", wanting),
  ),
  mutant(
    "AUTH-26",
    "user",
    "has users of any plan capture consents",
    "http/authorize.ts",
    dormant,
    'if (!hasFloor || callerOf(exchange).kind === "session" || !isDormant(callerOf(exchange).organization.plan)) return null;',
  ),
  wireMutant("AUTH-12", "user-made", "confines no key that a user made", freeOfUsers),
];
