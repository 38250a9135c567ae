import { check } from "../../context/check.ts";
import { dataOf, type Exchange, objectOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { readScope } from "../../steps/grantable.ts";
import { rotatedKey } from "../../steps/rotated-key.ts";
import { eventually } from "../../steps/settle.ts";
import { tolerated } from "./last-use.ts";

/** A key that nobody used before it was rotated. */
export const useAfterRotation = check({
  id: "api-keys.use-after-rotation",
  title: "A call with the secret of a rotation is a use of the key",
  rules: ["KEYG-06"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 2 },
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const before = await t.createKey(main, [readScope], { own: true });
    const rotated = t.control(await t.call("rotateApiKey", { path: { id: before.id } }, main), "rotating an own key");
    const after = rotatedKey(t, rotated, before);
    const path = { id: after.id ?? before.id };
    const use = t.control(await t.call("getApiKey", { path }, after), "a rotated key reading itself");
    // Who gives it another id need not say which.
    if (!after.token.startsWith(String(objectOf(dataOf(use))?.prefix)))
      throw new Blocked("the answer to a rotation does not name the key's new id", "name it, or see KEYR-08 first");
    let read: Exchange = use;
    const noted = await eventually(t, tenant, async () => {
      read = t.control(await t.call("getApiKey", { path }, main), "reading a rotated key");
      return typeof objectOf(dataOf(read))?.last_used_at === "string" ? read : null;
    });
    const { pollTimeout } = t.timing;
    t.verify("KEYG-06", noted !== null, {
      expected: `last_used_at, a timestamp within ${pollTimeout} ms of a call with the secret of a rotation`,
      actual: JSON.stringify(objectOf(dataOf(read))?.last_used_at) ?? "none",
      exchanges: [rotated, use, read],
      // How soon the time is written is open.
      question: pollTimeout < tolerated ? "Q43" : null,
    });
  },
});
