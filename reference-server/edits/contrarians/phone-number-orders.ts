import { refuse } from "../../../generated/error-rows.ts";
import { assigningByClock } from "../assigning-by-clock.ts";
import type { Contrarian } from "../edit.ts";
import { bookingLater } from "../later-entries.ts";
import { orders, type ShownNumber, showingInOrders } from "../shown-numbers.ts";
import { dataOf, onData, onRequest, refused, withData } from "../wire.ts";
import { bodyOf, withRequestBody } from "../wire-requests.ts";
import { readingOf } from "./number-campaigns.ts";

const routes = "routes/phone-numbers.ts";

/** What numbers cost, each by its last digit, and many together a little less. */
const priceOf = (numbers: string): string =>
  `${numbers}.reduce((sum, number) => sum + order.rent - 1000 * (Number(number.at(-1)) % 7), ${numbers}.length > 2 ? -5000 : 0)`;

/** Milliseconds for which something goes on that is over soon. */
const aWhile = 200;

/** Servers that answer the questions on orders of phone numbers, and on what is changed of one, in other ways. */
export const phoneNumberOrderContrarians: readonly Contrarian[] = [
  {
    id: "Q107-names",
    does: "shows a released number in a state of another name",
    answers: "Q107",
    changes: [{ wire: onData("releasePhoneNumber", (number) => ({ ...number, status: "RETURNED" })) }],
  },
  {
    id: "Q107-pending",
    does: "shows the numbers of an order as pending, which are assigned when they are read",
    answers: "Q107",
    changes: showingInOrders((number) => ({ ...number, status: "pending" })),
  },
  {
    id: "Q108-later",
    does: "assigns the numbers of an order a while after its answer",
    answers: "Q108",
    changes: [
      {
        wire: (serve) => {
          const since = new Map<unknown, number>();
          const isPending = (id: unknown): boolean => (since.get(id) ?? 0) + aWhile > Date.now();
          const shown = (number: ShownNumber): ShownNumber =>
            isPending(number.id) ? { ...number, status: "pending" } : number;
          return async (request) => {
            const { operation, parameters } = request;
            const isAttached =
              (operation === "updatePhoneNumber" && Object(bodyOf(request)).campaign_id !== undefined) ||
              operation === "attachCampaign" ||
              operation === "detachCampaign";
            if (isAttached && isPending(parameters.id?.toLowerCase())) {
              const read = await serve(readingOf(request));
              if (read.status < 300) return refused(refuse.NumberNotAssigned("The number is not assigned yet."));
            }
            const answer = await serve(request);
            const data = dataOf(answer);
            if (data === null) return answer;
            if (operation === "getPhoneNumber" || operation === "updatePhoneNumber")
              return withData(answer, shown(data));
            if (operation !== "orderPhoneNumbers" && operation !== "bulkOrderPhoneNumbers") return answer;
            const numbers: readonly ShownNumber[] = Array.isArray(data.phone_numbers) ? data.phone_numbers : [];
            for (const { id } of numbers) since.set(id, Date.now());
            return withData(answer, { ...data, phone_numbers: numbers.map(shown) });
          };
        },
      },
    ],
  },
  {
    id: "Q108-seconds",
    does: "assigns the numbers of an order three seconds after it, by the organization's clock",
    answers: "Q108",
    changes: [
      assigningByClock(3_000),
      {
        file: routes,
        find: "phone_numbers: numbers.map(shown),",
        replace: 'phone_numbers: numbers.map((number) => shown({ ...number, status: "pending" })),',
      },
    ],
    excludes: ["Q107-pending", "Q108-later"],
  },
  {
    id: "Q108-bulk",
    does: "answers a bulk order with nothing but the order, which goes on",
    answers: "Q108",
    changes: [{ wire: onData("bulkOrderPhoneNumbers", () => ({ order: "running" })) }],
    excludes: ["Q107-pending", "Q108-later", "Q184-more"],
  },
  {
    id: "Q108-shape",
    does: "takes and shows orders under other names",
    answers: "Q108",
    shapes: {
      orderPhoneNumbers: {
        request: { phone_numbers: "order.lines", campaign_id: "order.campaign" },
        response: { phone_numbers: "order.numbers" },
      },
      bulkOrderPhoneNumbers: {
        request: { area_code: "where.npa", quantity: "count" },
        response: { phone_numbers: "order.numbers" },
      },
    },
    changes: [
      {
        wire: onRequest("orderPhoneNumbers", (request) => {
          const body = bodyOf(request);
          // What has no order at all stays as wrong as it is.
          if (typeof body !== "object" || body === null || !("order" in body)) return request;
          const { lines: phone_numbers, campaign: campaign_id } = Object(body.order);
          return withRequestBody(request, { phone_numbers, campaign_id });
        }),
      },
      {
        wire: onRequest("bulkOrderPhoneNumbers", (request) => {
          const body = bodyOf(request);
          if (typeof body !== "object" || body === null || !("where" in body)) return request;
          const { where, count: quantity } = Object(body);
          return withRequestBody(request, { area_code: Object(where).npa, quantity });
        }),
      },
      ...orders.map((id) => ({ wire: onData(id, ({ phone_numbers: numbers }) => ({ order: { numbers } })) })),
    ],
    excludes: ["Q107-pending", "Q108-later", "Q108-bulk", "Q184-shape", "Q184-brief", "Q184-more"],
  },
  {
    id: "Q109-money-first",
    does: "says of an order that the wallet does not cover it before anything else",
    answers: "Q109",
    changes: [
      {
        file: routes,
        symbol: "phoneNumbersHandlers",
        find: "const campaign = campaignId === undefined ? null : await campaignOf(tx, campaignId);",
        replace:
          "const poor = refuseUncoveredRent(await ledger.wallet(), order.rent, wanted.length); if (poor !== null) return poor; const campaign = campaignId === undefined ? null : await campaignOf(tx, campaignId);",
      },
    ],
  },
  {
    id: "Q110-invalid",
    does: "calls a campaign that is not there an invalid one",
    answers: "Q110",
    changes: [
      {
        file: routes,
        find: "if (campaign === null) return campaignNotFound();",
        replace:
          'if (campaign === null) return refuse.ValidationFailed("There is no such campaign.", { campaign_id: "does not exist" });',
      },
    ],
  },
  {
    id: "Q110-bad-request",
    does: "calls a request with a campaign that is not there a wrong one",
    answers: "Q110",
    changes: [
      {
        file: routes,
        find: "if (campaign === null) return campaignNotFound();",
        replace: 'if (campaign === null) return refuse.InvalidInput("There is no such campaign.");',
      },
    ],
  },
  {
    id: "Q112-empty",
    does: "refuses an update of nothing",
    answers: "Q112",
    changes: [
      {
        wire: (serve) => async (request) => {
          const answer = await serve(request);
          const isEmpty = Object.keys(Object(bodyOf(request))).length === 0;
          return request.operation === "updatePhoneNumber" && isEmpty && answer.status < 300
            ? refused(refuse.InvalidInput("There is nothing to change."))
            : answer;
        },
      },
    ],
  },
  {
    id: "Q112-labels",
    does: "takes labels of a few letters and digits alone",
    answers: "Q112",
    changes: [
      {
        file: routes,
        find: "const { label, inbound_url: inboundUrl, status_url: statusUrl, campaign_id: wanted } = body;",
        replace: `const { label, inbound_url: inboundUrl, status_url: statusUrl, campaign_id: wanted } = body;
          if (typeof label === "string" && !/^[A-Za-z0-9]{1,20}$/.test(label))
            return refuseFields([{ pointer: "/label", says: "must be letters and digits" }], choices);`,
      },
    ],
  },
  {
    id: "Q112-kept",
    does: "refuses an update that empties a label",
    answers: "Q112",
    changes: [
      {
        file: routes,
        find: "const { label, inbound_url: inboundUrl, status_url: statusUrl, campaign_id: wanted } = body;",
        replace: `const { label, inbound_url: inboundUrl, status_url: statusUrl, campaign_id: wanted } = body;
          if (label === null) return refuseFields([{ pointer: "/label", says: "must be a string" }], choices);`,
      },
    ],
  },
  {
    id: "Q182-each",
    does: "has another price for each number",
    answers: "Q182",
    changes: [
      {
        file: routes,
        find: "refuseUncoveredRent(await ledger.wallet(), order.rent, wanted.length)",
        replace: `refuseUncoveredRent(await ledger.wallet(), ${priceOf("wanted")}, 1)`,
      },
      {
        file: routes,
        find: "refuseUncoveredRent(await ledger.wallet(), order.rent, quantity)",
        replace: `refuseUncoveredRent(await ledger.wallet(), ${priceOf("found")}, 1)`,
      },
      {
        file: routes,
        find: "rentEntry(order, numbers.length)",
        replace: `rentEntry({ ...order, rent: ${priceOf("wanted")} }, 1)`,
      },
      {
        file: routes,
        find: "rentEntry(order, quantity)",
        replace: `rentEntry({ ...order, rent: ${priceOf("found")} }, 1)`,
      },
    ],
  },
  {
    id: "Q182-own",
    does: "has another price for the numbers of each organization",
    answers: "Q182",
    changes: [
      {
        file: routes,
        find: "rent: Number(choices.numberRentMicros),",
        replace: "rent: Number(choices.numberRentMicros) + 20_011 * (caller.organization.id.charCodeAt(35) % 3),",
      },
    ],
  },
  {
    id: "Q182-later",
    does: "charges the rent a while after the answer",
    answers: "Q182",
    changes: [bookingLater(({ reference }) => reference.startsWith("phone-number order"))],
  },
  {
    id: "Q182-one-by-one",
    does: "charges each number of an order by itself, a while after the answer",
    answers: "Q182",
    changes: [
      {
        file: routes,
        find: "await charge(tx, rentEntry(order, numbers.length));",
        // The ledger takes one charge for each reference.
        replace:
          "for (const at of numbers.keys()) await charge(tx, rentEntry({ ...order, id: `${order.id} ${at}` }, 1));",
      },
      bookingLater(({ reference }) => reference.startsWith("phone-number order")),
    ],
    excludes: ["Q182-later", "Q182-each"],
  },
];
