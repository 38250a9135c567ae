import { refuse } from "../../../generated/error-rows.ts";
import type { UnitOfWork } from "../../store/unit-of-work.ts";
import type { Mutant } from "../edit.ts";
import { withMembers } from "../ports.ts";
import { working } from "../unit-changes.ts";
import { addingDetails, inPlaceOf, onAnswer, parsed, refusedWith } from "../wire.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

/** Changes the organization as units see it. */
const seeing = (change: (organization: NonNullable<UnitOfWork["organization"]>) => object) =>
  working(() => (tx) => ({ organization: tx.organization && { ...tx.organization, ...change(tx.organization) } }));

/** Has the request do its work although it is refused with this row. */
const whenRefused = (row: "ResellerHasBrands" | "ResellerNotEligible", on: boolean) => ({
  ports: (ports: Parameters<ReturnType<typeof working>["ports"]>[0]) => ({
    ...ports,
    store: withMembers(ports.store, {
      async atomically(organizationId, work) {
        const result = await ports.store.atomically(organizationId, work);
        if (Object(result).row === row) await ports.store.atomically(organizationId, (tx) => tx.setReseller(on));
        return result;
      },
    }),
  }),
});

/** Servers that turn reseller mode on or off where they should not, or do not where they should. */
export const organizationSettingsMutants: readonly Mutant[] = [
  mutantOf("ORG-01", "anybody", "lets personal organizations turn reseller mode on", [
    seeing(() => ({ kind: "commercial" })),
  ]),
  wireMutant(
    "ORG-01",
    "forbidden",
    "forbids reseller mode to a personal organization",
    inPlaceOf("updateOrganization", "ResellerNotEligible", refuse.Forbidden("Not yours.")),
  ),
  mutantOf("ORG-02", "nobody", "lets no organization turn reseller mode on", [seeing(() => ({ kind: "personal" }))]),
  mutantOf("ORG-03", "anyway", "lets a reseller with brands turn the mode off", [
    working(() => (tx) => ({
      brands: withMembers(tx.brands, {
        count: async () => (tx.organization?.isReseller === true ? 0 : tx.brands.count()),
      }),
    })),
  ]),
  mutantOf("ORG-03", "one", "lets a reseller with one brand turn the mode off", [
    working(() => (tx) => ({
      brands: withMembers(tx.brands, {
        async count() {
          const count = await tx.brands.count();
          return tx.organization?.isReseller === true && count === 1 ? 0 : count;
        },
      }),
    })),
  ]),
  wireMutant(
    "ORG-03",
    "conflict",
    "calls brands of a reseller a conflict",
    inPlaceOf("updateOrganization", "ResellerHasBrands", refuse.Conflict("There are brands.")),
  ),
  wireMutant(
    "ORG-04",
    "never",
    "lets nobody turn reseller mode off",
    onAnswer("updateOrganization", (answer, { bytes }) =>
      Object(parsed(bytes)).is_reseller === false && answer.status < 300
        ? refusedWith(answer, refuse.ResellerHasBrands("Ask us."))
        : answer,
    ),
  ),
  wireMutant(
    "ORG-05",
    "why-personal",
    "gives details of a personal organization",
    addingDetails("updateOrganization", "ResellerNotEligible"),
  ),
  wireMutant(
    "ORG-05",
    "why-brands",
    "gives details of brands in the way",
    addingDetails("updateOrganization", "ResellerHasBrands"),
  ),
  mutantOf("ORG-05", "on", "turns reseller mode on although it refuses to", [whenRefused("ResellerNotEligible", true)]),
  mutantOf("ORG-05", "off", "turns reseller mode off although it refuses to", [
    whenRefused("ResellerHasBrands", false),
  ]),
  mutantOf("ORG-10", "kept", "turns reseller mode on and never off again", [
    working(() => (tx) => ({ setReseller: async (on) => (on ? tx.setReseller(on) : undefined) })),
  ]),
  mutantOf("ORG-10", "toggled", "turns reseller mode over when it is asked for what is so already", [
    {
      ports: (ports) => ({
        ...ports,
        store: withMembers(ports.store, {
          async atomically(organizationId, work) {
            let isAsked = false;
            let isSet = false;
            const result = await ports.store.atomically(organizationId, (tx) =>
              work(
                withMembers(tx, {
                  setReseller: async (on) => {
                    isSet = true;
                    await tx.setReseller(on);
                  },
                }),
              ),
            );
            isAsked = Object.hasOwn(Object(result), "is_reseller");
            if (isAsked && !isSet)
              await ports.store.atomically(organizationId, (tx) => tx.setReseller(!Object(result).is_reseller));
            return result;
          },
        }),
      }),
    },
  ]),
  mutantOf("ORG-11", "everybody", "turns reseller mode on for all organizations", [
    working(() => {
      let isOn = false;
      return (tx) => ({
        organization: tx.organization && { ...tx.organization, isReseller: tx.organization.isReseller || isOn },
        async setReseller(on) {
          isOn = on;
          await tx.setReseller(on);
        },
      });
    }),
  ]),
];
