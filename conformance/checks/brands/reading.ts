import { randomUUID } from "node:crypto";
import { constants } from "../../../generated/constants.ts";
import { brandVerification } from "../../arrangements/brand-verification.ts";
import { check } from "../../context/check.ts";
import { errorOf, isSuccess } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import {
  brandIn,
  callBrand,
  isVerifiedStatus,
  judgeUnverified,
  type RegisteredBrand,
  readBrand,
  registerBrand,
  shownBrand,
  statusOfBrand,
} from "../../steps/brand.ts";
import { malformedIds } from "../../steps/malformed-ids.ts";
import { refusedAlways } from "../../steps/refused-always.ts";
import { isSameId, onceFound } from "../../steps/settle.ts";

/** Brands read by their id, and ids under which there is none. */
export const reading = check({
  id: "brands.reading",
  title: "An own brand is read as the one that it is; an unknown id is not found, a malformed one refused",
  rules: ["BRD-10", "BRD-22"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const brands: [RegisteredBrand, ...RegisteredBrand[]] = [await registerBrand(t, main)];
    // The only one of an organization, or the latest, is not the one that is asked for, where it may have several.
    for (let count = 2; tenant.fresh && count <= 3; count += 1) {
      const exchange = await callBrand(t, main);
      if (isSuccess(exchange)) brands.push(brandIn(t, exchange));
    }
    for (const brand of brands) {
      const exchange = await onceFound(t, tenant, () => readBrand(t, main, brand.id));
      t.accepted("BRD-10", exchange);
      if (!isSuccess(exchange)) continue;
      const { id } = shownBrand(t, "getBrand", exchange);
      t.verify("BRD-22", isSameId(id, brand.id), {
        expected: `the brand ${brand.id}`,
        actual: String(id),
        exchanges: [brand.exchange, exchange],
      });
    }
    const [{ id: verified }] = brands;
    if (tenant.can(brandVerification)) {
      await tenant.arrange(brandVerification, { brand_id: verified, verdict: constants.verifiedBrand });
      t.accepted("BRD-10", await readBrand(t, main, verified));
    }
    const unknown = await refusedAlways(t, "BRD-10", () => readBrand(t, main, randomUUID()), "NotFound");
    t.equal("BRD-10", "error.details", errorOf(unknown)?.details, undefined, unknown);
    for (const id of malformedIds) t.refused("BRD-10", await readBrand(t, main, id), "ValidationFailed400");
  },
});

/** What a brand is at first. */
export const unverifiedAtFirst = check({
  id: "brands.unverified-at-first",
  title: "A brand that was just registered is not verified yet",
  rules: ["BRD-06"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const { id, exchange } = await registerBrand(t, main);
    const { status } = shownBrand(t, "createBrand", exchange);
    if (status === null && isVerifiedStatus(await statusOfBrand(t, main, id)))
      throw new Blocked(
        "the answer to a registration shows no identity status, and a moment later the brand is verified",
        "say where it stands, if it does: shapes in the target file",
      );
    judgeUnverified(t, exchange);
  },
});
