import * as fc from "fast-check";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import type { Credential } from "../../provision/tenant.ts";
import { callBrand } from "../../steps/brand.ts";
import { callReseller } from "../../steps/reseller-mode.ts";

type LifeRule = "ORG-02" | "ORG-03" | "ORG-04" | "ORG-10";

/** What is known of an organization. */
interface Model {
  isReseller: boolean;
  brands: number;
}

interface Real {
  readonly t: CheckContext<LifeRule>;
  readonly as: Credential;
}

type LifeCommand = fc.AsyncCommand<Model, Real>;

/** Turns reseller mode on or off. What is so already may be a conflict, or anything, as long as it stays so. */
const turn = (on: boolean): LifeCommand => ({
  check: () => true,
  async run(model, { t, as }) {
    const exchange = await callReseller(t, as, on);
    if (on === model.isReseller) return;
    if (on) t.accepted("ORG-02", exchange);
    else if (model.brands > 0) t.refused("ORG-03", exchange, "ResellerHasBrands");
    else t.accepted("ORG-04", exchange);
    if (on || model.brands === 0) model.isReseller = on;
  },
  toString: () => `turn ${on ? "on" : "off"}`,
});

const register: LifeCommand = {
  check: () => true,
  async run(model, { t, as }) {
    const exchange = await callBrand(t, as);
    if (!model.isReseller && model.brands > 0) {
      t.refused("ORG-10", exchange, "ResellerRequired");
      return;
    }
    t.accepted("ORG-10", exchange);
    model.brands += 1;
  },
  toString: () => "register a brand",
};

/** Reseller mode and brands of one organization. */
export const resellerLife = check({
  id: "organization.reseller-life",
  title: "Whatever was changed before, reseller mode decides whether there may be a second brand",
  rules: ["ORG-02", "ORG-03", "ORG-04", "ORG-10"],
  kind: "property",
  needs: ["reseller-mode"],
  effects: ["creates", "spends"],
  draws: {},
  mostRuns: 12,
  async run(t) {
    const run = async (sequence: Iterable<LifeCommand>): Promise<void> => {
      // One that is a reseller may be one: others could be personal.
      const tenant = await t.otherTenant({ clock: "manual", is_reseller: true });
      const model: Model = { isReseller: true, brands: 0 };
      const real: Real = { t, as: await tenant.main() };
      for (const command of sequence) if (command.check(model)) await command.run(model, real);
    };
    const commands = [fc.boolean().map(turn), fc.constant(register)];
    // An array, whose path says all that is needed to find a sequence again.
    await t.property(fc.array(fc.oneof(...commands), { maxLength: 8 }), run);
    // Shrinking aside, every rule must have been put to the test at least once.
    await run([turn(true), turn(false), turn(true), register, register, turn(false), register]);
    await run([turn(true), turn(true), turn(false), turn(false), register, register, turn(true), register]);
  },
});
