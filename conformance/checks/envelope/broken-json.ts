import type { OperationId } from "../../../generated/operations.ts";
import { rowAllows, rowNamed, rowsWithCode } from "../../check/admits.ts";
import type { Check } from "../../check/check.ts";
import type { CheckContext } from "../../check/context.ts";
import { newLabel } from "../../check/new-label.ts";
import { Blocked } from "../../check/verdict.ts";
import { codeOf, isSuccess, statusOf, summaryOf } from "../../exchange/exchange.ts";
import type { Credential } from "../../ladder/tenant.ts";
import { readScope } from "../api-keys/grantable.ts";
import { answeredBy } from "../authentication/answered-by.ts";
import { bodyLike, createEndpoint } from "../webhooks/endpoint.ts";
import { envelopeFlaws, envelopeSummary } from "./envelope-flaws.ts";

/** Ways to break the text of a JSON object, each with one fault of syntax. */
const faults: Readonly<Record<string, (json: string) => string>> = {
  "cut short": (json) => json.slice(0, -1),
  "a brace too many": (json) => `${json}}`,
  "a trailing comma": (json) => json.replace(/\}$/, ",}"),
  "single quotes": (json) => json.replaceAll('"', "'"),
  "a name without quotes": (json) => json.replace(/"(\w+)":/, "$1:"),
  "a bare word": (json) => json.replace(/:"[^"]*"/, ":bylaw"),
  "a NUL between two tokens": (json) => json.replace("{", "{\u0000"),
};

interface Taker {
  readonly operation: OperationId;
  /**
   * Makes sound bodies, each another one, of the kind that was taken just before; blocks where it was not. A server that
   * reads one of them although it is broken must not meet it again: it may want every creation to be another.
   */
  readonly bodies: (t: CheckContext, as: Credential) => Promise<() => unknown>;
}

/** Operations that take a body. */
const takers: readonly Taker[] = [
  {
    operation: "createApiKey",
    async bodies(t, as) {
      await t.createKey(as, [readScope]);
      return () => ({ label: newLabel(), scopes: [readScope] });
    },
  },
  {
    operation: "createWebhookEndpoint",
    async bodies(t, as) {
      const endpoint = await createEndpoint(t, as);
      return () => t.shapeRequest("createWebhookEndpoint", bodyLike(endpoint));
    },
  },
];

/** A body that is no JSON, otherwise a sound creation. */
export const brokenJson: Check = {
  id: "envelope.broken-json",
  title: "A body of broken JSON is refused in the error envelope",
  rules: ["ENV-31"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: 1 + Object.keys(faults).length,
  async run(t) {
    const main = await (await t.tenant()).main();
    const rows = [rowNamed("InvalidInput"), rowNamed("ValidationFailed")];
    for (const { operation, bodies } of takers.filter((taker) => t.serves(taker.operation))) {
      const body = await bodies(t, main);
      for (const [fault, broken] of Object.entries(faults)) {
        const exchange = await t.call(operation, { rawBody: broken(JSON.stringify(body())) }, main);
        // What was read although it is broken takes up room, and a server may look for room before it reads.
        if (answeredBy(exchange, "LimitExceeded"))
          throw new Blocked(`${operation} was answered ${summaryOf(exchange)}`, "delete endpoints that are not used");
        const status = statusOf(exchange) ?? 0;
        const enveloped = envelopeFlaws(exchange).length === 0;
        t.verify("ENV-31", rows.some((row) => rowAllows(row, status)) && enveloped, {
          expected: `${rows.map((row) => row.referenceStatus).join(" or ")} in the error envelope for JSON with ${fault}`,
          actual: envelopeSummary(exchange),
          exchanges: [exchange],
          // Some parsers read more than JSON, and new codes may come with a status of their own.
          warnOnly:
            isSuccess(exchange) || (enveloped && status < 500 && rowsWithCode(codeOf(exchange) ?? "").length === 0),
        });
      }
    }
  },
};
