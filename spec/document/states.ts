/**
 * States and moves of the document. A state that the document names in words only is matched by words, since its
 * name is the spec's own choice.
 */
export interface DocumentedEntity {
  readonly says: string;
  readonly name: RegExp;
  readonly states: readonly (string | RegExp)[];
  /** Other states exist; null where the document does not say. */
  readonly open: boolean | null;
}

const unclaimed = /cancel+able|unclaimed|not[ _-]?(yet[ _-]?)?claimed/i;
const canceled = /^cancel+ed$/i;
const claimed = /^claimed/i;
const terminal = /terminal/i;

export const documentedEntities: readonly DocumentedEntity[] = [
  { says: "campaign", name: /^campaign/i, states: ["PENDING", "ACTIVE", "EXPIRED"], open: null },
  { says: "brand identity status", name: /^brand/i, states: ["VERIFIED", "VETTED_VERIFIED"], open: true },
  { says: "phone number", name: /^(phone ?)?number$/i, states: ["assigned"], open: null },
  { says: "delivery outcome", name: /^(webhook ?)?delivery/i, states: ["success", "retry", "dead"], open: false },
  { says: "message", name: /^message$/i, states: [unclaimed, canceled, claimed, terminal], open: true },
  { says: "API key", name: /^api ?key$/i, states: [/^(not|un)[ _-]?revoked|^active/i, /^revoked/i], open: false },
];

export interface DocumentedMove {
  readonly says: string;
  readonly entity: RegExp;
  /** Null where the document names no state before the move. */
  readonly from: RegExp | null;
  /** Method and path. */
  readonly trigger: string;
  readonly condition: RegExp | null;
  readonly to: RegExp;
  /** Status, code or both; null where the document shows no answer. */
  readonly answers: readonly (string | RegExp)[];
}

const cancel = "DELETE /v1/messages/{id}";
const send = "POST /v1/messages";
const autoTopUp = "PUT /v1/billing/wallet/auto-topup";
const replay = "POST /v1/webhooks/deliveries/{id}/replay";
const organization = "PATCH /v1/organization";
const message = /^message$/i;
const sendRequest = /send/i;
const wallet = /top ?-?up/i;
const order = /order/i;
const reseller = /reseller/i;

export const documentedMoves: readonly DocumentedMove[] = [
  {
    says: "an unclaimed message is canceled",
    entity: message,
    from: unclaimed,
    trigger: cancel,
    condition: null,
    to: canceled,
    answers: [],
  },
  {
    says: "a canceled message stays canceled",
    entity: message,
    from: canceled,
    trigger: cancel,
    condition: null,
    to: canceled,
    answers: ["200"],
  },
  {
    says: "a claimed message stays as it is",
    entity: message,
    from: claimed,
    trigger: cancel,
    condition: null,
    to: claimed,
    answers: ["409", "MESSAGE_NOT_CANCELABLE"],
  },
  {
    says: "a message in a terminal state stays as it is",
    entity: message,
    from: terminal,
    trigger: cancel,
    condition: null,
    to: terminal,
    answers: ["409", "MESSAGE_NOT_CANCELABLE"],
  },
  {
    says: "an unknown or foreign message is not cancelable rather than not found",
    entity: message,
    from: /unknown|foreign|none|other/i,
    trigger: cancel,
    condition: null,
    to: /unknown|foreign|none|other/i,
    answers: ["409", "MESSAGE_NOT_CANCELABLE"],
  },
  {
    says: "a send inside quiet hours is scheduled in defer mode",
    entity: sendRequest,
    from: null,
    trigger: send,
    condition: /defer/i,
    to: /scheduled|deferred/i,
    answers: ["202"],
  },
  {
    says: "a send inside quiet hours is refused in reject mode",
    entity: sendRequest,
    from: null,
    trigger: send,
    condition: /reject/i,
    to: /none|refused|rejected|nothing/i,
    answers: ["422", /\bQUIET_HOURS\b/],
  },
  {
    says: "auto top-up is enabled",
    entity: wallet,
    from: /disabled|off/i,
    trigger: autoTopUp,
    condition: null,
    to: /enabled|on/i,
    answers: [],
  },
  {
    says: "auto top-up stays enabled",
    entity: wallet,
    from: /enabled|on/i,
    trigger: autoTopUp,
    condition: null,
    to: /enabled|on/i,
    answers: ["409", "CONFLICT"],
  },
  {
    says: "an endpoint's secret is replaced at once",
    entity: /endpoint.*secret/i,
    from: /current/i,
    trigger: "POST /v1/webhooks/{id}/rotate-secret",
    condition: null,
    to: /new|replaced|invalid|current/i,
    answers: [],
  },
  {
    says: "an organization's secret is replaced and stays valid for a while",
    entity: /organization.*secret/i,
    from: /current/i,
    trigger: "POST /v1/webhook-secret/rotate",
    condition: null,
    to: /new|replaced|previous|grace|current/i,
    answers: [],
  },
  {
    says: "a delivery whose event is retained is replayed",
    entity: /deliver|replay|event/i,
    from: /retained/i,
    trigger: replay,
    condition: null,
    to: /enqueued|replayed|retained/i,
    answers: [],
  },
  {
    says: "a delivery whose event has aged out is not replayed",
    entity: /deliver|replay|event/i,
    from: /aged|expired|retention/i,
    trigger: replay,
    condition: null,
    to: /aged|expired|retention|unchanged/i,
    answers: ["410", "EVENT_EXPIRED"],
  },
  {
    says: "a key is created",
    entity: /^api ?key$/i,
    from: null,
    trigger: "POST /v1/api-keys",
    condition: null,
    to: /^(not|un)[ _-]?revoked|^active/i,
    answers: [],
  },
  {
    says: "an order that can't be satisfied assigns nothing",
    entity: order,
    from: null,
    trigger: "POST /v1/phone-numbers/orders",
    condition: null,
    to: /none|nothing|refused|rejected/i,
    answers: ["409", "INSUFFICIENT_INVENTORY"],
  },
  {
    says: "a bulk order that can't be satisfied assigns nothing",
    entity: order,
    from: null,
    trigger: "/bulk",
    condition: null,
    to: /none|nothing|refused|rejected/i,
    answers: ["409", "INSUFFICIENT_INVENTORY"],
  },
  {
    says: "reseller mode is turned on for a commercial organization",
    entity: reseller,
    from: /off|disabled/i,
    trigger: organization,
    condition: /commercial/i,
    to: /on|enabled/i,
    answers: [],
  },
  {
    says: "reseller mode is refused to other organizations",
    entity: reseller,
    from: /off|disabled/i,
    trigger: organization,
    condition: null,
    to: /off|disabled/i,
    answers: ["RESELLER_NOT_ELIGIBLE"],
  },
  {
    says: "reseller mode is turned off when there is no brand",
    entity: reseller,
    from: /\bon\b|enabled/i,
    trigger: organization,
    condition: /brand/i,
    to: /off|disabled/i,
    answers: [],
  },
  {
    says: "reseller mode stays on while there is a brand",
    entity: reseller,
    from: /\bon\b|enabled/i,
    trigger: organization,
    condition: null,
    to: /\bon\b|enabled/i,
    answers: ["RESELLER_HAS_BRANDS"],
  },
];
