import { randomUUID } from "node:crypto";
import { type BucketName, buckets } from "../../../generated/limits.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { CheckContext } from "../../context/context.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { newLabel } from "../../provision/new-label.ts";
import type { Credential, TenantWish } from "../../provision/tenant.ts";
import { attemptBatch, attemptConsent, noNumbers } from "../../steps/consent.ts";
import { attemptErase, attemptsToErase } from "../../steps/contact.ts";
import { readScope, unknownScope } from "../../steps/grantable.ts";
import { attemptsToSend, sendInput } from "../../steps/message.ts";
import { ownDelivery } from "../../steps/own-delivery.ts";
import { attemptReplay } from "../../steps/replay.ts";
import { roomyBucket } from "../../steps/roomy-bucket.ts";
import { create } from "../../steps/throttle.ts";

type Call = (index: number) => Promise<Exchange>;

/** Calls that draw from a bucket, and others of the same kind that are refused for what they ask. */
export interface Limited {
  readonly id: string;
  /** Such as "creations". */
  readonly noun: string;
  readonly bucket: BucketName;
  /** Those beside it that the calls draw from, or that what they need does. */
  readonly roomy?: readonly BucketName[];
  /** The rule that there is no more room than the limit has. */
  readonly rule: RuleId;
  /** The rule that there is room again after `Retry-After`. */
  readonly again: RuleId;
  /** Makes ready for calls; each is made as asked, whatever the answer. */
  readonly ready: (
    t: CheckContext,
    as: Credential,
  ) => Promise<{ readonly call: Call; readonly refused: readonly (() => Promise<Exchange>)[] }>;
}

export const limitedCalls: readonly Limited[] = [
  {
    id: "creations",
    noun: "creations",
    bucket: "apiKeyWrites",
    rule: "KEYC-30",
    again: "KEYC-33",
    async ready(t, as) {
      const label = newLabel();
      const asked = (body: unknown) => () => t.attempt("createApiKey", { body }, as);
      const rotated = () => t.attempt("rotateApiKey", { path: { id: randomUUID() } }, as);
      return {
        call: () => create(t, as),
        refused: [
          asked({ label, scopes: [] }),
          asked({ label, scopes: [unknownScope] }),
          asked({ label: 7, scopes: [readScope] }),
          rotated,
        ],
      };
    },
  },
  {
    id: "replays",
    noun: "replays",
    bucket: "deliveryReplays",
    rule: "WHP-23",
    again: "WHP-26",
    async ready(t, as) {
      const { id } = await ownDelivery(t, as);
      return {
        call: () => attemptReplay(t, as, id),
        refused: [
          () => attemptReplay(t, as, randomUUID()),
          () => t.attempt("replayDelivery", { path: { id }, body: { reason: 7 } }, as),
        ],
      };
    },
  },
  {
    id: "sends",
    noun: "sends",
    bucket: "messageSendsPerMinute",
    roomy: ["messageSendsPerSecond"],
    rule: "LIM-06",
    again: "LIM-08",
    async ready(t, as) {
      const [stranger] = t.numbers("strangers");
      return {
        call: await attemptsToSend(t, as),
        refused: [
          () => t.attempt("sendMessage", sendInput(t, { to: stranger }), as),
          () => t.attempt("sendMessage", sendInput(t, { to: noNumbers[0] }), as),
        ],
      };
    },
  },
  {
    id: "erasures",
    noun: "erasures",
    bucket: "contactErasures",
    roomy: ["consentRecords"],
    rule: "LIM-19",
    again: "LIM-22",
    ready: async (t, as) => ({
      call: await attemptsToErase(t, as),
      refused: [() => attemptErase(t, as, noNumbers[0])],
    }),
  },
  {
    id: "consents",
    noun: "consents",
    bucket: "consentRecords",
    rule: "LIM-15",
    again: "LIM-21",
    async ready(t, as) {
      const [one, other] = t.numbers("recipients");
      return {
        call: (index) => attemptConsent(t, as, index % 2 === 0 ? one : other),
        refused: [() => attemptConsent(t, as, noNumbers[0]), () => attemptBatch(t, as, [one, noNumbers[0]])],
      };
    },
  },
];

/** So narrow a limit that few calls fill it. */
export const narrowCapacity = 4;

/** An organization with a narrow limit on these calls, and with room in every other limit that they draw from. */
export const narrowly = ({ bucket, roomy = [] }: Limited, capacity = narrowCapacity): TenantWish => ({
  clock: "manual",
  limits: {
    [bucket]: { capacity, period_seconds: buckets[bucket].periodSeconds },
    ...Object.fromEntries(roomy.map((name) => [name, roomyBucket])),
  },
});
