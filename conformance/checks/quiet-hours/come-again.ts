import { recipientZones } from "../../context/recipient-zones.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { nextTimeText, quietAt, usualQuietHours, type Window } from "../../steps/local-time.ts";

/** No send met quiet hours: none are set, or it is day everywhere. */
export function noneQuiet(now: number): Blocked {
  const { start, end } = usualQuietHours;
  const isNight = (at: number, zone: string): boolean => quietAt(at, zone, usualQuietHours) === true;
  const isNow = recipientZones.some((zone) => isNight(now, zone));
  const when = nextTimeText(now, recipientZones, isNight);
  return new Blocked(
    `no send met quiet hours at ${new Date(now).toISOString()}`,
    `give the kit an organization that rejects in quiet hours${isNow ? "" : `, and run it at ${when}, if they are from ${start} to ${end}`}`,
  );
}

/** Each send met quiet hours. */
export function allQuiet(now: number, window: Window): Blocked {
  const when = nextTimeText(now, recipientZones, (at, zone) => quietAt(at, zone, window) === false);
  return new Blocked(
    `it is quiet in all zones at ${new Date(now).toISOString()}`,
    when === null
      ? `shorten the organization's quiet hours: it never leaves those from ${window.start} to ${window.end}`
      : `run the kit at ${when}`,
  );
}
