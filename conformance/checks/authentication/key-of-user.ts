import { takesKeys, userOf } from "../../context/caller-of.ts";
import { check } from "../../context/check.ts";
import { apiOperations } from "../../context/for-each-operation.ts";
import { takesBody } from "../../steps/flaws.ts";
import { readScope } from "../../steps/grantable.ts";
import { soundCall } from "../../steps/sound-call.ts";
import { rulesAgainstKeys } from "./users-only.ts";

const forUsers = apiOperations.filter((operation) => !takesKeys(operation));

/** A key that a signed-in user made: it is a key as every other, not that user. */
export const keyOfUser = check({
  id: "authentication.key-of-user",
  title: "What is for signed-in users is refused to a key that one of them made, too",
  rules: forUsers.flatMap(rulesAgainstKeys),
  kind: "scenario",
  needs: ["session"],
  effects: ["creates"],
  draws: { apiKeyWrites: 1 },
  async run(t) {
    const tenant = await t.tenant();
    const user = await userOf(tenant);
    const { credential } = await t.createKey(user, [readScope], { own: true });
    for (const operation of forUsers) {
      if (!t.serves(operation.id)) continue;
      const { exchange, again } = await soundCall(t, operation, tenant);
      t.control(exchange, `${operation.method} ${operation.path} by a signed-in user`);
      const input = takesBody(operation) ? await again() : {};
      const refused = await t.call(operation.id, input, credential);
      for (const rule of rulesAgainstKeys(operation)) t.refused(rule, refused, "UserRequired");
    }
  },
});
