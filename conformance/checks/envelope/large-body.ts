import { check } from "../../context/check.ts";
import { isSuccess } from "../../exchange/exchange.ts";
import { NotApplicable } from "../../outcome/verdict.ts";
import { newLabel } from "../../provision/new-label.ts";
import { readScope } from "../../steps/grantable.ts";
import { envelopeFlaws, envelopeSummary } from "./envelope-flaws.ts";

/** Bytes, somewhat more than a mebibyte: what many fronts and libraries take at most unless they are told otherwise. */
const size = 1_100_000;

/** A body that may be too large: whether it is, is open. */
export const largeBody = check({
  id: "envelope.large-body",
  title: "A body of more than a mebibyte is taken, or refused in the error envelope",
  rules: ["ENV-03"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 2 },
  async run(t) {
    const main = await (await t.tenant()).main();
    const body = () => ({ label: newLabel(), scopes: [readScope] });
    t.control(await t.call("createApiKey", { body: body() }, main), "creating a key");
    // Blanks behind JSON mean nothing, so that nothing but the size is odd.
    const rawBody = JSON.stringify(body()).padEnd(size);
    const exchange = await t.call("createApiKey", { rawBody }, main);
    // Who refuses a body need not read it to its end, and then the client may not see the answer.
    if (exchange.outcome.kind === "lost")
      throw new NotApplicable(`the target ends the connection where a body has ${size} bytes`);
    if (isSuccess(exchange)) throw new NotApplicable(`the target reads a body of ${size} bytes`);
    t.verify("ENV-03", envelopeFlaws(exchange).length === 0, {
      expected: `success, or an error in the envelope, for a body of ${size} bytes`,
      actual: envelopeSummary(exchange),
      exchanges: [exchange],
    });
  },
});
