import { createSession } from "../../generated/client/sandbox-organizations.ts";
import { arrangement } from "./arrangement.ts";
import { member } from "./hook-members.ts";

/** The token of a session of a user of the organization. */
export const signedInUser = arrangement({
  need: "session",
  does: "sign a user in",
  async sandbox({ ask, path, learn }, _: object): Promise<string> {
    const { token } = await ask("sign a user in", (transport) => createSession(transport, { path, body: {} }));
    learn(token, "SESSION");
    return token;
  },
  hook: {
    definition: {
      name: "sign_in",
      says: "Signs a user of an organization in, who belongs to no other.",
      unlocks: "what only users may do",
      input: { properties: { organization_id: member.organization } },
      answer: {
        properties: { token: { type: "string", minLength: 1, description: "Bearer token of the user's session." } },
      },
      secret: "token",
    },
    async ask(ask) {
      const { token } = await ask({});
      return String(token);
    },
  },
  given: {
    definition: {
      setting: "session_token",
      variable: "BYLAW_SESSION_TOKEN",
      what: "a user's session token",
      says: "Token of a signed-in user of the first organization.",
      isOfGivenOrganization: true,
      ifRefused: "Sign the user in again and give the kit the new token, or leave it out.",
    },
    instead: (token) => token,
  },
});
