import { check } from "../../context/check.ts";
import { isSuccess, statusOf } from "../../exchange/exchange.ts";
import { isFrontRefusal } from "../../exchange/front-refusal.ts";
import { NotApplicable } from "../../outcome/verdict.ts";
import { newLabel } from "../../provision/new-label.ts";
import { readScope } from "../../steps/grantable.ts";
import { envelopeFlaws, envelopeSummary } from "./envelope-flaws.ts";

/** How HTTP lets a server decline chunks: it wants a length, or does not implement them. */
const declined: readonly (number | null)[] = [411, 501];

/** A body whose length no header tells. */
export const chunkedBody = check({
  id: "envelope.chunked-body",
  title: "A body in chunks is read as any other, or declined in the error envelope",
  rules: ["ENV-03", "ENV-44"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 2 },
  async run(t) {
    const main = await (await t.tenant()).main();
    const body = () => ({ label: newLabel(), scopes: [readScope] });
    t.control(await t.call("createApiKey", { body: body() }, main), "creating a key");
    const headers = { "transfer-encoding": "chunked" };
    const exchange = await t.call("createApiKey", { body: body(), headers, isOddHttp: true }, main);
    if (exchange.outcome.kind === "lost")
      throw new NotApplicable("the target ends the connection where a body has no length");
    // A proxy before the server may require a length (Q134).
    if (isFrontRefusal(exchange)) throw new NotApplicable("the target requires the length of a body");
    if (!isSuccess(exchange))
      t.verify("ENV-03", envelopeFlaws(exchange).length === 0, {
        expected: "success, or an error in the envelope, for a body in chunks",
        actual: envelopeSummary(exchange),
        exchanges: [exchange],
      });
    if (declined.includes(statusOf(exchange))) throw new NotApplicable("the target requires the length of a body");
    t.accepted("ENV-44", exchange);
    if (isSuccess(exchange)) throw new NotApplicable("the target reads a body in chunks");
  },
});
