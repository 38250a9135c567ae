import * as fc from "fast-check";
import type { EventType } from "../../../generated/events.ts";
import { check } from "../../context/check.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { deleteEndpoint } from "../../steps/endpoint.ts";
import { roomyBucket } from "../../steps/roomy-bucket.ts";
import { settle } from "../../steps/settle.ts";
import { byReceiver, forEachVantage } from "../../steps/vantage.ts";
import { chosenTypes } from "./chosen-types.ts";
import {
  answering,
  creation,
  deletion,
  type EndpointCommand,
  emission,
  moving,
  reading,
  replaying,
  rotation,
  testing,
  trespassing,
} from "./endpoint-commands.ts";
import { type EndpointModel, type EndpointWorld, newModel, type Owner } from "./endpoint-model.ts";
import { judgeAll, judgeSigned } from "./judge-endpoint-life.ts";

const [one, other] = chosenTypes;

const subscriptions: readonly (readonly EventType[])[] = [[one], [other], [one, other]];

const longest = 20;

/** What every sequence begins with. */
const beginning: readonly EndpointCommand[] = [creation(0, [one]), creation(0, [one, other]), creation(1, [one])];

const owner = fc.constantFrom<Owner>(0, 1);
const type = fc.constantFrom(one, other);
const endpoint = fc.nat({ max: 11 });

/** What happens most shows most of what the others have done. */
const commands: readonly fc.WeightedArbitrary<EndpointCommand>[] = [
  { weight: 5, arbitrary: fc.tuple(owner, type).map(([who, what]) => emission(who, what)) },
  {
    weight: 2,
    arbitrary: fc.tuple(owner, fc.constantFrom(...subscriptions)).map(([who, what]) => creation(who, what)),
  },
  { weight: 2, arbitrary: endpoint.map(deletion) },
  { weight: 2, arbitrary: endpoint.map(rotation) },
  { weight: 2, arbitrary: endpoint.map(replaying) },
  { weight: 2, arbitrary: fc.tuple(endpoint, fc.constantFrom(200, 500, null)).map(([at, met]) => answering(at, met)) },
  {
    weight: 2,
    arbitrary: fc.tuple(owner, fc.constantFrom(1, 60, 3600, 12 * 3600)).map(([who, by]) => moving(who, by)),
  },
  { weight: 1, arbitrary: endpoint.map(testing) },
  { weight: 1, arbitrary: endpoint.map(trespassing) },
  { weight: 1, arbitrary: owner.map(reading) },
];

/** One that puts every rule to the test. */
const fixed: readonly EndpointCommand[] = [
  emission(0, one),
  reading(0),
  replaying(0),
  rotation(0),
  emission(0, one),
  testing(1),
  trespassing(1),
  trespassing(0),
  answering(1, 500),
  emission(0, other),
  moving(0, 3600),
  reading(0),
  deletion(0),
  deletion(1),
  deletion(0),
  rotation(0),
  replaying(0),
  creation(0, [one]),
  emission(0, one),
  emission(1, one),
  moving(0, 3600),
  reading(0),
];

/** Endpoints of two organizations through arbitrary sequences of what can happen to them. */
export const endpointLife = forEachVantage([byReceiver], (vantage) =>
  check({
    id: "webhooks.endpoint-life",
    title:
      "Whatever was done before, endpoints are sent what is for them and nothing else, signed with their last secret",
    rules: [
      ...(["WHE-08", "WHE-10", "WHE-11", "WHE-13", "WHE-14", "WHE-16", "WHE-17"] as const),
      ...(["WHP-01", "WHP-13", "WHP-15", "WHP-33", "WHR-12", "WHR-13", "WHR-16"] as const),
      ...(["EVT-14", "EVT-16", "WHL-07", "WHL-08", "TEN-02", "TEN-03", "TEN-04", "TEN-12"] as const),
    ],
    kind: "property",
    needs: ["manual-clock", "emit", "limit-override"],
    effects: ["creates"],
    draws: { deliveryReplays: longest },
    mostRuns: 20,
    async run(t) {
      const wish = { clock: "manual", limits: { deliveryReplays: roomyBucket } } as const;
      const owners = [await (await t.tenant(wish)).main(), await (await t.otherTenant(wish)).main()] as const;
      const world: EndpointWorld = { t, vantage, owners };
      const live = async (sequence: readonly EndpointCommand[]): Promise<EndpointModel> => {
        const model = newModel();
        try {
          for (const command of [...beginning, ...sequence])
            if (await command.check(model)) await command.run(model, world);
          // What nobody owed may have become due all the same.
          for (const { tenant } of owners) await settle(tenant);
          await judgeAll(model, world);
          await judgeSigned(model, world);
          return model;
        } finally {
          // The next sequence has endpoints of its own, and an organization only so many.
          for (const { deletion: gone, watched } of model.endpoints)
            if (gone === null) await deleteEndpoint(t, watched.endpoint).catch(() => undefined);
        }
      };
      await t.property(fc.array(fc.oneof(...commands), { maxLength: longest, size: "max" }), async (sequence) => {
        await live(sequence);
      });
      // Whatever the seed chose, every rule has been put to the test.
      const known = [...(await live(fixed)).events.values()];
      for (const [came, see] of [
        ["of a test", "say where the answer to a test names its event: shapes in the target file"],
        ["of a replay", "see WHP-01 and WHL-08 first"],
      ] as const)
        if (!known.some((event) => event.came === came))
          throw new Blocked(`no event ${came} is known`, see, came === "of a test" ? "target file" : "server");
    },
  }),
);
