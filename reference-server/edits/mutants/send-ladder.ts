import { randomUUID } from "node:crypto";
import { refuse } from "../../../generated/error-rows.ts";
import { type BucketName, buckets } from "../../../generated/limits.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { Draw } from "../../domain/limits/draw.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { drawing, drawsFrom, sized, storing } from "../port-changes.ts";
import { isRefusal, onAnswer, refused, type Wire, withHeaders } from "../wire.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

const perSecond = "messageSendsPerSecond" satisfies BucketName;
const perMinute = "messageSendsPerMinute" satisfies BucketName;

const day = 24 * 3_600_000;

/** Gives one tier room for more or fewer sends in a bucket. */
const tierOf = (bucket: typeof perSecond | typeof perMinute, index: number, more: number): PortChange => {
  const { capacity } = buckets[bucket].tiers[index] ?? { capacity: 0 };
  return drawing(bucket, (draw) =>
    draw.size.capacity === capacity ? sized(() => ({ capacity: capacity + more }))(draw) : draw,
  );
};

const rules = ["LIM-01", "LIM-03", "LIM-04", "LIM-05"] as const satisfies readonly RuleId[];

/** Begins on the first tier again with who has sent nothing for so many milliseconds. */
const fallingAfter = (idle: number): PortChange =>
  storing((store) => {
    const drawn = new Map<string, { readonly at: number; readonly fell: boolean }>();
    const first = ({ bucket, ...draw }: Draw): Draw => ({
      bucket,
      ...draw,
      size:
        bucket === perSecond || bucket === perMinute
          ? { ...draw.size, capacity: buckets[bucket].tiers[0].capacity }
          : draw.size,
    });
    return {
      draw(organizationId, joint) {
        if (!drawsFrom(joint, perSecond)) return store.draw(organizationId, joint);
        const last = drawn.get(organizationId);
        const fell = last !== undefined && (last.fell || joint.now - last.at > idle);
        drawn.set(organizationId, { at: joint.now, fell });
        return store.draw(organizationId, fell ? { ...joint, draws: joint.draws.map(first) } : joint);
      },
    };
  });

/** Refuses so many further sends of whoever was throttled. */
const stubborn = (further: number): Wire => {
  const left = new Map<string | undefined, number>();
  return (serve) => async (request) => {
    if (request.operation !== "sendMessage") return serve(request);
    const { authorization } = request.headers;
    const count = left.get(authorization) ?? 0;
    if (count > 0) {
      left.set(authorization, count - 1);
      return refused(refuse.RateLimited("Later.", { "Retry-After": "1" }));
    }
    const answer = await serve(request);
    if (isRefusal(answer, "RateLimited")) left.set(authorization, further);
    return answer;
  };
};

/** Servers that keep the send ladder in a wrong way. */
export const sendLadderMutants: readonly Mutant[] = [
  ...rules.flatMap((rule, index) => [
    mutantOf(rule, "more", `admits one send more in a second on tier ${index + 1}`, [tierOf(perSecond, index, 1)]),
    ...(index === 0
      ? []
      : [
          mutantOf(rule, "fewer", `admits one send fewer in a second on tier ${index + 1}`, [
            tierOf(perSecond, index, -1),
          ]),
        ]),
  ]),
  ...[0, 1, 2].flatMap((index) => [
    mutantOf("LIM-20", `more-${index + 1}`, `admits one send more in a minute on tier ${index + 1}`, [
      tierOf(perMinute, index, 1),
    ]),
    mutantOf("LIM-20", `fewer-${index + 1}`, `admits one send fewer in a minute on tier ${index + 1}`, [
      tierOf(perMinute, index, -1),
    ]),
  ]),
  mutantOf("LIM-02", "often", "refills the bucket of a minute four times as fast", [
    drawing(
      perMinute,
      sized(({ periodSeconds }) => ({ periodSeconds: periodSeconds / 4 })),
    ),
  ]),
  mutantOf("LIM-06", "seconds", "forgets the bucket of a minute", [
    storing((store) => ({
      draw: (organizationId, joint) =>
        store.draw(organizationId, { ...joint, draws: joint.draws.filter(({ bucket }) => bucket !== perMinute) }),
    })),
  ]),
  wireMutant(
    "LIM-07",
    "shorter",
    "asks to wait for the bucket of a second alone",
    onAnswer("sendMessage", (answer) =>
      isRefusal(answer, "RateLimited") ? withHeaders(answer, { "retry-after": "1" }) : answer,
    ),
  ),
  mutantOf("LIM-07", "shortest", "asks to wait for the shorter of both waits", [
    {
      file: "domain/limits/retry-after.ts",
      find: "waits.reduce((most, wait) => (wait.milliseconds > most.milliseconds ? wait : most))",
      replace:
        "waits.filter((one) => one.milliseconds > 0).reduce((least, one) => (one.milliseconds < least.milliseconds ? one : least))",
    },
  ]),
  mutantOf("LIM-07", "rounded", "rounds the wait to the nearest second", [
    {
      file: "domain/limits/retry-after.ts",
      find: "Math.ceil(milliseconds / 1000)",
      replace: "Math.round(milliseconds / 1000)",
    },
  ]),
  wireMutant("LIM-08", "stubborn", "refuses some sends more once it has refused one", stubborn(6)),
  mutantOf("LIM-09", "stays", "has an organization stay on its first tier", [
    storing((store) => {
      const first = new Map<string, number>();
      return {
        async wallet(organizationId) {
          const wallet = await store.wallet(organizationId);
          const spend = first.get(organizationId) ?? wallet.spend;
          first.set(organizationId, spend);
          return { ...wallet, spend };
        },
      };
    }),
  ]),
  ...(["day", "year"] as const).map((period) =>
    mutantOf(
      "LIM-09",
      period === "day" ? "idle" : "idle-year",
      `has an organization begin on its first tier again when it has sent nothing for a ${period}`,
      [fallingAfter(period === "day" ? day : 365 * day)],
    ),
  ),
  mutantOf("LIM-10", "fee", "charges a little for a send that it throttles", [
    storing((store) => ({
      async draw(organizationId, joint) {
        const drawn = await store.draw(organizationId, joint);
        const entry = { kind: "charge", amount: 1, reference: `throttled ${randomUUID()}`, at: 0 } as const;
        if (!drawn.admitted && drawsFrom(joint, perSecond))
          await store.atomically(organizationId, (tx) => tx.ledger.append(entry));
        return drawn;
      },
    })),
  ]),
  wireMutant("MSG-49", "throttled", "throttles reads of whoever may not send", (serve) => {
    const throttled = new Set<string | undefined>();
    return async (request) => {
      const { authorization } = request.headers;
      if (request.operation === "getMessage" && throttled.has(authorization))
        return refused(refuse.RateLimited("Later.", { "Retry-After": "1" }));
      const answer = await serve(request);
      if (request.operation === "sendMessage" && isRefusal(answer, "RateLimited")) throttled.add(authorization);
      return answer;
    };
  }),
];
