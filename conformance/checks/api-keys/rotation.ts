import type { Check } from "../../check/check.ts";
import { dataOf, headerOf, isSuccess, objectOf } from "../../exchange/exchange.ts";
import { readScope } from "./grantable.ts";

/** A key whose secret was replaced. */
export const rotation: Check = {
  id: "api-keys.rotation",
  title: "Rotation gives a new secret that authenticates and that no read shows",
  rules: ["KEYR-02", "KEYR-03"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: 2,
  async run(t) {
    const main = await (await t.tenant()).main();
    const before = await t.createKey(main, [readScope], { own: true });
    const rotated = t.control(await t.call("rotateApiKey", { path: { id: before.id } }, main), "rotating an own key");
    const key = objectOf(dataOf(rotated)) ?? {};
    const plaintext = typeof key.plaintext === "string" ? key.plaintext : "";
    // The document does not say whether the rotated key keeps its id.
    const id = typeof key.id === "string" ? key.id : before.id;
    t.verify("KEYR-02", plaintext !== "" && plaintext !== before.credential.token, {
      expected: "a plaintext other than the old one",
      actual: plaintext === "" ? "no plaintext" : "the old one",
      exchanges: [before.exchange, rotated],
    });
    const credential = { ...before.credential, name: "rotated key", token: plaintext, id };
    const own = await t.call("getApiKey", { path: { id } }, credential);
    t.accepted("KEYR-02", own);
    for (const exchange of [own, await t.call("getApiKey", { path: { id } }, main)]) {
      if (!isSuccess(exchange)) continue;
      const data = objectOf(dataOf(exchange)) ?? {};
      const text = `${JSON.stringify(data)} ${headerOf(exchange, "location") ?? ""}`;
      const shows = Object.hasOwn(data, "plaintext") || (plaintext !== "" && text.includes(plaintext));
      t.verify("KEYR-03", !shows, { expected: "no secret", actual: "the new secret", exchanges: [exchange] });
    }
  },
};
