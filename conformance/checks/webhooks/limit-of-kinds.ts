import { bounds } from "../../../generated/limits.ts";
import { type Check, check } from "../../context/check.ts";
import { isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { bodyLike, callCreate, createEndpoint } from "../../steps/endpoint.ts";
import { organizationKinds } from "../../steps/organization-kinds.ts";

const { activeWebhookEndpoints: capacity } = bounds;

/** The kinds of the check. Each kind requires many calls. */
const visited = organizationKinds.filter(({ wish }) => wish.finest_granularity === undefined);

/** The limit on endpoints for each kind of organization. */
export const endpointLimitsOfKinds: readonly Check[] = visited.map(({ id, what, needs, wish }) =>
  check({
    id: `webhooks.limit-of.${id}`,
    title: `The limit on active endpoints applies to ${what}`,
    rules: ["WHE-02", "WHE-03"],
    kind: "scenario",
    needs: ["fresh-organization", ...needs],
    effects: ["creates", "exhausts"],
    draws: {},
    async run(t) {
      const main = await (await t.otherTenant({ clock: "manual", ...wish })).main();
      const one = await createEndpoint(t, main);
      const create = () => callCreate(t, main, bodyLike(one));
      for (let made = 1; made < capacity; made += 1) {
        const exchange = await create();
        if (!isSuccess(exchange) && !answeredBy(exchange, "LimitExceeded"))
          throw new Blocked(`a creation was answered ${summaryOf(exchange)}`, "see WHE-01 first", "server");
        t.verify("WHE-02", isSuccess(exchange), {
          expected: `${capacity} endpoints admitted to ${what}`,
          actual: `${made} admitted, and ${summaryOf(exchange)}`,
          exchanges: [exchange],
        });
        if (!isSuccess(exchange)) return;
      }
      t.refused("WHE-03", await create(), "LimitExceeded");
    },
  }),
);
