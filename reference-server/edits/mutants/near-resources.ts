import { constants } from "../../../generated/constants.ts";
import type { Mutant } from "../edit.ts";
import { remembering } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { working } from "../unit-changes.ts";
import { mutant, mutantOf } from "./mutant.ts";

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
  mutantOf("ORG-03", "failed-brand", "turns reseller mode off where no brand could be verified", [
    {
      file: "routes/organization-settings.ts",
      find: "const refusal = refuseResellerMode(organization, wanted, await tx.brands.count());",
      replace: "const refusal = refuseResellerMode(organization, wanted, await Object(tx.brands).countStanding());",
    },
    {
      file: "store/registration/brands.ts",
      find: "find: (id) => findBrand(on, organizationId, id),",
      replace: `find: (id) => findBrand(on, organizationId, id),
    async countStanding() {
      const all = await selectAll.rows(on, { organizationId });
      return all.filter(({ identity_status }) => identity_status !== "UNVERIFIED").length;
    },`,
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
  mutant(
    "TEN-17",
    "sessions-replay",
    "limits the replays of keys alone, and of no signed-in user",
    "http/rate-limit.ts",
    "const { id } = caller.organization;",
    `const { id } = caller.organization;
    if (caller.kind === "session" && draws.some(({ bucket }) => bucket === "deliveryReplays")) return null;`,
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
];
