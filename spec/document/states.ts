import { documentedOutcomes } from "./deliveries.ts";

/**
 * States and moves of the document. What the document names in words only, an expression matches, since its name in
 * the spec is the spec's own choice; what it writes as code stands here as text and is compared exactly.
 */
interface DocumentedEntity {
  readonly says: string;
  readonly name: RegExp;
  readonly states: readonly (string | RegExp)[];
  /** Other states exist; null where the document does not say. */
  readonly open: boolean | null;
}

const notRevoked = /^(not|un)[ -]?revoked$/i;
const unclaimed = /^(unclaimed|not( yet)? claimed|cancel+able)$/i;
const canceled = /^canceled$/;
const claimed = /^claimed( for sending)?$/i;
const terminal = /^terminal$/i;

export const documentedEntities: readonly DocumentedEntity[] = [
  { says: "campaign", name: /^campaign$/i, states: ["PENDING", "ACTIVE", "EXPIRED"], open: null },
  { says: "brand identity status", name: /^brand/i, states: ["VERIFIED", "VETTED_VERIFIED"], open: true },
  { says: "phone number", name: /^phone[ -]number$/i, states: ["assigned"], open: true },
  {
    says: "delivery outcome",
    name: /^(webhook )?delivery( outcome)?$/i,
    states: documentedOutcomes,
    open: false,
  },
  { says: "message", name: /^message$/i, states: [unclaimed, canceled, claimed, terminal], open: true },
  { says: "API key", name: /^api key$/i, states: [notRevoked, /^revoked$/i], open: false },
];

export interface DocumentedMove {
  readonly says: string;
  readonly entity: RegExp;
  readonly from: RegExp;
  /** Method and path. */
  readonly trigger: string;
  /** Words that the move's condition has; none where the document states no condition. */
  readonly condition: readonly RegExp[];
  readonly to: RegExp;
  /** Status, code or both as far as the document shows them; null where it shows no answer. */
  readonly answers: string | null;
}

/** Nothing is there before, or after. */
const nothing = /^(none|nothing)$/i;
const enabled = /^enabled$/i;
const disabled = /^disabled$/i;
const on = /^on$/i;
const off = /^off$/i;
const current = /^current( secret)?$/i;
const retained = /^retained$/i;
const expired = /^(past|out of) retention$|^(aged out|expired)$/i;

const notCancelable = "409 MESSAGE_NOT_CANCELABLE";

const cancelMessage = { entity: /^message$/i, trigger: "DELETE /v1/messages/{id}" };
const sendMessage = { entity: /^send request$/i, trigger: "POST /v1/messages" };
const enableTopUp = { entity: /^auto[ -]top-?up$/i, trigger: "PUT /v1/billing/wallet/auto-topup" };
const replay = { entity: /deliver/i, trigger: "POST /v1/webhooks/deliveries/{id}/replay" };
const reseller = { entity: /reseller mode$/i, trigger: "PATCH /v1/organization" };
const unmetOrder = {
  entity: /order$/i,
  from: nothing,
  condition: [/whole|full|satisf|cover/i],
  to: nothing,
  answers: "409 INSUFFICIENT_INVENTORY",
};

const pending = /^PENDING$/;
const active = /^ACTIVE$/;
const expiredCampaign = /^EXPIRED$/;
const verified = /^VERIFIED$/;
const vetted = /^VETTED_VERIFIED$/;
const otherIdentity = /^(not|un)[ -]?verified$/i;
const assigned = /^assigned$/;
const unassigned = /^(not|un)[ -]?assigned$/i;
const released = /^released$/i;

const attach = "POST /v1/phone-numbers/{id}/campaign";
const detach = "DELETE /v1/phone-numbers/{id}/campaign";
const order = "POST /v1/phone-numbers/orders";

const campaign = { entity: /^campaign$/i };
const brand = { entity: /^brand/i, trigger: "POST /v1/campaigns", condition: [] };
const registration = { entity: /reseller mode$/i, trigger: "POST /v1/brands" };
const phoneNumber = { entity: /^phone[ -]number$/i };

/** What the document tells of states outside of its table of moves: beside the states, in the errors and the routes. */
const movesInPassing: readonly DocumentedMove[] = [
  ...[pending, expiredCampaign].flatMap((state) =>
    [attach, order].map((trigger) => ({
      ...campaign,
      says: `a campaign that is ${state} is neither attached nor ordered for: ${trigger}`,
      from: state,
      trigger,
      condition: [],
      to: state,
      answers: "409 CAMPAIGN_NOT_ACTIVE",
    })),
  ),
  ...[attach, order].map((trigger) => ({
    ...campaign,
    says: `an active campaign may be attached to a number or referenced when ordering: ${trigger}`,
    from: active,
    trigger,
    condition: [/brand/i, /verified/i],
    to: active,
    answers: null,
  })),
  ...[verified, vetted].map((state) => ({
    ...brand,
    says: `a brand that is ${state} is accepted for campaigns`,
    from: state,
    to: state,
    answers: null,
  })),
  {
    ...brand,
    says: "a brand of another identity status is not accepted for campaigns",
    from: otherIdentity,
    to: otherIdentity,
    answers: "409 BRAND_NOT_VERIFIED",
  },
  ...[attach, detach].map((trigger) => ({
    ...phoneNumber,
    says: `a number that is not assigned keeps what it has: ${trigger}`,
    from: unassigned,
    trigger,
    condition: [],
    to: unassigned,
    answers: "409 NUMBER_NOT_ASSIGNED",
  })),
  ...[attach, detach].map((trigger) => ({
    ...phoneNumber,
    says: `an assigned number takes a campaign and lets go of it: ${trigger}`,
    from: assigned,
    trigger,
    condition: [/campaign/i],
    to: assigned,
    answers: null,
  })),
  {
    ...phoneNumber,
    says: "an assigned number is released",
    from: assigned,
    trigger: "DELETE /v1/phone-numbers/{id}",
    condition: [],
    to: released,
    answers: null,
  },
  ...[attach, detach, "GET /v1/phone-numbers/{id}", "DELETE /v1/phone-numbers/{id}"].map((trigger) => ({
    ...phoneNumber,
    says: `a released number is not found: ${trigger}`,
    from: released,
    trigger,
    condition: [],
    to: released,
    answers: "404 NOT_FOUND",
  })),
  {
    ...registration,
    says: "in reseller mode any brand is registered",
    from: on,
    condition: [],
    to: on,
    answers: null,
  },
  {
    ...registration,
    says: "without reseller mode one brand is registered",
    from: off,
    condition: [/no brand/i],
    to: off,
    answers: null,
  },
  {
    ...registration,
    says: "without reseller mode a second brand is refused",
    from: off,
    condition: [/a brand/i],
    to: off,
    answers: "422 RESELLER_REQUIRED",
  },
];

export const documentedMoves: readonly DocumentedMove[] = [
  ...movesInPassing,
  {
    ...cancelMessage,
    says: "an unclaimed message is canceled",
    from: unclaimed,
    condition: [/caller/i],
    to: canceled,
    answers: null,
  },
  {
    ...cancelMessage,
    says: "a canceled message stays canceled",
    from: canceled,
    condition: [],
    to: canceled,
    answers: "200",
  },
  {
    ...cancelMessage,
    says: "a claimed message stays as it is",
    from: claimed,
    condition: [],
    to: claimed,
    answers: notCancelable,
  },
  {
    ...cancelMessage,
    says: "a message in a terminal state stays as it is",
    from: terminal,
    condition: [],
    to: terminal,
    answers: notCancelable,
  },
  {
    ...cancelMessage,
    says: "an unknown or foreign message gets the answer of one that can't be canceled",
    from: nothing,
    condition: [/unknown/i, /other|foreign/i],
    to: nothing,
    answers: notCancelable,
  },
  {
    ...sendMessage,
    says: "a send inside quiet hours is scheduled in defer mode",
    from: nothing,
    condition: [/quiet hours/i, /defer/i],
    to: /^scheduled( .*)?$/i,
    answers: "202",
  },
  {
    ...sendMessage,
    says: "a send inside quiet hours without bypass is refused in reject mode",
    from: nothing,
    condition: [/quiet hours/i, /reject/i, /bypass/i],
    to: nothing,
    answers: "422 QUIET_HOURS",
  },
  {
    ...enableTopUp,
    says: "auto top-up is enabled",
    from: disabled,
    condition: [/enabl/i],
    to: enabled,
    answers: null,
  },
  {
    ...enableTopUp,
    says: "auto top-up stays enabled",
    from: enabled,
    condition: [/enabl/i],
    to: enabled,
    answers: "409 CONFLICT",
  },
  {
    says: "an endpoint's secret is replaced at once",
    entity: /endpoint.*secret$/i,
    from: current,
    trigger: "POST /v1/webhooks/{id}/rotate-secret",
    condition: [/at once|immediately/i],
    to: /^(invalid|replaced)$/i,
    answers: null,
  },
  {
    says: "an organization's secret is replaced and stays valid for five minutes",
    entity: /organization.*secret$/i,
    from: current,
    trigger: "POST /v1/webhook-secret/rotate",
    condition: [/\b(300 seconds|5 minutes)\b/i],
    to: /^previous( secret)?$/i,
    answers: null,
  },
  {
    ...replay,
    says: "a delivery whose event is retained is replayed to the same endpoint",
    from: retained,
    condition: [/new event/i, /same endpoint/i],
    to: retained,
    answers: null,
  },
  {
    ...replay,
    says: "a delivery whose event has aged out is not replayed",
    from: expired,
    condition: [],
    to: expired,
    answers: "410 EVENT_EXPIRED",
  },
  {
    says: "a key is created not revoked, with scopes that the caller holds",
    entity: /^api key$/i,
    from: nothing,
    trigger: "POST /v1/api-keys",
    condition: [/valid/i, /held|holds/i],
    to: notRevoked,
    answers: null,
  },
  {
    ...unmetOrder,
    says: "an order that the stock does not cover assigns nothing",
    trigger: "POST /v1/phone-numbers/orders",
  },
  {
    ...unmetOrder,
    says: "a bulk order that the stock does not cover assigns nothing",
    trigger: "POST /v1/phone-numbers/bulk",
  },
  {
    ...reseller,
    says: "reseller mode is turned on for a commercial organization",
    from: off,
    condition: [/commercial/i],
    to: on,
    answers: null,
  },
  {
    ...reseller,
    says: "reseller mode stays off for any other organization",
    from: off,
    condition: [/not commercial|non-commercial|personal/i],
    to: off,
    answers: "RESELLER_NOT_ELIGIBLE",
  },
  {
    ...reseller,
    says: "reseller mode is turned off when there is no brand",
    from: on,
    condition: [/no brand/i],
    to: off,
    answers: null,
  },
  {
    ...reseller,
    says: "reseller mode stays on while there is a brand",
    from: on,
    condition: [/brand/i],
    to: on,
    answers: "RESELLER_HAS_BRANDS",
  },
];
