import { refuse } from "../../../generated/error-rows.ts";
import type { Profile } from "../../domain/profiles/profile.ts";
import type { Mutant } from "../edit.ts";
import { storing } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { seeing } from "../seen.ts";
import { working } from "../unit-changes.ts";
import { dataOf, inPlaceOf, isRefusal, onAnswer, onData, parsed, refusedWith, withBody, withData } from "../wire.ts";
import { bodyOf } from "../wire-requests.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const profile = "domain/profiles/profile.ts";

/** Servers that take wrong timezones, refuse right ones, or change what they refuse. */
export const profileMutants: readonly Mutant[] = [
  mutant(
    "USR-01",
    "any",
    "takes any text for a timezone",
    profile,
    "timezone === undefined || isTimezone(timezone)",
    "true",
  ),
  mutant(
    "USR-01",
    "offset",
    "takes offsets for timezones",
    profile,
    "timezone === undefined || isTimezone(timezone)",
    "timezone === undefined || isTimezone(timezone) || /^[+-]/.test(timezone)",
  ),
  mutant(
    "USR-01",
    "named-offset",
    "takes offsets from Greenwich for timezones, as some libraries do",
    profile,
    "timezone === undefined || isTimezone(timezone)",
    "timezone === undefined || isTimezone(timezone) || /^GMT[+-]\\d/.test(timezone)",
  ),
  mutant(
    "USR-01",
    "form",
    "takes whatever has the form of a name for a timezone",
    profile,
    "timezone === undefined || isTimezone(timezone)",
    "timezone === undefined || isTimezone(timezone) || /^[A-Z]\\w+\\/[A-Z]\\w+$/.test(timezone)",
  ),
  ...(
    [
      ["trimmed", "with blanks around it", "timezone.trim()"],
      ["trimmed-behind", "with a line break behind it", 'timezone.replace(/\\n$/, "")'],
      ["blanks", "with blanks in it", 'timezone.replaceAll(" ", "")'],
    ] as const
  ).map(([name, how, text]) =>
    mutant(
      "USR-01",
      name,
      `takes a name ${how} for a timezone`,
      profile,
      "timezone === undefined || isTimezone(timezone)",
      `timezone === undefined || isTimezone(${text})`,
    ),
  ),
  wireMutant(
    "USR-01",
    "invalid",
    "calls what is no timezone an invalid field",
    inPlaceOf(
      "updateProfile",
      "InvalidTimezone",
      refuse.ValidationFailed("Not valid.", { timezone: "is no timezone" }),
    ),
  ),
  wireMutant(
    "USR-02",
    "zone",
    "tells of a timezone under another name",
    onAnswer("updateProfile", (answer) => {
      if (!isRefusal(answer, "InvalidTimezone")) return answer;
      const { error, ...others } = Object(parsed(answer.bytes));
      return withBody(answer, { ...others, error: { ...error, details: { time_zone: "is none" } } });
    }),
  ),
  wireMutant(
    "USR-03",
    "american",
    "knows timezones of America alone",
    onAnswer("updateProfile", (answer, request) => {
      const { timezone } = Object(bodyOf(request));
      return answer.status < 300 && typeof timezone === "string" && !timezone.startsWith("America/")
        ? refusedWith(answer, refuse.InvalidTimezone("There is no such timezone.", { timezone: "is none" }))
        : answer;
    }),
  ),
  mutant(
    "USR-08",
    "half",
    "changes the name where it refuses the timezone beside it",
    "routes/profiles.ts",
    "if (refusal !== null) return refusal;",
    "if (refusal !== null) { if (name !== undefined) await store.atomically(caller.organization.id, async (tx) => tx.profiles.put({ ...((await tx.profiles.find(userIdOf(caller))) ?? newProfile(caller)), name })); return refusal; }",
  ),
  mutant(
    "USR-08",
    "usual",
    "takes the usual timezone in place of one that it refuses",
    "routes/profiles.ts",
    "if (refusal !== null) return refusal;",
    "if (refusal !== null) { await store.atomically(caller.organization.id, (tx) => tx.profiles.put(newProfile(caller))); return refusal; }",
  ),
  mutantOf("USR-20", "folded", "keeps timezones in small letters", [
    working(() => (tx) => ({
      profiles: withMembers(tx.profiles, {
        put: (changed) => tx.profiles.put({ ...changed, timezone: changed.timezone.toLowerCase() }),
      }),
    })),
  ]),
  wireMutant(
    "USR-20",
    "usual",
    "shows the usual timezone whatever was chosen",
    onData("getProfile", (data) => ({ ...data, timezone: "Etc/UTC" })),
  ),
  wireMutant(
    "USR-22",
    "name",
    "gives all users of an organization the name of one",
    seeing((seen) => (serve) => {
      const names = new Map<string | undefined, unknown>();
      return async (request) => {
        const answer = await serve(request);
        const data = dataOf(answer);
        const organization = seen.callerOf(request)?.organization;
        const { name } = Object(bodyOf(request));
        if (request.operation === "updateProfile" && data !== null && name !== undefined) names.set(organization, name);
        const isShown = request.operation === "getProfile" && data !== null && names.has(organization);
        return isShown ? withData(answer, { ...data, name: names.get(organization) }) : answer;
      };
    }),
  ),
  mutantOf("USR-21", "shared", "has one profile for everybody", [
    {
      ports(ports) {
        let last: Profile | null = null;
        const noting = working(() => (tx) => ({
          profiles: withMembers(tx.profiles, {
            async put(changed) {
              await tx.profiles.put(changed);
              last = changed;
            },
          }),
        }));
        const showing = storing((store) => ({
          profile: async (organizationId, id) => last ?? store.profile(organizationId, id),
        }));
        return noting.ports(showing.ports(ports));
      },
    },
  ]),
];
