import { createSession } from "../../generated/client/sandbox-organizations.ts";
import { arrangement } from "./arrangement.ts";

/** The token of a session of a user of the organization. */
export const signedInUser = arrangement({
  need: "session",
  does: "sign a user in",
  async sandbox({ ask, path, learn }, _: object): Promise<string> {
    const { token } = await ask("sign a user in", (transport) => createSession(transport, { path, body: {} }));
    learn(token, "SESSION");
    return token;
  },
  // It is a session of the organization whose key was given.
  given: ({ key, session }) => (key === null ? null : session),
});
