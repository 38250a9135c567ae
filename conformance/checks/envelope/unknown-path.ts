import { randomUUID } from "node:crypto";
import { operations } from "../../../generated/operations.ts";
import { check } from "../../check/check.ts";
import { ownKey } from "../authentication/own-key.ts";
import { envelopeFlaws, envelopeSummary } from "./envelope-flaws.ts";

/** Paths at which no server has anything. */
export const unknownPath = check({
  id: "envelope.unknown-path",
  title: "A path that does not exist is answered with the error envelope, to callers with and without a key",
  rules: ["ENV-29"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: 1,
  async run(t) {
    const { reader } = await ownKey(t, await t.tenant());
    const name = `bylaw-${randomUUID()}`;
    const paths = [
      `/v1/${name}`,
      `/v1/${name}/${randomUUID()}`,
      `${operations.createApiKey.path}/${randomUUID()}/${name}`,
    ];
    for (const path of paths) {
      for (const headers of [{ authorization: `Bearer ${reader.token}` }, {}]) {
        const exchange = await t.send({ method: "GET", path, headers, body: null });
        t.verify("ENV-29", envelopeFlaws(exchange).length === 0, {
          expected: "the error envelope",
          actual: envelopeSummary(exchange),
          exchanges: [exchange],
        });
      }
    }
  },
});
