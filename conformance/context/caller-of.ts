import type { Operation } from "../../generated/runtime/operation.ts";
import type { Need } from "../arrangements/all.ts";
import { signedInUser } from "../arrangements/signed-in-user.ts";
import { Blocked } from "../outcome/verdict.ts";
import { bareCredential, type Credential, type Tenant } from "../provision/tenant.ts";

/** Whether a key is a credential for the operation; a session is one for each. */
export const takesKeys = ({ caller }: Operation): boolean => caller === "key-or-session";

/** Whether a server may refuse keys all the same: it is open whether users alone call the operation. */
export const mayWantUser = ({ callerQuestion }: Operation): boolean => callerQuestion !== null;

/** What it takes to call the operation beside what every check says of itself. */
export const callerNeeds = (operation: Operation): readonly Need[] => (takesKeys(operation) ? [] : ["session"]);

/**
 * Whoever of the organization is the one to call the operation: its widest key where keys may, else a signed-in user. So
 * where it is open whether keys may, if the target signs anybody in.
 */
export async function callerOf(operation: Operation, tenant: Tenant): Promise<Credential> {
  const { id, caller } = operation;
  switch (caller) {
    case "key-or-session":
      return mayWantUser(operation) && tenant.can(signedInUser) ? userOf(tenant) : tenant.main();
    case "session":
      return userOf(tenant);
    case "staff":
    case "sandbox-token":
      throw new Blocked(`the kit has no credential of the kind ${caller} for ${id}`, "see who may call it");
  }
}

/** A user of the organization who is signed in: somebody new at each call where the target can sign in more than one. */
export const userOf = async (tenant: Tenant): Promise<Credential> =>
  bareCredential("user session", (await tenant.arrange(signedInUser, {})).token, tenant);

/**
 * A user of the organization, and a way to have them signed in once more: how long a session lasts is open. Where the
 * target signs nobody in twice, the first session has to do.
 */
export async function lastingUser(tenant: Tenant) {
  const { token, userId } = await tenant.arrange(signedInUser, {});
  const user = bareCredential("user session", token, tenant);
  const signedInAgain = async (): Promise<Credential> => {
    const again = userId === null ? null : await tenant.arrange(signedInUser, { user_id: userId });
    return again?.userId === userId ? bareCredential("another session of the user", again.token, tenant) : user;
  };
  return { user, signedInAgain };
}

/** A user of the organization in two sessions. Blocks where the target signs nobody in twice. */
export async function inTwoSessions(tenant: Tenant): Promise<readonly [Credential, Credential]> {
  const { user, signedInAgain } = await lastingUser(tenant);
  const again = await signedInAgain();
  if (again.token === user.token)
    throw new Blocked(
      "the target signs no user in a second time",
      "have what signs users in tell the user_id of each, and take it to sign that user in once more",
      "environment",
    );
  return [user, again];
}
