import fc from "fast-check";
import { expect, it } from "vitest";
import { eventTypes } from "../../../generated/events.ts";
import type { DeliveryAttempt } from "../../domain/deliveries/delivery.ts";
import type { WebhookEndpoint } from "../../domain/endpoints/webhook-endpoint.ts";
import type { AttemptFilters } from "../attempts/webhook-store.ts";
import { periods } from "../migrations/0005-attempt-counts.ts";
import type { Store } from "../store.ts";
import { passes } from "./passing-filters.ts";
import { firstPage, present, storeBench } from "./store-bench.ts";

const [day, shortest] = periods;
const types = eventTypes.slice(0, 3);
const outcomes = ["success", "retry", "dead"] as const;

/** Around the boundaries of periods, before 1970 too. */
const instant = fc
  .tuple(
    fc.constantFrom(0, present),
    fc.integer({ min: -2, max: 2 }),
    fc.integer({ min: -2, max: 2 }),
    fc.integer({ min: -2, max: 2 }),
  )
  .map(([around, days, others, rest]) => around + days * day + others * shortest + rest);

const attempt = fc.record({
  endpoint: fc.nat({ max: 2 }),
  eventType: fc.constantFrom(...types),
  outcome: fc.constantFrom(...outcomes),
  responseStatus: fc.constantFrom(null, 200, 404, 500),
  occurredAt: instant,
});

const change = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(attempt, { minLength: 1, maxLength: 12 })
      .map((attempts) => ({ kind: "record", attempts }) as const),
  },
  { weight: 1, arbitrary: instant.map((attemptsBefore) => ({ kind: "prune", attemptsBefore }) as const) },
);

const maybe = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined });

const asked = fc.record({
  endpoint: maybe(fc.nat({ max: 2 })),
  eventType: maybe(fc.constantFrom(...types)),
  outcome: maybe(fc.constantFrom(...outcomes)),
  since: maybe(instant),
  until: maybe(instant),
  statusMin: maybe(fc.constantFrom(100, 200, 201, 404, 405)),
  statusMax: maybe(fc.constantFrom(200, 404, 499, 599)),
  unanswered: fc.constantFrom("kept", "left-out"),
});

/** What holds of the number of attempts in every store, whatever was recorded and deleted. */
export function countCases(current: () => Store): void {
  it("counts what any filters let pass after any records and deletions", async () => {
    const { store, webhooks, organization, endpoint, recordTogether } = storeBench(current());
    const counted = async (organizationId: string, filters: AttemptFilters) =>
      (await webhooks.attempts(organizationId, filters, { ...firstPage, limit: 1 })).total;
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 6 }),
        fc.array(asked, { minLength: 6, maxLength: 6 }),
        async (changes, questions) => {
          const [ours, other] = [await organization(), await organization()];
          const endpoints: WebhookEndpoint[] = [];
          for (const { id: organizationId } of [ours, ours, other]) endpoints.push(await endpoint({ organizationId }));
          let kept: readonly DeliveryAttempt[] = [];
          for (const each of changes) {
            if (each.kind === "record") {
              const given = each.attempts.flatMap(({ endpoint: index, ...attempt }) => {
                const at = endpoints[index];
                return at === undefined ? [] : [{ at, attempt }];
              });
              kept = [...kept, ...(await recordTogether(given))];
            } else {
              const retention = {
                eventsBefore: Number.MAX_SAFE_INTEGER,
                attemptsBefore: each.attemptsBefore,
                answersUntil: 0,
                consentRequestsBefore: 0,
              };
              await store.retention.pruneOrganization(ours.id, retention);
              const isOld = ({ organizationId, occurredAt }: DeliveryAttempt) =>
                organizationId === ours.id && occurredAt < each.attemptsBefore;
              kept = kept.filter((attempt) => !isOld(attempt));
            }
          }
          const isCounted = async () => {
            for (const { endpoint: index, ...others } of questions) {
              const filters = { ...others, endpointId: index === undefined ? undefined : endpoints[index]?.id };
              for (const { id } of [ours, other]) {
                const own = kept.filter(({ organizationId }) => organizationId === id);
                expect(await counted(id, filters)).toBe(own.filter((attempt) => passes(attempt, filters)).length);
              }
            }
          };
          await isCounted();
          await store.deleteOrganization(ours.id);
          kept = kept.filter(({ organizationId }) => organizationId === other.id);
          await isCounted();
        },
      ),
      { numRuns: 30 },
    );
  });

  it("counts what is asked for, or all that there is", async () => {
    const { webhooks, organization, endpoint, recordTogether } = storeBench(current());
    const { id } = await organization();
    const at = await endpoint({ organizationId: id });
    await recordTogether([
      { at, attempt: { outcome: "dead" } },
      { at, attempt: { responseStatus: null } },
    ]);
    const filters = { outcome: "dead", unanswered: "left-out" } as const;
    expect(await webhooks.attempts(id, filters, firstPage)).toMatchObject({ total: 1 });
    expect(await webhooks.attempts(id, filters, { ...firstPage, total: "all" })).toMatchObject({ total: 2 });
  });
}
