import { createSession } from "../../generated/client/sandbox-organizations.ts";
import type { Transport } from "../../generated/runtime/transport.ts";
import { arrangement } from "./arrangement.ts";
import { member } from "./hook-members.ts";

/** Whose session is wanted. */
interface SignIn {
  /** Id of a user who was signed in before; somebody new where it is left out. */
  readonly user_id?: string;
}

/** A session of a user of the organization. */
export interface UserSession {
  readonly token: string;
  /** Whose it is; null where the target does not tell. */
  readonly userId: string | null;
}

/** A session of a user of the organization. */
export const signedInUser = arrangement({
  need: "session",
  sandboxOperation: "createSession",
  does: "sign a user in",
  async sandbox({ ask, path, learn }, wanted: SignIn): Promise<UserSession> {
    const call = (transport: Transport) => createSession(transport, { path, body: wanted });
    const { token, user_id: userId = null } = await ask("sign a user in", call);
    learn(token, "SESSION");
    return { token, userId };
  },
  hook: {
    definition: {
      name: "sign_in",
      says: "Signs a user of an organization in, who belongs to no other.",
      unlocks: "what only users may do",
      input: {
        properties: {
          organization_id: member.organization,
          user_id: { type: "string", description: "Who is to be signed in once more; left out, somebody new." },
        },
        optional: ["user_id"],
      },
      answer: {
        properties: {
          token: { type: "string", minLength: 1, description: "Bearer token of the user's session." },
          user_id: {
            type: "string",
            minLength: 1,
            description: "Whose it is; left out where nobody can be signed in twice.",
          },
        },
        optional: ["user_id"],
      },
      secret: "token",
    },
    async ask(ask, wanted) {
      const { token, user_id } = await ask({ ...wanted });
      return { token: String(token), userId: user_id === undefined ? null : String(user_id) };
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
    instead: (token) => ({ token, userId: null }),
  },
});
