import { getOrganizationState } from "../../generated/client/sandbox-organizations.ts";
import type { OrganizationState } from "../../generated/models/sandbox-organizations.ts";
import { arrangement } from "./arrangement.ts";
import { member } from "./hook-members.ts";

const textsIn = (contents: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(contents ?? {}).map(([name, text]) => [name, String(text)]));

/** Balance, spend and a digest of all that an organization has. */
export const organizationState = arrangement({
  need: "state",
  sandboxOperation: "getOrganizationState",
  does: "read an organization's state",
  sandbox: ({ ask, path }, _: object): Promise<OrganizationState> =>
    ask("read the organization's state", (transport) => getOrganizationState(transport, { path })),
  hook: {
    definition: {
      name: "organization_state",
      says: "Tells what an organization has, to be compared before and after a call.",
      unlocks: "charges and refunds, and that a refused call changes nothing",
      input: { properties: { organization_id: member.organization } },
      answer: {
        properties: {
          now: { type: "string", description: "The organization's time, RFC 3339." },
          wallet_micros: {
            type: "integer",
            minimum: 0,
            description: "Millionths of a US dollar in its wallet.",
          },
          lifetime_spend_micros: {
            type: "integer",
            minimum: 0,
            description: "Millionths of a US dollar that it has spent so far.",
          },
          digest: {
            type: "string",
            minLength: 1,
            description:
              "Any text that changes whenever something of the organization does, such as a hash of its rows, but for levels of limits and times of last use.",
          },
          contents: {
            type: "object",
            description:
              "What the digest is of, by name: of each kind of thing a text that changes whenever something of it does, such as how many there are. Reports tell what of it a call changed.",
          },
        },
        optional: ["contents"],
      },
    },
    async ask(ask): Promise<OrganizationState> {
      const { now, wallet_micros, lifetime_spend_micros, digest, contents } = await ask({});
      return {
        now: String(now),
        wallet_micros: Number(wallet_micros),
        lifetime_spend_micros: Number(lifetime_spend_micros),
        digest: String(digest),
        ...(contents === undefined ? {} : { contents: textsIn(contents) }),
      };
    },
  },
});
