import { userOf } from "../context/caller-of.ts";
import type { CheckContext } from "../context/context.ts";
import { dataOf, type Exchange, objectOf } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Credential, Tenant } from "../provision/tenant.ts";
import { eventuallyByClock } from "./settle.ts";

/**
 * Names in the IANA database that are in use, in each part of the world, with their usual case: of two and of three parts, and
 * such as libraries list under that name and under an older one.
 */
export const timezones = [
  "America/New_York",
  "Europe/Paris",
  "Asia/Tokyo",
  "Africa/Lagos",
  "Australia/Sydney",
  "America/Argentina/Buenos_Aires",
  "America/Argentina/La_Rioja",
  "Asia/Kolkata",
  "America/Port-au-Prince",
  "Etc/GMT+5",
] as const;

/**
 * Texts that are no names in the IANA database in any reading of it, though libraries take some of the
 * offsets, and abbreviations that mean several zones, for some, systems have names of their own, and forms trim what they
 * get.
 */
export const noTimezones = [
  "Mars/Olympus_Mons",
  "Europe/Atlantis",
  "+05:00",
  "GMT+05:30",
  "UTC+25",
  "nowhere",
  "America/",
  "Europe",
  "PST",
  "Pacific Standard Time",
  " Europe/Berlin",
  "Europe/Berlin ",
  "Europe/Berlin\n",
  "Europe/ Berlin",
] as const;

/** What a profile may show of a timezone that was taken: the name, or another one of the same zone in its place (Q126). */
export const shownFor = (taken: string, shown: unknown): string =>
  typeof shown === "string" && shown.toLowerCase() !== taken.toLowerCase() && zoneOf(shown) === zoneOf(taken)
    ? shown
    : taken;

/** The one name under which libraries list a zone; what names none stands for itself. */
function zoneOf(name: string): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return name;
  }
}

/** What changes about a profile. */
export interface ProfileWish {
  readonly name?: string;
  readonly timezone?: string;
}

/** Changes a profile once, whatever the answer. */
export const changeProfile = (t: CheckContext, as: Credential, wish: ProfileWish): Promise<Exchange> =>
  t.call("updateProfile", { body: t.shapeRequest("updateProfile", wish) }, as);

/** A profile as it is read, and what of it the kit knows; blocks where it cannot be read. */
export async function readProfile(t: CheckContext, as: Credential) {
  const exchange = t.control(await t.call("getProfile", {}, as), "reading a profile");
  const { name, timezone } = objectOf(t.shapeResponse("getProfile", dataOf(exchange))) ?? {};
  // What else is shown may move by itself, such as when the user was last seen.
  return { exchange, own: { name, timezone }, timezone };
}

/** Blocks where two sessions are one person's, who may belong to several organizations and has one profile in all. */
export async function differentUsers(t: CheckContext, one: Credential, other: Credential): Promise<void> {
  if (!t.serves("getProfile")) return;
  const ids: unknown[] = [];
  for (const user of [one, other]) {
    const exchange = t.control(await t.call("getProfile", {}, user), "reading a profile");
    ids.push(objectOf(t.shapeResponse("getProfile", dataOf(exchange)))?.id);
  }
  if (typeof ids[0] !== "string" || ids[0] !== ids[1]) return;
  throw new Blocked(
    "the target signs the same user in for two organizations",
    "have it sign in a user who belongs to that organization alone",
    "environment",
  );
}

/** Two users of one organization. Blocks where the target signs in no second one. */
export async function twoUsersOf(t: CheckContext, tenant: Tenant): Promise<readonly [Credential, Credential]> {
  const users = [await userOf(tenant), await userOf(tenant)] as const;
  const ids = new Set<unknown>();
  for (const user of users) {
    const exchange = t.control(await t.call("getProfile", {}, user), "reading a profile");
    const id: unknown = objectOf(t.shapeResponse("getProfile", dataOf(exchange)))?.id;
    if (typeof id === "string") ids.add(id.toLowerCase());
  }
  if (ids.size === users.length) return users;
  throw new Blocked(
    "the target signs in no second user of an organization, as far as profiles show it",
    "have it sign in somebody new each time, or say where a profile has its id: shapes in the target file",
    "environment",
  );
}

/** A profile once it shows this timezone, or as it is after a while: a change may take a moment to show. */
export async function profileShowing(t: CheckContext, as: Credential, timezone: string) {
  let shown = await readProfile(t, as);
  await eventuallyByClock(t, as.tenant, "the update of a profile", async () => {
    if (shown.timezone === shownFor(timezone, shown.timezone)) return true;
    shown = await readProfile(t, as);
    return null;
  });
  return shown;
}

/** Gives users the timezones back that they had, however the body ends: a session may be that of somebody who works. */
export async function keepingTimezones(
  t: CheckContext,
  users: readonly Credential[],
  body: () => Promise<void>,
): Promise<void> {
  const found: (readonly [Credential, unknown])[] = [];
  for (const user of users) found.push([user, (await readProfile(t, user)).timezone]);
  try {
    await body();
  } finally {
    for (const [user, timezone] of found) if (typeof timezone === "string") await changeProfile(t, user, { timezone });
  }
}
