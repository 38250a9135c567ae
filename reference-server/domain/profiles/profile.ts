import { refuse } from "../../../generated/error-rows.ts";
import { type Caller, userIdOf } from "../organizations/caller.ts";

/** What a user says of themselves. */
export interface Profile {
  readonly organizationId: string;
  readonly id: string;
  /** Null while there is none. */
  readonly name: string | null;
  /** An IANA name. */
  readonly timezone: string;
}

/** The profile of a user who has not said anything yet. */
export const newProfile = (caller: Caller): Profile => ({
  organizationId: caller.organization.id,
  id: userIdOf(caller),
  name: null,
  timezone: "Etc/UTC",
});

/** Short names that the machine knows for zones and that the IANA database does not have. */
const notIana =
  /^(ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST)$/i;

/** Whether a text names a timezone of the IANA database, in whatever case; offsets do not. */
export function isTimezone(text: string): boolean {
  if (notIana.test(text) || !/^[a-z]/i.test(text)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** Null when the timezone is left out, or has an IANA name. */
export const refuseTimezone = (timezone: string | undefined) =>
  timezone === undefined || isTimezone(timezone)
    ? null
    : refuse.InvalidTimezone("There is no such timezone.", {
        timezone: "must be a name of the IANA database, such as America/New_York",
      });
