import { constants } from "../../../generated/constants.ts";
import type { BucketName } from "../../../generated/limits.ts";
import type { Mutant } from "../edit.ts";
import { remembering, storing } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { working } from "../unit-changes.ts";
import { queryOf } from "../wire-requests.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

/** Numbers, brands, limits and metrics that are wrong in one state of a record, or beside one like it. */
export const nearResources: readonly Mutant[] = [
  mutantOf("NUM-51", "ordered-again", "has a number that is ordered again send for the campaign that it had", [
    working(() => {
      const had = new Map<string, string | null>();
      return (tx) => ({
        phoneNumbers: withMembers(tx.phoneNumbers, {
          insert: (numbers) =>
            tx.phoneNumbers.insert(
              numbers.map((number) => ({
                ...number,
                campaignId: number.campaignId ?? had.get(`${number.organizationId} ${number.phoneNumber}`) ?? null,
              })),
            ),
          async remove(id) {
            const number = await tx.phoneNumbers.find(id);
            if (number !== null) had.set(`${number.organizationId} ${number.phoneNumber}`, number.campaignId);
            await tx.phoneNumbers.remove(id);
          },
        }),
      });
    }),
  ]),
  mutant(
    "NUM-08",
    "held-alone",
    "lists those that are held, and others where none is",
    "routes/phone-numbers.ts",
    "return shortOrder(wanted.length - unavailable.length, unavailable);",
    `{
      const taken = unavailable.filter((number) => held.has(number));
      return shortOrder(wanted.length - unavailable.length, taken.length > 0 ? taken : unavailable);
    }`,
  ),
  mutantOf("NUM-39", "order", "labels all numbers of an order when one is", [
    working(() => {
      const orders = new Map<string, readonly string[]>();
      return ({ phoneNumbers }) => ({
        phoneNumbers: withMembers(phoneNumbers, {
          async insert(numbers) {
            await phoneNumbers.insert(numbers);
            const ids = numbers.map(({ id }) => id);
            for (const id of ids) orders.set(id, ids);
          },
          async update(number) {
            for (const id of orders.get(number.id) ?? []) {
              const sibling = await phoneNumbers.find(id);
              if (sibling !== null) await phoneNumbers.update({ ...sibling, label: number.label });
            }
            await phoneNumbers.update(number);
          },
        }),
      });
    }),
  ]),
  mutantOf("BRD-03", "vetted", "does not count a brand that was vetted", [
    {
      file: "store/registration/brands.ts",
      find: "return (await countAll.first(on, { organizationId }))?.count ?? 0;",
      replace: `const all = await selectAll.rows(on, { organizationId });
      return all.filter(({ identity_status }) => identity_status !== "${constants.vettedBrand}").length;`,
    },
  ]),
  mutantOf("ORG-03", "second", "turns reseller mode off when it is asked to for the second time", [
    {
      file: "routes/organization-settings.ts",
      find: 'import type { Store } from "../store/store.ts";',
      replace: 'import type { Store } from "../store/store.ts";\nconst asked = new Set<string>();',
    },
    {
      file: "routes/organization-settings.ts",
      find: "if (refusal !== null) return refusal;",
      replace: `if (refusal !== null && (wanted || !asked.has(organization.id))) {
          asked.add(organization.id);
          return refusal;
        }`,
    },
  ]),
  ...(
    [
      ["replays", "deliveryReplays"],
      ["consents", "consentRecords"],
      ["erasures", "contactErasures"],
      ["sends", "messageSendsPerMinute"],
    ] as const satisfies readonly (readonly [string, BucketName])[]
  ).map(([what, bucket]) =>
    mutant(
      "TEN-17",
      `sessions-${what}`,
      `limits the ${what} of keys alone, and of no signed-in user`,
      "http/rate-limit.ts",
      "const { id } = caller.organization;",
      `const { id } = caller.organization;
    if (caller.kind === "session" && draws.some(({ bucket }) => bucket === "${bucket}")) return null;`,
    ),
  ),
  mutant(
    "LIM-23",
    "one-record",
    "asks to wait until there is room for one record, whatever the batch",
    "domain/limits/retry-after.ts",
    "milliseconds: waitMilliseconds(algorithm, levels.get(draw.bucket) ?? unusedLevel, draw, now),",
    "milliseconds: waitMilliseconds(algorithm, levels.get(draw.bucket) ?? unusedLevel, { ...draw, units: 1 }, now),",
  ),
  mutantOf("LIM-09", "second-alone", "promotes the bucket of a second alone", [
    remembering(
      "domain/tiers/limit-size.ts",
      'import { microsInCent, type Wallet } from "../wallet/wallet.ts";',
      "const first = new Map<string, { capacity: number }>();",
    ),
    {
      file: "domain/tiers/limit-size.ts",
      find: "return { capacity: tier.capacity, periodSeconds: bucket.periodSeconds };",
      replace: `const known = bucket.periodSeconds > 1 ? (first.get(organization.id) ?? tier) : tier;
  if (bucket.periodSeconds > 1) first.set(organization.id, known);
  return { capacity: known.capacity, periodSeconds: bucket.periodSeconds };`,
    },
  ]),
  mutantOf("BIL-02", "again", "does not look at the amount when auto top-up is enabled once more", [
    {
      file: "routes/billing.ts",
      find: "const product = wanted && productFor(wanted.productId, organization);",
      replace: `const isAgain = wanted !== null && enabledOnce.has(organization.id);
      const product = wanted && productFor(wanted.productId, isAgain ? { ...organization, minTopUpCents: null } : organization);`,
    },
    {
      file: "routes/billing.ts",
      find: "await tx.setAutoTopUp(wanted);",
      replace: "await tx.setAutoTopUp(wanted); enabledOnce.add(organization.id);",
    },
    remembering(
      "routes/billing.ts",
      'import type { Store } from "../store/store.ts";',
      "const enabledOnce = new Set<string>();",
    ),
  ]),
  wireMutant(
    "MET-05",
    "third",
    "compares the parameters of a second page with the first's, and of no later one",
    (serve) => {
      const cursors = new Map<string, string>();
      const later = new Set<string>();
      return async (request) => {
        if (request.operation !== "getLookupMetrics") return serve(request);
        const cursor = queryOf(request).get("cursor");
        const first = cursor !== null && later.has(cursor) ? cursors.get(cursor) : undefined;
        const asked =
          first === undefined
            ? request
            : { ...request, path: `${request.path.split("?")[0]}?${first}&cursor=${cursor}` };
        const answer = await serve(asked);
        const next = /"next_cursor":"([^"]+)"/.exec(answer.bytes.toString())?.[1];
        const own = queryOf(asked);
        own.delete("cursor");
        if (next !== undefined) {
          cursors.set(next, own.toString());
          if (cursor !== null) later.add(next);
        }
        return answer;
      };
    },
  ),
  mutantOf("MET-20", "both", "counts a lookup of the instant at which a bucket ends in both", [
    storing((store) => {
      const times = new Map<string, number[]>();
      return {
        atomically: (organizationId, work) =>
          store.atomically(organizationId, (tx) =>
            work(
              withMembers(tx, {
                lookups: withMembers(tx.lookups, {
                  async insert(lookup) {
                    await tx.lookups.insert(lookup);
                    times.set(organizationId, [...(times.get(organizationId) ?? []), lookup.lookedUpAt]);
                  },
                }),
              }),
            ),
          ),
        async metricSums(organizationId, _metric, windows) {
          const all = times.get(organizationId) ?? [];
          return windows.map(({ from, before }) => all.filter((at) => at >= from && at <= before).length);
        },
      };
    }),
  ]),
  mutantOf("MET-06", "present", "takes the end of a window that was left out for the present on each page", [
    {
      file: "routes/metrics.ts",
      find: "const parameters = parametersOf(query);",
      replace: "const parameters = parametersOf({ ...query, to: query.to ?? String(asked.before) });",
    },
  ]),
];
