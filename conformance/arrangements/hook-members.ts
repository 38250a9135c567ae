import type { MemberSchema, Members } from "./requirement.ts";

/** Members that several hooks get. */
export const member = {
  organization: {
    type: ["string", "null"],
    description: "The organization; null where the kit was not told whose the key is that it was given.",
  },
  clock: {
    type: "string",
    enum: ["manual", "real"],
    description: "Whose time it is: manual when it stands still and moves through advance alone.",
  },
} as const satisfies Readonly<Record<string, MemberSchema>>;

/** An answer that says nothing. */
export const noMembers: Members = { properties: {} };
