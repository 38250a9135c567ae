import { Blocked } from "../../outcome/verdict.ts";
import { refusesBody } from "../body-refusals.ts";
import { bodyLike, callCreate, createEndpoint, endpointBody } from "../endpoint.ts";
import type { InputMaker, SoundInputs } from "../input-maker.ts";

/** An endpoint of the call's own, since others may change or delete theirs. */
const ownEndpoint: InputMaker = {
  make: async (t, tenant) => ({ path: { id: (await createEndpoint(t, await tenant.main())).id } }),
};

export const soundInputs: SoundInputs<"webhooks"> = {
  createWebhookEndpoint: {
    async make(t, tenant) {
      const main = await tenant.main();
      const body = endpointBody({});
      // Which addresses are admitted is learnt by trial. Where the operation is not there, the call itself shows it.
      const admitted = refusesBody(await callCreate(t, main, body)) ? await createEndpoint(t, main) : body;
      return { body: t.shapeRequest("createWebhookEndpoint", bodyLike(admitted)) };
    },
  },
  deleteWebhookEndpoint: ownEndpoint,
  rotateEndpointSecret: ownEndpoint,
  testWebhookEndpoint: ownEndpoint,
  rotateOrganizationSecret: {
    async make(_, { own }) {
      if (own) return {};
      throw new Blocked(
        "to rotate the secret of an organization that others use would cut off who verifies with it",
        "give the kit organizations of its own: a sandbox, or a new_organization hook",
      );
    },
  },
};
