import { randomUUID } from "node:crypto";
import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import { eventType } from "../../../generated/events.ts";
import { operations } from "../../../generated/operations.ts";
import { consentBy, type DoubleOptIn } from "../../domain/consent/double-opt-in.ts";
import type { Event } from "../../domain/events/event.ts";
import type { Mutant } from "../edit.ts";
import { metaIn, withMeta } from "../feed-pages.ts";
import { withMembers } from "../ports.ts";
import { enqueueing, working } from "../unit-changes.ts";
import { dataOf, isRefusal, onAnswer, onRequest, parsed, refusedWith, withBody, withData } from "../wire.ts";
import { bodyOf, withRequestBody, withRequestHeader } from "../wire-requests.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const takingNumbers = [
  ["CON-06", "captureConsent"],
  ["CON-35", "requestDoubleOptIn"],
  ["LKP-13", "createLookup"],
] as const;

/** The zone's clocks change on these days. */
const changes = /^(2025-03-09|2025-11-02)/;

/** Servers that mix up what was before with what is now, or what one thing has with what another one has. */
export const carelessStateMutants: readonly Mutant[] = [
  ...takingNumbers.map(([rule, operation]) =>
    wireMutant(
      rule,
      "line",
      "takes a text for a number whose first line is one",
      onRequest(operation, (request) => {
        const { phone_number: number, ...others } = Object(bodyOf(request));
        const [line = ""] = String(number).split("\n");
        return line === number ? request : withRequestBody(request, { ...others, phone_number: line });
      }),
    ),
  ),
  wireMutant(
    "LKP-09",
    "spelling",
    "overlooks a key whose header is written in small letters",
    onRequest("createLookup", (request) => {
      const name = operations.createLookup.idempotencyHeader.toLowerCase();
      return request.rawHeaders.includes(name) ? withRequestHeader(request, name, undefined) : request;
    }),
  ),
  mutantOf("LKP-20", "again", "tells of a lookup again when it is asked for again", [
    {
      ports(ports) {
        const { store } = ports;
        const last = new Map<string, Event>();
        return {
          ...ports,
          store: withMembers(store, {
            async keptAnswer(organizationId, retry, now) {
              const kept = await store.keptAnswer(organizationId, retry, now);
              const event = kept && last.get(organizationId);
              if (event) {
                const again = { ...event, id: `${constants.eventIdPrefix}${randomUUID()}` };
                await store.atomically(organizationId, (tx) => tx.enqueue(again, "subscribed"));
              }
              return kept;
            },
            atomically: (organizationId, work) =>
              store.atomically(organizationId, (tx) =>
                work(
                  withMembers(tx, {
                    enqueue(event, to) {
                      if (event.type === eventType.lookupCompleted) last.set(organizationId, event);
                      return tx.enqueue(event, to);
                    },
                  }),
                ),
              ),
          }),
        };
      },
    },
  ]),
  mutantOf("CON-42", "both", "tells of a confirmed double opt-in that it has expired as well", [
    enqueueing(() => async (event, to, tx) => {
      const expired = {
        ...event,
        id: `${constants.eventIdPrefix}${randomUUID()}`,
        type: eventType.consentPendingExpired,
      };
      if (event.type === eventType.consentPendingConfirmed) await tx.enqueue(expired, to);
      return tx.enqueue(event, to);
    }),
  ]),
  mutantOf("CON-33", "asked", "takes what a recipient answers for one to all organizations that have asked", [
    working(() => {
      const asked = new Map<string, DoubleOptIn>();
      const confirmed = new Set<string>();
      return (tx) => ({
        doubleOptIns: withMembers(tx.doubleOptIns, {
          async insert(one) {
            asked.set(`${one.organizationId} ${one.phoneNumber}`, one);
            await tx.doubleOptIns.insert(one);
          },
          async end(ended) {
            if (ended.state === "confirmed") confirmed.add(ended.phoneNumber);
            await tx.doubleOptIns.end(ended);
          },
        }),
        consents: withMembers(tx.consents, {
          async of(phoneNumber) {
            const one = asked.get(`${tx.organization?.id} ${phoneNumber}`);
            const isMeant = one !== undefined && confirmed.has(phoneNumber);
            return (await tx.consents.of(phoneNumber)) ?? (isMeant ? consentBy(one, one.createdAt) : null);
          },
        }),
      });
    }),
  ]),
  wireMutant("CON-01", "erased", "knows no consent of who was erased, for good", (serve) => {
    const erased = new Set<string>();
    return async (request) => {
      const answer = await serve(request);
      const place = (number: unknown) => `${request.headers.authorization} ${number}`;
      if (request.operation === "eraseContact" && answer.status < 300)
        erased.add(place(decodeURIComponent(request.parameters.contact_number ?? "")));
      return request.operation === "sendMessage" && answer.status < 300 && erased.has(place(Object(bodyOf(request)).to))
        ? refusedWith(answer, refuse.ConsentRequired("Not opted in."))
        : answer;
    };
  }),
  mutantOf("CON-01", "silence", "takes silence for an opt-out, whatever was captured meanwhile", [
    working(() => (tx) => ({
      doubleOptIns: withMembers(tx.doubleOptIns, {
        async end(ended) {
          await tx.doubleOptIns.end(ended);
          if (ended.state === "expired")
            await tx.consents.put({ ...consentBy(ended, ended.expiresAt), state: "opted-out" });
        },
      }),
    })),
  ]),
  wireMutant("MSG-92", "one-store", "keeps answers by their keys alone, whatever was asked", (serve) => {
    const kept = new Map<string, unknown>();
    return async (request) => {
      const answer = await serve(request);
      const data = dataOf(answer);
      const key = request.headers[operations.createLookup.idempotencyHeader.toLowerCase()];
      if (data === null || key === undefined) return answer;
      const place = `${request.headers.authorization} ${key}`;
      if (request.operation === "createLookup") kept.set(place, data);
      return request.operation === "sendMessage" && kept.has(place) ? withData(answer, kept.get(place)) : answer;
    };
  }),
  wireMutant("BRD-07", "stale", "shows a brand for good as it was read first", (serve) => {
    const first = new Map<string, unknown>();
    return async (request) => {
      const answer = await serve(request);
      const data = dataOf(answer);
      const { id = "" } = request.parameters;
      if (request.operation !== "getBrand" || data === null) return answer;
      if (!first.has(id)) first.set(id, data);
      return withData(answer, first.get(id));
    };
  }),
  mutant(
    "USR-23",
    "usual",
    "gives who changes the timezone alone a name that nobody chose",
    "routes/profiles.ts",
    "name: name ?? known.name",
    'name: name ?? "Nobody"',
  ),
  wireMutant(
    "NUM-38",
    "beside",
    "takes a campaign, and nothing else that an update has beside it",
    onRequest("updatePhoneNumber", (request) => {
      const { campaign_id } = Object(bodyOf(request));
      return typeof campaign_id === "string" ? withRequestBody(request, { campaign_id }) : request;
    }),
  ),
  wireMutant(
    "NUM-10",
    "several",
    "looks at the campaign of an order of one number only",
    onRequest("orderPhoneNumbers", (request) => {
      const { campaign_id: _, ...others } = Object(bodyOf(request));
      return Array.isArray(others.phone_numbers) && others.phone_numbers.length > 1
        ? withRequestBody(request, others)
        : request;
    }),
  ),
  wireMutant("NUM-53", "siblings", "attaches a campaign to all numbers of an order", (serve) => {
    const orders = new Map<string, readonly string[]>();
    const shown = new Map<string, unknown>();
    return async (request) => {
      const answer = await serve(request);
      const data = dataOf(answer);
      if (data === null) return answer;
      const id = request.parameters.id ?? "";
      if (request.operation === "orderPhoneNumbers" && Array.isArray(data.phone_numbers)) {
        const ids: readonly string[] = data.phone_numbers.map((one) => String(Object(one).id));
        for (const one of ids) orders.set(one, ids);
      }
      if (request.operation === "attachCampaign")
        for (const one of orders.get(id) ?? []) shown.set(one, data.campaign_id);
      if (request.operation === "detachCampaign") shown.delete(id);
      const isChanged = request.operation === "getPhoneNumber" && shown.has(id);
      return isChanged ? withData(answer, { ...data, campaign_id: shown.get(id) }) : answer;
    };
  }),
  wireMutant("TEN-24", "label", "shows the label that a number had when it was another organization's", (serve) => {
    const labels = new Map<unknown, unknown>();
    return async (request) => {
      const answer = await serve(request);
      const data = dataOf(answer);
      const isRead = request.operation === "getPhoneNumber" || request.operation === "updatePhoneNumber";
      if (data === null || !isRead) return answer;
      if (request.operation === "updatePhoneNumber") labels.set(data.phone_number, data.label);
      return withData(answer, { ...data, label: data.label || labels.get(data.phone_number) || data.label });
    };
  }),
  mutantOf("BIL-25", "first", "tops up by the first product that auto top-up ever had", [
    working(() => {
      const first = new Map<string | undefined, string>();
      return (tx) => {
        const { organization } = tx;
        const productId = first.get(organization?.id);
        const isMeant = organization?.autoTopUp && productId !== undefined;
        return {
          organization: isMeant
            ? { ...organization, autoTopUp: { ...organization.autoTopUp, productId } }
            : organization,
          async setAutoTopUp(wanted) {
            if (wanted !== null && productId === undefined) first.set(organization?.id, wanted.productId);
            await tx.setAutoTopUp(wanted);
          },
        };
      };
    }),
  ]),
  wireMutant(
    "BIL-02",
    "before",
    "takes the product that auto top-up had before in place of one that is too little",
    (serve) => {
      const known = new Map<string | undefined, unknown>();
      return async (request) => {
        const answer = await serve(request);
        if (request.operation !== "setAutoTopUp") return answer;
        const { authorization } = request.headers;
        const body = bodyOf(request);
        if (answer.status < 300 && Object(body).enabled === true) known.set(authorization, body);
        const before = isRefusal(answer, "BelowMinimumCredit") ? known.get(authorization) : undefined;
        return before === undefined ? answer : serve(withRequestBody(request, before));
      };
    },
  ),
  wireMutant("BIL-08", "ready", "opens the portal for who has enabled auto top-up", (serve) => {
    const ready = new Set<string | undefined>();
    return async (request) => {
      const answer = await serve(request);
      const { authorization } = request.headers;
      if (request.operation === "setAutoTopUp" && answer.status < 300) ready.add(authorization);
      return request.operation === "openBillingPortal" &&
        isRefusal(answer, "NoBillingCustomer") &&
        ready.has(authorization)
        ? withBody({ ...answer, status: 200 }, { success: true, data: { url: "https://billing.example.com/" } })
        : answer;
    };
  }),
  wireMutant(
    "ORG-10",
    "unmentioned",
    "turns reseller mode off where an update does not name it",
    onRequest("updateOrganization", (request) =>
      withRequestBody(request, { is_reseller: false, ...Object(bodyOf(request)) }),
    ),
  ),
  wireMutant(
    "MET-20",
    "tail",
    "leads to no page that would hold one bucket",
    onAnswer("getLookupMetrics", (answer) => {
      const meta = metaIn(answer);
      if (meta === undefined) return answer;
      const left = meta.total - meta.offset - Object(parsed(answer.bytes)).data.length;
      return left === 1 ? withMeta(answer, { next_cursor: null }) : answer;
    }),
  ),
  wireMutant("MSG-31", "clocks", "goes by the clock of the evening before in the morning after it was put", (serve) => {
    const told = new Map<string, Parameters<typeof refuse.QuietHours>[1]>();
    return async (request) => {
      const answer = await serve(request);
      if (request.operation !== "sendMessage") return answer;
      const { to, scheduled_at: at } = Object(bodyOf(request));
      const place = `${request.headers.authorization} ${to}`;
      if (isRefusal(answer, "QuietHours")) told.set(place, Object(Object(parsed(answer.bytes)).error).details);
      const details = told.get(place);
      const isMeant = answer.status < 300 && changes.test(String(at));
      return isMeant && details !== undefined
        ? refusedWith(answer, refuse.QuietHours("It is night.", details))
        : answer;
    };
  }),
];
