import { organizationState } from "../../arrangements/organization-state.ts";
import { check } from "../../context/check.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { leftAsItWas, watchingEffects } from "../../steps/effect-of.ts";
import {
  bodyLike,
  callCreate,
  createEndpoint,
  type EndpointBody,
  isRefused,
  usualEvent,
} from "../../steps/endpoint.ts";

/** Bodies of creations with one defect each; which of them a server refuses is partly open. */
const flawed = (sound: EndpointBody): readonly unknown[] => [
  { ...sound, events: ["bylaw.unknown"] },
  { ...sound, events: [usualEvent, "bylaw.unknown"] },
  ...[[], [usualEvent, usualEvent], null, usualEvent, {}, [1]].map((events) => ({ ...sound, events })),
  ...[null, 1, {}, "", "not a url", "/relative"].map((url) => ({ ...sound, url })),
  ...["ftp://bylaw.example/", "https://user:password@bylaw.example/", "http://169.254.169.254/latest"].map((url) => ({
    ...{ ...sound, url },
  })),
  { ...sound, url: `https://bylaw.example/${"a".repeat(16 * 1024)}` },
  { url: sound.url },
  { events: sound.events },
  ...[[], null, "endpoint"],
];

/** What a refused creation leaves behind. */
export const refusedCreations = check({
  id: "webhooks.refused-creations",
  title: "A creation that is refused as invalid changes nothing in the organization",
  rules: ["WHE-12"],
  kind: "scenario",
  needs: ["state"],
  effects: ["creates"],
  draws: {},
  run: watchingEffects(async (t, effectOf) => {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const empty = await tenant.arrange(organizationState, {});
    const sound = bodyLike(await createEndpoint(t, main));
    const one = await tenant.arrange(organizationState, {});
    // A digest that a new endpoint does not change would prove nothing by standing still.
    if (one.digest === empty.digest) {
      const unblock = "check the sandbox of the target";
      throw new Blocked("the sandbox's digest does not change with a new endpoint", unblock, "environment");
    }
    let refused = 0;
    for (const body of flawed(sound)) {
      const { exchange, before, after } = await effectOf(tenant, () => callCreate(t, main, body));
      // What is accepted may be stored.
      if (isRefused(exchange)) leftAsItWas(t, "WHE-12", { before, after }, exchange);
      if (isRefused(exchange)) refused += 1;
    }
    if (refused === 0) throw new Blocked("no creation was refused as invalid", "see WHE-09 first", "server");
  }),
});
