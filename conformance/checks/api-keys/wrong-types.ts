import { check } from "../../context/check.ts";
import { newLabel } from "../../provision/new-label.ts";
import { bodyRefusals } from "../../steps/body-refusals.ts";
import { readScope } from "../../steps/grantable.ts";

const wrongScopes: readonly unknown[] = [null, 1, true, {}, [1], [null], readScope];
const wrongLabels: readonly unknown[] = [1, true, {}, []];

/** Members of the body that are missing or of another type. */
export const wrongTypes = check({
  id: "api-keys.wrong-types",
  title: "A creation with a member missing or of the wrong type is refused as invalid",
  rules: ["KEYC-27", "KEYC-28"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 2 + wrongScopes.length + wrongLabels.length },
  async run(t) {
    const main = await (await t.tenant()).main();
    const sound = { label: newLabel(), scopes: [readScope] };
    await t.createKey(main, sound.scopes);
    const { scopes: _, ...missing } = sound;
    for (const body of [missing, ...wrongScopes.map((scopes) => ({ ...sound, scopes }))]) {
      const exchange = await t.call("createApiKey", { body }, main);
      t.refused("KEYC-27", exchange, ...bodyRefusals);
    }
    for (const label of wrongLabels) {
      const exchange = await t.call("createApiKey", { body: { ...sound, label } }, main);
      t.refused("KEYC-28", exchange, ...bodyRefusals);
    }
  },
});
