import type { HookDefinition } from "./requirement.ts";

/** A target's own judgement of signatures. It arranges nothing, so that no check needs it. */
export const verifySignature: HookDefinition = {
  name: "verify_signature",
  says: "Says whether the signature of a delivery is true, where the kit cannot tell.",
  unlocks: "signatures of a form that the kit does not know",
  input: {
    properties: {
      headers: { type: "object", description: "Headers by lower-case names." },
      body: { type: "string", description: "The bytes of the body in base64." },
      secret: { type: "string", description: "The signing secret." },
    },
  },
  answer: { properties: { valid: { type: "boolean", description: "Whether the signature is true." } } },
};
