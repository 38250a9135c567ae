import { refuse } from "../../../generated/error-rows.ts";
import type { Refusal } from "../../../generated/runtime/refusal.ts";
import type { LedgerEntry } from "../../domain/wallet/wallet.ts";
import type { Contrarian, SourceChange } from "../edit.ts";
import { bookingByClock, bookingLater } from "../later-entries.ts";
import {
  dataOf,
  isRefusal,
  onAnswer,
  onData,
  onRequest,
  refusedWith,
  type Wire,
  type WireRequest,
  withBody,
  withData,
} from "../wire.ts";
import { bodyOf, withRequestBody } from "../wire-requests.ts";

const isTopUp = ({ kind, reference }: LedgerEntry): boolean => kind === "credit" && reference.startsWith("top-up");

const isOwnTopUp = ({ kind, reference }: LedgerEntry): boolean =>
  kind === "credit" && reference.startsWith("auto top-up");

/** Tells what auto top-up pays from a top-up that is asked for. */
const namingOwnTopUps: readonly SourceChange[] = [
  {
    file: "routes/billing.ts",
    find: "if (due !== null) await tx.ledger.append(topUpEntry(id, due, now));",
    replace:
      "if (due !== null) await tx.ledger.append({ ...topUpEntry(id, due, now), reference: `auto top-up ${id}` });",
  },
  {
    file: "routes/charge.ts",
    find: "if (product !== null) await tx.ledger.append(topUpEntry(topUpId, product, entry.at));",
    replace:
      "if (product !== null) await tx.ledger.append({ ...topUpEntry(topUpId, product, entry.at), reference: `auto top-up ${topUpId}` });",
  },
];

/** Servers that answer the questions on the wallet and on billing in other ways. */
export const billingContrarians: readonly Contrarian[] = [
  {
    id: "Q200-later",
    does: "has the money of a top-up in the wallet a while after the answer",
    answers: "Q200",
    changes: [bookingLater(isTopUp)],
  },
  {
    id: "Q200-minute",
    does: "has the money of a top-up in the wallet half a minute after the answer, by the organization's clock",
    answers: "Q200",
    changes: [bookingByClock(isTopUp, 30_000)],
  },
  {
    id: "Q200-links",
    does: "links a top-up, its receipt and the documentation in each top-up",
    answers: "Q200",
    changes: [
      {
        wire: onData("topUpWallet", (data) => ({
          ...data,
          _links: { self: { href: "https://example.test/top-ups/1" } },
          receipt_url: "https://example.test/receipts/1",
          docs_url: "https://example.test/docs",
        })),
      },
    ],
    excludes: ["Q200-shape"],
  },
  {
    id: "Q200-shape",
    does: "takes and shows top-ups under other names",
    answers: "Q200",
    shapes: {
      topUpWallet: {
        request: { product_id: "option.pack" },
        response: { id: "ref", product_id: "pack", amount_cents: "amount", created_at: "at" },
      },
    },
    changes: [
      {
        wire: onRequest("topUpWallet", (request) => {
          const body = bodyOf(request);
          // What names no option stays as wrong as it is.
          if (typeof body !== "object" || body === null || !("option" in body)) return request;
          return withRequestBody(request, { product_id: Object(body.option).pack });
        }),
      },
      {
        wire: onData("topUpWallet", ({ id, product_id, amount_cents, created_at }) => ({
          ...{ ref: id, pack: product_id, amount: amount_cents, at: created_at },
        })),
      },
    ],
  },
  {
    id: "Q201-list",
    does: "lists top-up products as a list with its meta",
    answers: "Q201",
    shapes: { listTopUpProducts: { request: {}, response: { products: "." } } },
    changes: [
      {
        wire: onAnswer("listTopUpProducts", (answer) => {
          const products = dataOf(answer)?.products;
          if (!Array.isArray(products)) return answer;
          const meta = { total: products.length, limit: products.length, offset: 0 };
          return withBody(answer, { success: true, data: products, meta });
        }),
      },
    ],
  },
  {
    id: "Q119-text",
    does: "writes the amounts of top-ups and thresholds as texts with decimals",
    answers: "Q119",
    changes: [
      { wire: onData("topUpWallet", (data) => withText(data, "amount_cents")) },
      { wire: onData("setAutoTopUp", (data) => withText(data, "threshold_cents")) },
    ],
  },
  {
    id: "Q201-amounts",
    does: "has other products",
    answers: "Q201",
    changes: [
      {
        file: "domain/wallet/top-up.ts",
        find: "[500, 1_000, 2_500, 5_000, 10_000, 50_000]",
        replace: "[20_000, 700]",
      },
    ],
  },
  {
    id: "Q201-own",
    does: "has products of its own for everybody who asks",
    answers: "Q201",
    // It reads what the others name differently.
    excludes: ["Q200-shape", "Q201-list", "Q202-shape"],
    changes: [
      {
        wire: onAnswer("listTopUpProducts", (answer, request) => {
          const products = dataOf(answer)?.products;
          if (!Array.isArray(products)) return answer;
          return withData(answer, { products: products.map((one) => ({ ...one, id: `${one.id}${markOf(request)}` })) });
        }),
      },
      ...(["topUpWallet", "setAutoTopUp"] as const).map((id) => ({
        wire: onRequest(id, (request) => {
          const body = bodyOf(request);
          const { product_id } = Object(body);
          if (typeof product_id !== "string") return request;
          const mark = markOf(request);
          const own = product_id.endsWith(mark) ? product_id.slice(0, -mark.length) : `unknown ${product_id}`;
          return withRequestBody(request, { ...Object(body), product_id: own });
        }),
      })),
    ],
  },
  {
    id: "Q202-later",
    does: "pays what auto top-up pays a while after the charge that it is for",
    answers: "Q202",
    // A top-up that is asked for is booked at once.
    changes: [bookingLater(isOwnTopUp), ...namingOwnTopUps],
  },
  {
    id: "Q202-minute",
    does: "pays what auto top-up pays half a minute after the charge that it is for, by the organization's clock",
    answers: "Q202",
    changes: [bookingByClock(isOwnTopUp, 30_000), ...namingOwnTopUps],
    excludes: ["Q202-later"],
  },
  {
    id: "Q202-shape",
    does: "takes and shows auto top-up under other names",
    answers: "Q202",
    shapes: {
      setAutoTopUp: {
        request: { enabled: "auto.on", product_id: "auto.pack", threshold_cents: "auto.below" },
        response: { enabled: "on", product_id: "pack", threshold_cents: "below" },
      },
    },
    changes: [
      {
        wire: onRequest("setAutoTopUp", (request) => {
          const body = bodyOf(request);
          // What says nothing of it stays as wrong as it is.
          if (typeof body !== "object" || body === null || !("auto" in body)) return request;
          const { on: enabled, pack: product_id, below: threshold_cents } = Object(body.auto);
          return withRequestBody(request, { enabled, product_id, threshold_cents });
        }),
      },
      {
        wire: onData("setAutoTopUp", ({ enabled, product_id, threshold_cents }) => ({
          ...{ on: enabled, pack: product_id, below: threshold_cents },
        })),
      },
    ],
  },
  {
    id: "Q203-shape",
    does: "shows the portal as a link",
    answers: "Q203",
    shapes: { openBillingPortal: { request: {}, response: { url: "session.link" } } },
    changes: [{ wire: onAnswer("openBillingPortal", (answer) => withLink(answer)) }],
  },
  {
    id: "Q204-changes",
    does: "changes the values of auto top-up where others are sent while it is enabled",
    answers: "Q204",
    changes: [
      {
        file: "routes/billing.ts",
        find: "const isAgain = isEnabled === (wanted !== null);",
        replace:
          "const isAgain = isEnabled === (wanted !== null) && (wanted === null || JSON.stringify(wanted) === JSON.stringify(tx.organization?.autoTopUp));",
      },
    ],
  },
  {
    id: "Q205-not-found",
    does: "does not find a product that does not exist",
    answers: "Q205",
    changes: [{ wire: forUnknownProduct(refuse.NotFound("There is no such product.")) }],
  },
  {
    id: "Q205-bad-request",
    does: "calls a product that does not exist a wrong request",
    answers: "Q205",
    changes: [{ wire: forUnknownProduct(refuse.InvalidInput("There is no such product.")) }],
  },
];

/** Answers so where the body names a product and is refused; what is no JSON names none. */
function forUnknownProduct(refusal: Refusal): Wire {
  return onAnswer("topUpWallet", (answer, request) =>
    isRefusal(answer, "ValidationFailed") && bodyOf(request) !== undefined ? refusedWith(answer, refusal) : answer,
  );
}

/** What products end with that are for whoever sends a request. */
const markOf = ({ headers }: WireRequest): string => `_for_${headers.authorization?.slice(-8)}`;

/** The same with an amount in cents as a text in dollars. */
const withText = (data: Readonly<Record<string, unknown>>, name: string) => {
  const cents = data[name];
  return typeof cents === "number" ? { ...data, [name]: (cents / 100).toFixed(2) } : data;
};

function withLink(answer: Parameters<typeof dataOf>[0]) {
  const data = dataOf(answer);
  return data === null ? answer : withData(answer, { session: { link: data.url } });
}
