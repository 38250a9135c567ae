import { refuse } from "../../../generated/error-rows.ts";
import { timestamp } from "../clock.ts";
import type { QuietHours } from "./quiet-hours.ts";
import { type Quiet, quietUntil } from "./quiet-until.ts";
import { zonesOfNumber } from "./recipient-zones.ts";

/** Zone that counts for recipients whose number tells none (open question Q92). */
const zoneOfNowhere = "America/New_York";

/** Whether a message to a number disturbs its holder at an instant, and until when; null when it does not. */
export function disturbs(phoneNumber: string, at: number, quietHours: QuietHours | null): Quiet | null {
  if (quietHours === null) return null;
  const zones = zonesOfNumber(phoneNumber);
  return quietUntil(at, zones.length === 0 ? [zoneOfNowhere] : zones, quietHours);
}

export const refuseQuietHours = ({ zone, until }: Quiet, { start, end }: QuietHours) =>
  refuse.QuietHours("It is quiet hours where the recipient is. Schedule the message for their end.", {
    recipient_timezone: zone,
    quiet_hours_start: start,
    quiet_hours_end: end,
    next_send_at: timestamp(until),
  });
