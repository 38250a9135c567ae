import { randomUUID } from "node:crypto";
import { constants } from "../../../generated/constants.ts";
import type { Contrarian } from "../edit.ts";
import { following, redirectOf } from "../followed-redirects.ts";
import { noteOriginals, originalOf } from "../port-changes.ts";
import { keepingEndpoints } from "../unit-changes.ts";

const request = "domain/deliveries/delivery-request.ts";
const attempt = "delivery/make-attempt.ts";
const schedule = "domain/deliveries/retry-schedule.ts";
const signing = "domain/signatures/delivery-signature.ts";

/** Servers that send deliveries in other lawful ways. */
export const eventContrarians: readonly Contrarian[] = [
  {
    id: "Q58-older",
    does: "signs deliveries by an older secret too, and names that signature first",
    answers: "Q58",
    changes: [
      {
        file: request,
        find: "signatureHeader(signed, [endpoint.secret], manner.dialect)",
        replace:
          'signatureHeader(signed, [Buffer.from(endpoint.id).toString("base64"), endpoint.secret], manner.dialect)',
      },
    ],
  },
  {
    id: "Q59-unknown",
    does: "signs with another hash",
    answers: "Q59",
    changes: [{ file: signing, find: 'createHmac("sha256", key)', replace: 'createHmac("sha512", key)' }],
  },
  {
    id: "Q61-headers",
    does: "sends further headers, and names the charset of its body",
    answers: "Q61",
    changes: [
      {
        file: request,
        find: '"Content-Type": "application/json",',
        replace:
          '"Content-Type": "application/json; charset=utf-8",\n      ...{ "X-Svc-Attempt": String(delivery.attempts + 1), traceparent: `00-${event.id.slice(4).replaceAll("-", "")}-00f067aa0ba902b7-01` },',
      },
    ],
  },
  {
    id: "Q62-list",
    does: "sends a list that holds the event, with line breaks",
    answers: "Q62",
    changes: [
      {
        file: request,
        find: "JSON.stringify(bodyOf(delivery, manner))",
        replace: "JSON.stringify([bodyOf(delivery, manner)], null, 2)",
      },
    ],
  },
  {
    id: "Q62-named",
    does: "tells in the body which event a replay was made from, and names members in another way",
    answers: "Q62",
    changes: [
      noteOriginals,
      {
        file: request,
        find: "        data: event.data,",
        replace: `        data: undefined,\n        ...{ payload: event.data, replay_of: ${originalOf}?.id ?? null },`,
      },
    ],
  },
  {
    id: "Q63-first",
    does: "signs every attempt with the time of the first",
    answers: "Q63",
    changes: [
      {
        file: request,
        find: "seconds: Math.floor(now / 1000),",
        replace: "seconds: Math.floor(event.createdAt / 1000),",
      },
    ],
  },
  {
    id: "Q64-days",
    does: "tries for nine days",
    answers: "Q64",
    changes: [{ file: schedule, find: "const hour = 60 * minute;", replace: "const hour = 8 * 60 * minute;" }],
  },
  {
    id: "Q64-once",
    does: "gives up at the first failure",
    answers: "Q64",
    changes: [
      {
        file: "delivery-choices.ts",
        find: "usualSchedule.waits.slice(0, attempts[retrySchedule])",
        replace: "usualSchedule.waits.slice(0, 1)",
      },
    ],
  },
  {
    id: "Q64-immediate",
    does: "makes the second attempt at once",
    answers: "Q64",
    changes: [
      {
        file: schedule,
        find: "waits: [0, 5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour]",
        replace: "waits: [0, 0, 5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour]",
      },
    ],
  },
  {
    id: "Q64-often",
    does: "tries fifteen times, every half a minute",
    answers: "Q64",
    changes: [
      {
        file: schedule,
        find: "const wait = waits[attempt];",
        replace: "const wait = attempt < 15 ? 30 * second : undefined;",
      },
    ],
  },
  {
    id: "Q65-redirect",
    does: "takes a redirect for a success",
    answers: "Q65",
    changes: [{ file: schedule, find: "status <= 299", replace: "status <= 399" }],
  },
  {
    id: "Q61-followed",
    does: "follows redirects, and records what the endpoint's own address returned",
    answers: "Q61",
    changes: [following({ follows: redirectOf, records: "first" })],
  },
  {
    id: "Q77-follows",
    does: "calls earlier attempts a success when a later one is",
    answers: "Q77",
    changes: [
      {
        file: "store/work/delivery-work.ts",
        find: "await insertAttempts.run(on, { rows });",
        replace: `await insertAttempts.run(on, { rows });
    for (const { delivery_id } of rows.filter(({ outcome }) => outcome === "success")) {
      const made = await on.db.deleteFrom("delivery_attempts").where("delivery_id", "=", delivery_id).returningAll().execute();
      await insertAttempts.run(on, { rows: made.map((row) => ({ ...row, outcome: "success" })) });
    }`,
      },
    ],
  },
  {
    id: "Q84-greeting",
    does: "sends a new endpoint an event of a type that it subscribed to, as a greeting",
    answers: "Q84",
    changes: [
      keepingEndpoints(() => (endpoints, tx) => ({
        async insert(endpoint) {
          await endpoints.insert(endpoint);
          const { id: endpointId, organizationId, createdAt, events } = endpoint;
          const [type] = events;
          const greeting = {
            id: `${constants.eventIdPrefix}${randomUUID()}`,
            organizationId,
            data: { greeting: true },
            createdAt,
          };
          if (type !== undefined) await tx.enqueue({ ...greeting, type }, { endpointId });
        },
      })),
    ],
  },
  {
    id: "Q86-again",
    does: "sends every attempt a second time with a signature of another second, as a server may that was stopped",
    answers: "Q86",
    changes: [
      {
        file: attempt,
        find: "forced === null ? await sender.send(request) : answerOf(forced, sender.excerptBytes)",
        replace:
          "forced === null ? (await sender.send(deliveryRequest(delivery, occurredAt - 1000, manner)), await sender.send(request)) : answerOf(forced, sender.excerptBytes)",
      },
    ],
  },
  {
    id: "Q86-twice",
    does: "sends every attempt twice, as a server may that stopped before it recorded the first",
    answers: "Q86",
    changes: [
      {
        file: "delivery/deliver.ts",
        find: "const made = await makeAttempt(claim, parts);",
        replace: "await makeAttempt(claim, parts);\n    const made = await makeAttempt(claim, parts);",
      },
    ],
  },
  {
    id: "Q86-disordered",
    does: "sends deliveries that are due together in another order, some of them late",
    answers: "Q86",
    changes: [
      {
        file: "delivery/advance-deliveries.ts",
        find: "for (const each of next.claims) {\n        const delivery: Promise<void> = deliver(each, lease.leaseUntil).finally(() => underway.delete(delivery));\n        underway.add(delivery);\n      }",
        replace:
          "for (const each of next.claims.toReversed()) {\n        const delivery: Promise<void> = deliver(each, lease.leaseUntil).finally(() => underway.delete(delivery));\n        underway.add(delivery);\n      }",
      },
      {
        file: attempt,
        find: "const request = deliveryRequest(delivery, occurredAt, manner);",
        replace:
          "if (forced === null) await new Promise((resolve) => setTimeout(resolve, Math.random() * 100));\n  const request = deliveryRequest(delivery, occurredAt, manner);",
      },
    ],
  },
];
