import { constants } from "../../generated/constants.ts";
import type { CheckContext } from "../context/context.ts";
import { dataOf, type Exchange, isSuccess, objectOf } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Credential } from "../provision/tenant.ts";
import { eventuallyByClock } from "./settle.ts";

const [channel = "", toggle = ""] = constants.immutableNotification.split(".");

/** The toggle of `email` that nobody can set. */
export const immutableToggle = toggle;

/** The toggles of `email`, by name. */
export type Toggles = Readonly<Record<string, boolean>>;

/** Changes what a user is told of once, whatever the answer. `channels` are sent as they are. */
export const changeNotifications = (t: CheckContext, as: Credential, channels: object): Promise<Exchange> =>
  t.call("updateNotifications", { body: t.shapeRequest("updateNotifications", channels) }, as);

/** A change of toggles of `email`, to whatever. */
export const emailChange = (toggles: Readonly<Record<string, unknown>>): object => ({ [channel]: toggles });

/** The same with other channels beside `email`, wherever the target has that, or in its place. */
export function changeChannels(
  t: CheckContext,
  as: Credential,
  others: object,
  email: { readonly toggles: Toggles } | null = null,
): Promise<Exchange> {
  const toggles: Toggles = email === null ? {} : email.toggles;
  const written = t.shapeRequest("updateNotifications", emailChange(toggles));
  const body = besideMember(written, toggles, others, email !== null);
  return t.call("updateNotifications", { body }, as);
}

/** What is written, with others beside the member that has this value, which is kept or left out. */
function besideMember(written: unknown, value: unknown, others: object, isKept: boolean): unknown {
  const members = objectOf(written);
  if (members === null) return written;
  const entries = Object.entries(members).flatMap(([name, member]): readonly (readonly [string, unknown])[] =>
    member === value
      ? [...(isKept ? [[name, member] as const] : []), ...Object.entries(others)]
      : [[name, besideMember(member, value, others, isKept)]],
  );
  return Object.fromEntries(entries);
}

/** What a user is told of by e-mail. Blocks where it cannot be read. */
export async function readNotifications(t: CheckContext, as: Credential) {
  const exchange = t.control(await t.call("getNotifications", {}, as), "reading notification settings");
  const shown = objectOf(objectOf(t.shapeResponse("getNotifications", dataOf(exchange)))?.[channel]);
  if (shown === null)
    throw new Blocked(
      `the kit finds no ${channel} in the notification settings`,
      "say where it stands: shapes in the target file",
    );
  const toggles: Toggles = Object.fromEntries(Object.entries(shown).filter(isToggle));
  return { exchange, toggles };
}

const isToggle = (member: readonly [string, unknown]): member is [string, boolean] => typeof member[1] === "boolean";

/** Toggles that a user may set as far as the document says, with their present values. */
export const ownToggles = (toggles: Toggles): readonly (readonly [name: string, value: boolean])[] =>
  Object.entries(toggles).filter(([name]) => name !== immutableToggle);

/** A toggle that the user can set, or the first that is shown where each is refused. Blocks where none is shown. */
export async function likelyToggle(t: CheckContext, as: Credential) {
  const own = ownToggles((await readNotifications(t, as)).toggles);
  for (const [name, value] of own)
    if (isSuccess(await changeNotifications(t, as, emailChange({ [name]: value }))))
      return { name, value, isSet: true };
  const [first] = own;
  if (first !== undefined) return { name: first[0], value: first[1], isSet: false };
  throw new Blocked("the user is shown no notification to set", "say where they stand: shapes in the target file");
}

/** A toggle that was just set, to what it was; blocks where the user can set none. */
export async function settableToggle(
  t: CheckContext,
  as: Credential,
): Promise<readonly [name: string, value: boolean]> {
  const { name, value, isSet } = await likelyToggle(t, as);
  if (isSet) return [name, value];
  throw new Blocked("the user can set no notification that is shown", "see USR-30 first", "server");
}

/** What a user is told of once it shows these values, or as it is after a while. */
export async function notificationsShowing(t: CheckContext, as: Credential, wanted: Toggles) {
  let shown = await readNotifications(t, as);
  await eventuallyByClock(t, as.tenant, "the update of notification settings", async () => {
    if (Object.entries(wanted).every(([name, value]) => shown.toggles[name] === value)) return true;
    shown = await readNotifications(t, as);
    return null;
  });
  return shown;
}

/** Gives users the notification settings back that they had, however the body ends. */
export async function keepingNotifications(
  t: CheckContext,
  users: readonly Credential[],
  body: () => Promise<void>,
): Promise<void> {
  const found: (readonly [Credential, Toggles])[] = [];
  for (const user of users) found.push([user, (await readNotifications(t, user)).toggles]);
  try {
    await body();
  } finally {
    // One by one: where one of them cannot be set, the others still can.
    for (const [user, toggles] of found)
      for (const [name, value] of ownToggles(toggles))
        await changeNotifications(t, user, emailChange({ [name]: value }));
  }
}
