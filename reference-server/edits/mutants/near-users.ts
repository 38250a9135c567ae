import type { Mutant } from "../edit.ts";
import { mutant } from "./mutant.ts";

const settingsFile = "domain/notifications/notification-settings.ts";
const profileFile = "domain/profiles/profile.ts";
const profileRoutes = "routes/profiles.ts";
const merged = "{ email: { ...settings.email, ...change.email } }";

/** Servers with faults of users' settings that show of several at once, of nothing, or of rarer names alone. */
export const nearUserMutants: readonly Mutant[] = [
  mutant(
    "USR-30",
    "first",
    "sets one toggle of a call",
    settingsFile,
    merged,
    "{ email: { ...settings.email, ...Object.fromEntries(Object.entries(change.email ?? {}).slice(0, 1)) } }",
  ),
  mutant(
    "USR-30",
    "again",
    "turns a toggle over that is set as it is",
    settingsFile,
    merged,
    "{ email: { ...settings.email, ...Object.fromEntries(Object.entries(change.email ?? {}).map(([name, on]) => [name, settings.email[name] === on ? !on : on])) } }",
  ),
  mutant(
    "USR-01",
    "windows",
    "takes the names of Windows for timezones",
    profileFile,
    "if (notIana.test(text) || !/^[a-z]/i.test(text)) return false;",
    "if (/ Standard Time$/.test(text)) return true;\nif (notIana.test(text) || !/^[a-z]/i.test(text)) return false;",
  ),
  mutant("USR-01", "short", "takes short names for timezones", profileFile, "notIana.test(text)", "false"),
  mutant(
    "USR-03",
    "sign",
    "knows no timezone with a sign or digit",
    profileFile,
    "notIana.test(text) || !/^[a-z]/i.test(text)",
    "notIana.test(text) || !/^[a-z]/i.test(text) || /[-+0-9]/.test(text)",
  ),
  mutant(
    "USR-20",
    "first",
    "keeps the first timezone that was set",
    profileRoutes,
    "await tx.profiles.put(profile);",
    'await tx.profiles.put({ ...profile, timezone: known.timezone === "Etc/UTC" ? profile.timezone : known.timezone });',
  ),
  mutant(
    "USR-23",
    "empty",
    "forgets all at an empty update",
    profileRoutes,
    "await tx.profiles.put(profile);",
    "await tx.profiles.put(name === undefined && timezone === undefined ? newProfile(caller) : profile);",
  ),
];
