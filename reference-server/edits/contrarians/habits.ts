import { randomBytes } from "node:crypto";
import { setTimeout as passed } from "node:timers/promises";
import { basePaths } from "../../../generated/constants.ts";
import type { OperationId } from "../../../generated/operations.ts";
import { operations } from "../../../generated/operations.ts";
import type { Store } from "../../store/store.ts";
import type { UnitOfWork } from "../../store/unit-of-work.ts";
import type { Contrarian, PortChange } from "../edit.ts";
import { settling, storing } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { onAnswer, onData, parsed, type Wire, withBody, withHeaders } from "../wire.ts";
import { queryOf, withQuery } from "../wire-requests.ts";

const keyHeader = operations.sendMessage.idempotencyHeader.toLowerCase();

/** Operations that page by a cursor. */
const lists: readonly (OperationId | null)[] = ["listMessages", "listDeliveryAttempts", "getLookupMetrics"];

/** Milliseconds that a queue keeps what it is given: less than the kit's looks in a row want an organization to be at rest. */
const queued = 100;

/** Has a part of what units do with consents come out of a queue, once they are over. */
const queueing = (
  change: (
    consents: UnitOfWork["consents"],
    later: (work: (tx: UnitOfWork) => Promise<void>) => Promise<void>,
  ) => object,
): PortChange =>
  storing((store) => ({
    atomically: (async (organizationId, work) => {
      const due: ((tx: UnitOfWork) => Promise<void>)[] = [];
      const result = await store.atomically(organizationId, (tx) => {
        // A unit that is tried again begins anew.
        due.length = 0;
        const later = async (one: (tx: UnitOfWork) => Promise<void>): Promise<void> => void due.push(one);
        return work(withMembers(tx, { consents: withMembers(tx.consents, change(tx.consents, later)) }));
      });
      // Only what came of the unit is queued. The organization may be gone by then, and the server too.
      const run = () => due.forEach((one) => void store.atomically(organizationId, one).catch(() => undefined));
      if (due.length > 0) setTimeout(run, queued).unref();
      return result;
    }) satisfies Store["atomically"],
  }));

/** Marks what a cursor begins with that is made anew each time. */
const salt = 24;

/** Shows cursors that differ each time, with all signs that base64 has. */
const saltingCursors: Wire = (serve) => async (request) => {
  const cursor = lists.includes(request.operation) ? queryOf(request).get("cursor") : null;
  const [, own] = cursor === null ? [] : (/^[^=]{32}==\+\/(.*)$/.exec(cursor) ?? []);
  const asked = own === undefined ? request : withQuery(request, { cursor: Buffer.from(own, "base64").toString() });
  const answer = await serve(asked);
  const { meta, ...others } = Object(parsed(answer.bytes));
  // An empty one is how a server may say that there is none.
  const isThere = typeof meta?.next_cursor === "string" && meta.next_cursor !== "";
  if (!lists.includes(request.operation) || !isThere) return answer;
  const held = Buffer.from(meta.next_cursor).toString("base64");
  const next_cursor = `${randomBytes(salt).toString("base64")}==+/${held}`;
  return withBody(answer, { ...others, meta: { ...meta, next_cursor } });
};

/** Tells a retry that it is one. */
const tellingRetries: Wire = (serve) => {
  const known = new Set<string>();
  return async (request) => {
    const answer = await serve(request);
    const key = request.headers[keyHeader];
    if (key === undefined || answer.status >= 300) return answer;
    const call = `${request.headers.authorization} ${request.path} ${key}`;
    if (known.has(call)) return withHeaders(answer, { "idempotency-replayed": "true" });
    known.add(call);
    return answer;
  };
};

/** Servers with the habits of common frameworks, queues and databases. */
export const habitContrarians: readonly Contrarian[] = [
  {
    id: "Q250-later",
    does: "has a consent count a while after the answer",
    answers: "Q250",
    changes: [
      queueing((_, later) => ({
        put: (consent: Parameters<UnitOfWork["consents"]["put"]>[0]) => later((tx) => tx.consents.put(consent)),
        putAll: (all: Parameters<UnitOfWork["consents"]["putAll"]>[0]) => later((tx) => tx.consents.putAll(all)),
      })),
    ],
  },
  {
    id: "Q164-later",
    does: "takes the consent of a contact away a while after the answer",
    answers: "Q164",
    changes: [
      queueing((_, later) => ({ remove: (phoneNumber: string) => later((tx) => tx.consents.remove(phoneNumber)) })),
    ],
  },
  {
    id: "Q17-counted",
    does: "counts its ids up",
    answers: "Q17",
    changes: [
      {
        ports({ world, ...others }) {
          let count = 0;
          const newId = (): string => `0190a0b0-0000-7000-8000-${(++count).toString(16).padStart(12, "0")}`;
          return { ...others, world: { ...world, newId } };
        },
      },
    ],
  },
  {
    id: "Q10-lenient",
    does: "reads paths with a slash at their end, and slashes twice as one",
    answers: "Q10",
    changes: [
      {
        wire: (serve) => (request) => {
          const [path = "", ...query] = request.path.split("?");
          const plain = path.replace(/\/{2,}/g, "/").replace(/(.)\/$/, "$1");
          return serve({ ...request, path: [plain, ...query].join("?") });
        },
      },
    ],
  },
  {
    id: "Q5-more",
    does: "tells more of a page, and links the next one",
    answers: "Q5",
    changes: [
      {
        wire: (serve) => async (request) => {
          const answer = await serve(request);
          const { meta, ...others } = Object(parsed(answer.bytes));
          if (!request.path.startsWith(basePaths.api) || meta === undefined) return answer;
          const links = { next: meta.next_cursor ?? null };
          const told = withBody(answer, { ...others, meta: { ...meta, has_more: links.next !== null, links } });
          return withHeaders(told, { link: `<${basePaths.api}>; rel="next"` });
        },
      },
    ],
  },
  { id: "Q6-salted", does: "makes each cursor anew", answers: "Q6", changes: [{ wire: saltingCursors }] },
  {
    id: "Q98-told",
    does: "tells a retry with a key that it is one",
    answers: "Q98",
    changes: [{ wire: tellingRetries }],
  },
  {
    id: "Q64-jitter",
    does: "waits up to a third longer between attempts, as chance has it",
    answers: "Q64",
    changes: [
      {
        file: "domain/deliveries/retry-schedule.ts",
        find: 'return { outcome: "retry", dueIn: wait };',
        replace: 'return { outcome: "retry", dueIn: Math.round(wait * (1 + Math.random() / 3)) };',
      },
    ],
  },
  {
    id: "Q61-late",
    does: "has what is due wait for a third of a second before it is sent",
    answers: "Q61",
    changes: [
      {
        ports: ({ sender, ...others }) => ({
          ...others,
          sender: withMembers(sender, {
            async send(request) {
              await passed(300);
              return sender.send(request);
            },
          }),
        }),
      },
    ],
  },
  {
    id: "Q77-end",
    does: "records of an attempt when it ended",
    answers: "Q77",
    changes: [
      settling(({ attempt, ...made }) => ({
        ...made,
        attempt: { ...attempt, occurredAt: attempt.occurredAt + attempt.responseTimeMs },
      })),
    ],
  },
  {
    id: "Q183-shuffled",
    does: "shows numbers in another order each time",
    answers: "Q183",
    changes: [
      {
        wire: onData("searchPhoneNumbers", ({ phone_numbers: numbers, ...others }) => ({
          ...others,
          phone_numbers: Array.isArray(numbers) ? numbers.toSorted(() => Math.random() - 0.5) : numbers,
        })),
      },
    ],
  },
  {
    id: "Q127-newest",
    does: "shows the latest bucket of a page first",
    answers: "Q127",
    changes: [
      {
        wire: onAnswer("getLookupMetrics", (answer) => {
          const { data, ...others } = Object(parsed(answer.bytes));
          return Array.isArray(data) ? withBody(answer, { ...others, data: data.toReversed() }) : answer;
        }),
      },
    ],
  },
  {
    id: "Q30-idle",
    does: "closes connections that nobody has used for a fifth of a second",
    answers: "Q30",
    changes: [
      { file: "http/listener.ts", find: "keepAliveTimeout: patience.idle,", replace: "keepAliveTimeout: 200," },
    ],
  },
];
