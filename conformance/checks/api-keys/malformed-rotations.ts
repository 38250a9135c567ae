import { check } from "../../context/check.ts";
import { readScope } from "../../steps/grantable.ts";
import { malformedIds } from "../../steps/malformed-ids.ts";
import { refusesMalformedId } from "../../steps/refuses-malformed-id.ts";

/** Rotations of what cannot be a key. */
export const malformedRotations = check({
  id: "api-keys.malformed-rotations",
  title: "A rotation of an id that is no UUID is refused as invalid",
  rules: ["KEYR-05"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 2 + malformedIds.length },
  async run(t) {
    const main = await (await t.tenant()).main();
    const { id } = await t.createKey(main, [readScope], { own: true });
    t.control(await t.call("rotateApiKey", { path: { id } }, main), "rotating an own key");
    for (const malformed of malformedIds) {
      const exchange = await t.call("rotateApiKey", { path: { id: malformed } }, main);
      refusesMalformedId(t, "KEYR-05", exchange, ["ValidationFailed400", "ValidationFailed"]);
    }
  },
});
