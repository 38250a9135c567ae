import { buckets } from "../../../generated/limits.ts";
import { isDormant, type Organization } from "../../domain/organizations/organization.ts";
import { microsInCent } from "../../domain/wallet/wallet.ts";
import type { UnitOfWork } from "../../store/unit-of-work.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { drawsFrom, storing } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { working } from "../unit-changes.ts";
import { mutantOf } from "./mutant.ts";

interface Kind {
  readonly name: string;
  readonly noun: string;
  readonly isMeant: (organization: Organization, spend: number) => boolean;
}

const { tiers } = buckets.messageSendsPerSecond;

const fromTier = (index: number): number => (tiers[index]?.fromCents ?? Number.POSITIVE_INFINITY) * microsInCent;

const isPersonal: Kind = {
  name: "personal",
  noun: "personal organizations",
  isMeant: ({ kind }) => kind === "personal",
};
const isReseller: Kind = { name: "reseller", noun: "resellers", isMeant: ({ isReseller }) => isReseller };
const isOfDormantPlan: Kind = { name: "dormant", noun: "dormant plans", isMeant: ({ plan }) => isDormant(plan) };
const hasLeastTopUp: Kind = {
  name: "least-top-up",
  noun: "plans with a least top-up",
  isMeant: ({ minTopUpCents }) => minTopUpCents !== null,
};
const isOfThirdTier: Kind = {
  name: "tier-3",
  noun: "the third tier of the send ladder",
  isMeant: (_, spend) => spend >= fromTier(2) && spend < fromTier(3),
};

/** Admits every creation of a key by such organizations. */
const withoutKeyLimit = ({ isMeant }: Kind): PortChange =>
  storing((store) => ({
    async draw(organizationId, draw) {
      const organization = await store.organization(organizationId);
      const { spend } = await store.wallet(organizationId);
      const isFree = drawsFrom(draw, "apiKeyWrites") && organization !== null && isMeant(organization, spend);
      return isFree ? { admitted: true } : store.draw(organizationId, draw);
    },
  }));

/** Changes what units of such organizations do. */
const inUnits = ({ isMeant }: Kind, change: (tx: UnitOfWork) => Partial<UnitOfWork>): PortChange =>
  working(() => (tx) => (tx.organization !== null && isMeant(tx.organization, 0) ? change(tx) : {}));

/** Appends no charge with such a reference. */
const free = (reference: string) => (tx: UnitOfWork) => ({
  ledger: withMembers(tx.ledger, {
    append: (entry) =>
      entry.kind === "charge" && entry.reference.startsWith(reference) ? tx.ledger.wallet() : tx.ledger.append(entry),
  }),
});

/** Servers that break a rule for one kind of organization alone. */
export const organizationKindMutants: readonly Mutant[] = [
  ...[isPersonal, isReseller, isOfDormantPlan, hasLeastTopUp, isOfThirdTier].map((kind) =>
    mutantOf("KEYC-30", `unlimited-${kind.name}`, `has no limit on creations of keys for ${kind.noun}`, [
      withoutKeyLimit(kind),
    ]),
  ),
  ...[isPersonal, isOfDormantPlan].flatMap((kind) => [
    mutantOf("WHE-03", `unlimited-${kind.name}`, `has no limit on endpoints for ${kind.noun}`, [
      inUnits(kind, (tx) => ({ endpoints: withMembers(tx.endpoints, { countActive: async () => 0 }) })),
    ]),
    mutantOf("BRD-01", `free-${kind.name}`, `charges nothing for a brand for ${kind.noun}`, [
      inUnits(kind, free("brand")),
    ]),
    mutantOf("LKP-05", `free-${kind.name}`, `charges nothing for a lookup for ${kind.noun}`, [
      inUnits(kind, free("lookup")),
    ]),
  ]),
  mutantOf("BRD-03", "least-top-up", "lets plans with a least top-up have several brands", [
    inUnits(hasLeastTopUp, (tx) => ({ brands: withMembers(tx.brands, { count: async () => 0 }) })),
  ]),
  mutantOf("AUTH-31", "personal", "treats the plan of a personal organization as dormant", [
    {
      file: "http/authorize.ts",
      find: "if (!hasFloor || !isDormant(callerOf(exchange).organization.plan)) return null;",
      replace: `const { plan, kind } = callerOf(exchange).organization;
  if (!hasFloor || (!isDormant(plan) && kind !== "personal")) return null;`,
    },
  ]),
];
