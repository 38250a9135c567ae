import { randomUUID } from "node:crypto";
import { errorRows } from "../../generated/error-rows.ts";
import { operations } from "../../generated/operations.ts";
import type { Operation } from "../../generated/runtime/operation.ts";
import { formOf } from "./mangle.ts";
import type { Answer, Asked, Distortion } from "./start-distorted.ts";

/** For each check of a property, a fault that some of its values show and the calls around it do not. */
export const plantedInProperties: Readonly<Record<string, () => Distortion>> = {
  "api-keys.key-life": knownToAll,
  "api-keys.invalid-creations": () => onCalls("createApiKey", (_, answer) => ifRefused(answer, { id: "made up" })),
  "api-keys.valid-creations": () =>
    onCalls("createApiKey", (_, answer) =>
      withData(answer, (data) => ({ ...data, label: String(data.label).slice(0, "bylaw-01234567".length + 2) })),
    ),
  // Charged all the same, which shows at once: for a charge that never comes each try would wait.
  "billing.wallet-life": () => onCalls("createBrand", (_, answer) => ifServed(answer, errorRows.InsufficientCredit)),
  "deliveries.feed-filters.feed": () => withoutFirst,
  "deliveries.feed-filters.receiver": () => withoutFirst,
  "deliveries.feed-pages": () =>
    onCalls("listDeliveryAttempts", ({ query }, answer) => {
      const limit = Number(query.get("limit"));
      return limit > 1 && limit < 7 ? withMeta(answer, (meta) => ({ ...meta, limit: limit + 1 })) : answer;
    }),
  "deliveries.growing-feed": repeating,
  "deliveries.invalid-filters": () => onCalls("listDeliveryAttempts", (_, answer) => ifRefused(answer, [])),
  "deliveries.invalid-replays": () => onCalls("replayDelivery", (_, answer) => ifRefused(answer, {})),
  // A retry gets another lookup.
  "lookups.lookup-life": () =>
    onCalls("createLookup", (_, answer) => withData(answer, (data) => ({ ...data, id: randomUUID() }))),
  "messages.message-life": canceledOnce,
  "messages.message-life-unaided": canceledOnce,
  "quiet-hours.any-hour": () =>
    onCalls("sendMessage", (_, answer) =>
      answer.status === errorRows.QuietHours.referenceStatus ? ifRefused(answer, {}) : answer,
    ),
  "limits.creations-limiter": () => onCalls("createApiKey", (_, answer) => ifThrottled(answer)),
  "limits.erasures-limiter": () => onCalls("eraseContact", (_, answer) => ifThrottled(answer)),
  "limits.replays-limiter": () => onCalls("replayDelivery", (_, answer) => ifThrottled(answer)),
  "limits.sends-limiter": () => onCalls("sendMessage", (_, answer) => ifThrottled(answer)),
  "states.api-key": () =>
    onCalls("getApiKey", (_, answer) => withData(answer, (data) => ({ ...data, revoked_at: data.created_at }))),
  "states.auto-top-up": () => onCalls("setAutoTopUp", (_, answer) => ifRefused(answer, {})),
  "states.brand": () => onCalls("createCampaign", (_, answer) => ifRefused(answer, { id: randomUUID() })),
  "states.campaign": () => onCalls("attachCampaign", (_, answer) => ifRefused(answer, {})),
  "states.message": canceledOnce,
  "states.phone-number": () => onCalls("attachCampaign", (_, answer) => ifRefused(answer, {})),
  "states.reseller-mode": () => onCalls("createBrand", (_, answer) => ifRefused(answer, { id: randomUUID() })),
  "webhooks.endpoint-life.receiver": () => onCalls("rotateEndpointSecret", (_, answer) => ifRefused(answer, {})),
};

type Members = Readonly<Record<string, unknown>>;

const members = (value: unknown): Members => (typeof value === "object" && value !== null ? { ...value } : {});

const withData = (answer: Answer, change: (data: Members) => unknown): Answer => {
  const body = members(answer.body);
  return body.success === true ? { ...answer, body: { ...body, data: change(members(body.data)) } } : answer;
};

const withMeta = (answer: Answer, change: (meta: Members) => unknown): Answer => {
  const body = members(answer.body);
  return body.success === true ? { ...answer, body: { ...body, meta: change(members(body.meta)) } } : answer;
};

/** Success in place of a refusal. */
const ifRefused = (answer: Answer, data: unknown): Answer =>
  answer.status < 400 ? answer : { status: 200, body: { success: true, data, meta: { total: 0, limit: 1 } } };

/** A refusal in place of success. */
const ifServed = (answer: Answer, { referenceStatus, code }: (typeof errorRows)[keyof typeof errorRows]): Answer =>
  answer.status < 400 ? { status: referenceStatus, body: { success: false, error: { code } } } : answer;

/** Success in place of a refusal for a limit. */
const ifThrottled = (answer: Answer): Answer =>
  answer.status === errorRows.RateLimited.referenceStatus ? ifRefused(answer, {}) : answer;

function onCalls(id: keyof typeof operations, distort: Distortion): Distortion {
  const { method, path }: Operation = operations[id];
  const form = formOf(path);
  return (asked, answer) => (asked.method === method && form.test(asked.path) ? distort(asked, answer) : answer);
}

/** Every key that was ever created can be read by everybody. */
function knownToAll(): Distortion {
  const known = new Set<string>();
  const remember = onCalls("createApiKey", (_, answer) =>
    withData(answer, (data) => {
      known.add(String(data.id));
      return data;
    }),
  );
  const read = onCalls("getApiKey", ({ path }, answer) =>
    known.has(path.split("/").at(-1) ?? "") ? ifRefused(answer, { id: "made up" }) : answer,
  );
  return (asked, answer) => read(asked, remember(asked, answer));
}

/** A message that was canceled can be canceled no more. */
function canceledOnce(): Distortion {
  const canceled = new Set<string>();
  const { referenceStatus: status, code } = errorRows.MessageNotCancelable;
  return onCalls("cancelMessage", ({ path }, answer) => {
    if (answer.status >= 400 || !canceled.has(path)) {
      if (answer.status < 400) canceled.add(path);
      return answer;
    }
    return { status, body: { success: false, error: { code, message: "Too late.", request_id: randomUUID() } } };
  });
}

/** Where two filters or more are asked for, the first record is missing. */
const withoutFirst = onCalls("listDeliveryAttempts", ({ query }: Asked, answer) => {
  const filters = [...query.keys()].filter((name) => name !== "limit" && name !== "cursor");
  const { data } = members(answer.body);
  if (filters.length < 2 || !Array.isArray(data)) return answer;
  return { ...answer, body: { ...members(answer.body), data: data.slice(1) } };
});

/** A page begins with the last record of the one before. */
function repeating(): Distortion {
  const last = new Map<string, unknown>();
  return onCalls("listDeliveryAttempts", ({ query }, answer) => {
    const { data, meta } = members(answer.body);
    if (!Array.isArray(data)) return answer;
    const before = last.get(query.get("cursor") ?? "");
    last.set(String(members(meta).next_cursor), data.at(-1));
    return before === undefined ? answer : { ...answer, body: { ...members(answer.body), data: [before, ...data] } };
  });
}
