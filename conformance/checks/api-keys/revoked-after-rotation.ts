import { revocation } from "../../arrangements/revocation.ts";
import { check } from "../../context/check.ts";
import { dataOf, objectOf } from "../../exchange/exchange.ts";
import { readScope } from "../../steps/grantable.ts";
import { createdAtIn, judgeInstant } from "../../steps/judge-instant.ts";
import { idOf } from "../../steps/own-key.ts";
import { rotatedKey } from "../../steps/rotated-key.ts";

/** A key that was rotated, and is revoked then. */
export const revokedAfterRotation = check({
  id: "api-keys.revoked-after-rotation",
  title: "A key that was rotated ends with all its secrets when it is revoked, and tells of it",
  rules: ["AUTH-05", "KEYG-07"],
  kind: "scenario",
  needs: ["revocation"],
  effects: ["creates"],
  draws: { apiKeyWrites: 2 },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const before = await t.createKey(main, [readScope], { own: true });
    const rotation = t.control(await t.call("rotateApiKey", { path: { id: before.id } }, main), "rotating an own key");
    const after = rotatedKey(t, rotation, before);
    const path = { id: idOf(after) };
    t.control(await t.call("getApiKey", { path }, after), "a rotated key reading itself");
    await tenant.arrange(revocation, after);
    for (const secret of [after, before.credential])
      t.refused("AUTH-05", await t.attempt("getApiKey", { path }, secret), "Unauthorized");
    const read = t.control(await t.call("getApiKey", { path }, main), "reading a revoked key");
    judgeInstant(t, "KEYG-07", {
      name: "revoked_at",
      value: objectOf(dataOf(read))?.revoked_at,
      from: createdAtIn(before.data),
      until: tenant.manualClock ? Number.POSITIVE_INFINITY : read.answeredAt,
      question: null,
      exchanges: [rotation, read],
    });
  },
});
