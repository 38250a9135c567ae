import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import { operations } from "../../../generated/operations.ts";
import type { Contrarian } from "../edit.ts";
import { seeing } from "../seen.ts";
import {
  dataOf,
  isRefusal,
  onData,
  onRequest,
  parsed,
  refused,
  refusedWith,
  type Wire,
  type WireRequest,
  withData,
} from "../wire.ts";
import { withRequestBody } from "../wire-requests.ts";

const routes = "routes/phone-numbers.ts";

/** Milliseconds for which something goes on that is over soon. */
const aWhile = 200;

/** Milliseconds in a second. */
const second = 1000;

/** The request that reads the number of another one. */
export const readingOf = (request: WireRequest): WireRequest => ({
  ...request,
  method: operations.getPhoneNumber.method,
  operation: "getPhoneNumber",
  path: request.path.replace(/\/campaign$/, ""),
  bytes: Buffer.alloc(0),
});

/** A success where a campaign is attached already, or there is none to detach. */
const idempotent: Wire = (serve) => async (request) => {
  const answer = await serve(request);
  const isMeant = request.operation === "attachCampaign" || request.operation === "detachCampaign";
  return isMeant && isRefusal(answer, "Conflict") ? serve(readingOf(request)) : answer;
};

/** The time by which a change of a number takes effect: null if the change takes effect at once. */
type TimeOf = (request: WireRequest) => number | null;

/** Shows until a time what campaign a number had before one was attached or detached, and detaches none before it. */
const takingEffect = (spanMs: number, timeOf: TimeOf, serve: ReturnType<Wire>): ReturnType<Wire> => {
  const before = new Map<string, { readonly until: number; readonly campaign: unknown }>();
  return async (request) => {
    const { operation, parameters } = request;
    const now = timeOf(request);
    if (now === null) return serve(request);
    const id = parameters.id?.toLowerCase() ?? "";
    const isChange = operation === "attachCampaign" || operation === "detachCampaign";
    const last = before.get(id);
    const isUnderWay = last !== undefined && last.until > now;
    const reading = isChange ? await serve(readingOf(request)) : null;
    // What was to fail the change has failed the look before it.
    if (reading !== null && reading.status >= 500) return reading;
    const known = reading === null ? null : dataOf(reading);
    if (operation === "detachCampaign" && known !== null && isUnderWay && last.campaign === null)
      return refused(refuse.Conflict("There is none yet."));
    const answer = await serve(request);
    const data = dataOf(answer);
    if (data === null) return answer;
    if (isChange && known !== null) before.set(id, { until: now + spanMs, campaign: known.campaign_id });
    const shown = before.get(id);
    const isShown = isChange || operation === "getPhoneNumber";
    return isShown && shown !== undefined && shown.until > now
      ? withData(answer, { ...data, campaign_id: shown.campaign })
      : answer;
  };
};

/** The same a while after the response. */
const takingEffectLater: Wire = (serve) => takingEffect(aWhile, () => Date.now(), serve);

/** The same a second later by the clock of the organization, where the kit moves that clock. */
const takingEffectByClock = seeing((seen) => (serve) => {
  const clocks = new Map<string, number>();
  const timeOf: TimeOf = (request) => clocks.get(seen.callerOf(request)?.organization ?? "") ?? null;
  const delayed = takingEffect(second, timeOf, serve);
  return async (request) => {
    const { id = "" } = request.parameters;
    if (request.operation === "advanceClock") {
      const { seconds } = Object(parsed(request.bytes));
      clocks.set(id, (clocks.get(id) ?? 0) + Number(seconds) * second);
    }
    return delayed(request);
  };
});

/** Numbers lose a campaign that expires, so that there is nothing left to detach. */
const endingWithCampaign: Wire = (serve) => {
  const sendsFor = new Map<string, unknown>();
  const ended = new Set<unknown>();
  return async (request) => {
    const { operation, parameters } = request;
    const { id = "" } = parameters;
    const answer = await serve(request);
    const body = Object(parsed(request.bytes));
    if (dataOf(answer) === null) return answer;
    if (operation === "attachCampaign") sendsFor.set(id, body.campaign_id);
    if (operation === "moveCampaign" && body.to === constants.expiredCampaign) ended.add(parameters.campaign_id);
    return operation === "detachCampaign" && ended.has(sendsFor.get(id))
      ? refused(refuse.Conflict("Its campaign is over."))
      : answer;
  };
};

/** Looks at the campaign of an attachment before the number, and calls one that its organization has not invalid. */
const campaignFirst = seeing((seen) => (serve) => async (request) => {
  const answer = await serve(request);
  if (request.operation !== "attachCampaign" || (answer.status !== 404 && answer.status !== 409)) return answer;
  const wanted = String(Object(parsed(request.bytes)).campaign_id).toLowerCase();
  const [, owner] = [...seen.owners].find(([id]) => String(id).toLowerCase() === wanted) ?? [];
  return owner === undefined || owner !== seen.callerOf(request)?.organization
    ? refusedWith(answer, refuse.ValidationFailed("Not valid.", { campaign_id: "does not exist" }))
    : answer;
});

/** For a while after its campaign was attached or detached a number is in a state of its own. */
const busyMeanwhile: Wire = (serve) => {
  const until = new Map<string, number>();
  return async (request) => {
    const { operation, parameters } = request;
    const id = parameters.id?.toLowerCase() ?? "";
    const isBusy = (until.get(id) ?? 0) > Date.now();
    const isChange = operation === "attachCampaign" || operation === "detachCampaign";
    const answer = await serve(isBusy && isChange ? readingOf(request) : request);
    const data = dataOf(answer);
    if (data === null) return answer;
    if (isBusy && isChange) return refusedWith(answer, refuse.NumberNotAssigned("It is being changed."));
    if (isChange) until.set(id, Date.now() + aWhile);
    return isChange || (operation === "getPhoneNumber" && isBusy)
      ? withData(answer, { ...data, status: "changing" })
      : answer;
  };
};

/** Servers that answer the questions on campaigns of numbers in other ways. */
export const numberCampaignContrarians: readonly Contrarian[] = [
  {
    id: "Q111-idempotent",
    does: "answers with a success where there is nothing to attach or detach",
    answers: "Q111",
    changes: [{ wire: idempotent }],
  },
  {
    id: "Q111-one-at-a-time",
    does: "calls another campaign a conflict until the one before is detached",
    answers: "Q111",
    changes: [
      {
        file: "domain/phone-numbers/number-campaign.ts",
        find: "campaignId === campaign",
        replace: "campaignId !== null",
      },
    ],
  },
  {
    id: "Q107-loses-campaign",
    does: "has a number lose its campaign with its assignment, and says so first",
    answers: "Q107",
    changes: [
      {
        file: "sandbox/phone-numbers.ts",
        find: "await tx.phoneNumbers.update({ ...number, status });",
        replace:
          "await tx.phoneNumbers.update({ ...number, status, campaignId: body.assigned ? number.campaignId : null });",
      },
      {
        file: routes,
        find: "refuseUnassigned(number) ?? refuseDetached(number)",
        replace: "refuseDetached(number) ?? refuseUnassigned(number)",
      },
    ],
  },
  {
    id: "Q211-campaign-first",
    does: "calls a campaign that its organization does not have invalid, whatever the number is",
    answers: "Q211",
    changes: [{ wire: campaignFirst }],
    // It reads what the others name differently.
    excludes: ["Q191-shape", "Q211-shape"],
  },
  {
    id: "Q107-busy",
    does: "has a number in a state of its own while a campaign is attached to it or detached",
    answers: "Q107",
    changes: [{ wire: busyMeanwhile }],
    excludes: ["Q184-shape", "Q184-brief", "Q211-brief", "Q211-later"],
  },
  {
    id: "Q115-lost",
    does: "has numbers lose a campaign that expires",
    answers: "Q115",
    changes: [{ wire: endingWithCampaign }],
    // It reads what the other one names differently.
    excludes: ["Q211-shape"],
  },
  {
    id: "Q211-shape",
    does: "takes the campaign of an attachment under another name",
    answers: "Q211",
    shapes: { attachCampaign: { request: { campaign_id: "campaign.id" }, response: {} } },
    changes: [
      {
        wire: onRequest("attachCampaign", (request) => {
          const body = Object(parsed(request.bytes));
          if (typeof body.campaign !== "object" || body.campaign === null) return request;
          return withRequestBody(request, { campaign_id: body.campaign.id });
        }),
      },
    ],
    excludes: ["Q184-shape"],
  },
  {
    id: "Q211-brief",
    does: "answers attachments and detachments with nothing but that",
    answers: "Q211",
    changes: [
      { wire: onData("attachCampaign", () => ({ attached: true })) },
      { wire: onData("detachCampaign", () => ({ attached: false })) },
    ],
    excludes: ["Q184-shape"],
  },
  {
    id: "Q211-later",
    does: "attaches and detaches campaigns a while after its answer",
    answers: "Q211",
    changes: [{ wire: takingEffectLater }],
    excludes: ["Q184-shape", "Q184-brief", "Q211-brief", "Q111-idempotent"],
  },
  {
    id: "Q211-by-clock",
    does: "attaches and detaches campaigns a second after its answer, by the organization's clock",
    answers: "Q211",
    changes: [{ wire: takingEffectByClock }],
    excludes: ["Q184-shape", "Q184-brief", "Q211-brief", "Q211-later", "Q107-busy", "Q111-idempotent"],
  },
];
