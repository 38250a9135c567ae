import { randomUUID } from "node:crypto";
import { operationList } from "../../../generated/operations.ts";
import { check } from "../../context/check.ts";
import { isSuccess } from "../../exchange/exchange.ts";
import { isFrontRefusal } from "../../exchange/front-refusal.ts";
import { NotApplicable } from "../../outcome/verdict.ts";
import { readScope } from "../../steps/grantable.ts";
import { ownKey } from "../../steps/own-key.ts";
import { envelopeFlaws, envelopeSummary } from "./envelope-flaws.ts";

/**
 * What is tried on a path. A server may serve more methods than the document shows, so a collection is spared those
 * that could add to it or empty it, and a single record is one that does not exist.
 */
const methodsFor = (path: string): readonly string[] =>
  path.includes("{") ? ["GET", "POST", "PUT", "PATCH", "DELETE"] : ["GET", "PUT", "PATCH"];

/** Methods that a known path does not serve. */
export const wrongMethod = check({
  id: "envelope.wrong-method",
  title: "A method that a path does not serve is answered with the error envelope, with and without a key",
  rules: ["ENV-30"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: {},
  sharedKeys: [[readScope]],
  async run(t) {
    const { reader } = await ownKey(t, await t.tenant());
    const authorization = `Bearer ${reader.token}`;
    const ways = [
      { headers: { authorization }, body: null },
      { headers: { authorization, "content-type": "application/json" }, body: "{}" },
      { headers: {}, body: null },
    ];
    const known = operationList.filter((operation) => operation.service === "api");
    let tried = 0;
    for (const template of new Set(known.map((operation) => operation.path))) {
      const served: readonly string[] = known.filter((o) => o.path === template).map((o) => o.method);
      const path = template.replaceAll(/\{\w+\}/g, () => randomUUID());
      for (const method of methodsFor(template).filter((m) => !served.includes(m))) {
        for (const way of ways) {
          const exchange = await t.send({ method, path, ...way });
          // The server serves this method, which the document does not forbid.
          if (isSuccess(exchange)) break;
          tried += 1;
          // A proxy or an HTTP parser before the server may refuse odd HTTP with a page (Q134).
          if (isFrontRefusal(exchange)) {
            t.observe("ENV-30", `${method} ${template} gives ${envelopeSummary(exchange)}`, exchange);
            continue;
          }
          t.verify("ENV-30", envelopeFlaws(exchange).length === 0, {
            expected: `the error envelope for ${method} ${template}`,
            actual: envelopeSummary(exchange),
            exchanges: [exchange],
          });
        }
      }
    }
    if (tried === 0) throw new NotApplicable("the target serves every method that was tried");
  },
});
