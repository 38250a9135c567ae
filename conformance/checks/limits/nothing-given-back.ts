import { randomUUID } from "node:crypto";
import { type BucketName, buckets } from "../../../generated/limits.ts";
import type { RuleId } from "../../../generated/rules.ts";
import { type Check, check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { newLabel } from "../../provision/new-label.ts";
import type { Credential } from "../../provision/tenant.ts";
import { attemptBatch, attemptConsent, noNumbers } from "../../steps/consent.ts";
import { attemptErase, attemptsToErase } from "../../steps/contact.ts";
import { readScope, unknownScope } from "../../steps/grantable.ts";
import { attemptsToSend, sendInput } from "../../steps/message.ts";
import { ownDelivery } from "../../steps/own-delivery.ts";
import { attemptReplay } from "../../steps/replay.ts";
import { roomyBucket } from "../../steps/roomy-bucket.ts";
import { create, isThrottled } from "../../steps/throttle.ts";

type Call = (index: number) => Promise<Exchange>;

/** Calls that draw from a bucket, and others of the same kind that are refused for what they ask. */
interface Limited {
  readonly id: string;
  /** Such as "creations". */
  readonly noun: string;
  readonly bucket: BucketName;
  /** Those beside it that the calls draw from, or that what they need does. */
  readonly roomy?: readonly BucketName[];
  readonly rule: RuleId;
  /** Makes ready for calls; each is made as asked, whatever the answer. */
  readonly ready: (
    t: CheckContext,
    as: Credential,
  ) => Promise<{ readonly call: Call; readonly refused: readonly (() => Promise<Exchange>)[] }>;
}

const limited: readonly Limited[] = [
  {
    id: "creations",
    noun: "creations",
    bucket: "apiKeyWrites",
    rule: "KEYC-30",
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
const capacity = 4;

/** More calls than what comes back of one that was refused could make room for. */
const further = 3;

/**
 * Calls that are refused for what they ask, each kind of them alone, from a bucket with room for one more: what such a call
 * drew may come back, and no more than that. Of several kinds one could use up what another one gives back.
 */
export const nothingGivenBack: readonly Check[] = limited.map(({ id, noun, bucket, roomy = [], rule, ready }) =>
  check({
    id: `limits.nothing-given-back.${id}`,
    title: `What is refused for what it asks makes no room for further ${noun}, whatever it drew`,
    rules: [rule],
    kind: "scenario",
    needs: ["manual-clock", "limit-override"],
    effects: ["creates", "exhausts"],
    draws: {},
    async run(t) {
      const { periodSeconds } = buckets[bucket];
      const tenant = await t.tenant({
        clock: "manual",
        limits: {
          [bucket]: { capacity, period_seconds: periodSeconds },
          ...Object.fromEntries(roomy.map((name) => [name, roomyBucket])),
        },
      });
      const { call, refused } = await ready(t, await tenant.main());
      let judged = 0;
      for (const other of refused) {
        await tenant.advance(2 * periodSeconds + 1, "a full bucket");
        const made: Exchange[] = [];
        for (let count = 1; count < capacity; count += 1) made.push(await call(count));
        const early = made.find((exchange) => !isSuccess(exchange));
        if (early !== undefined)
          throw new Blocked(
            `one of ${capacity - 1} ${noun} from a full bucket was answered ${summaryOf(early)}`,
            "see the rules on this request first",
            "server",
          );
        const refusals = [await other(), await other()];
        // Whoever admits what it was asked for has no refusal to look at.
        if (refusals.some(isSuccess)) continue;
        for (let count = 0; count < further; count += 1) made.push(await call(count));
        const strange = made.find((exchange) => !isSuccess(exchange) && !isThrottled(exchange));
        if (strange !== undefined)
          throw new Blocked(
            `one of the ${noun} was answered ${summaryOf(strange)}`,
            "see the rules on this request first",
            "server",
          );
        const admitted = made.filter(isSuccess).length;
        t.verify(rule, admitted <= capacity, {
          expected: `no more than ${capacity} ${noun} admitted at one moment, with two calls between them that were answered ${refusals.map(summaryOf).join(" and ")}`,
          actual: `${admitted} admitted`,
          exchanges: [...refusals, ...made.slice(-further)],
        });
        judged += 1;
      }
      if (judged === 0)
        throw new Blocked("nothing that was to be refused was", "see the rules on this request", "server");
    },
  }),
);
