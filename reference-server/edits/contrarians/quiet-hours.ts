import type { Contrarian } from "../edit.ts";
import { isRefusal, onAnswer, parsed, withBody } from "../wire.ts";

/** Other names of zones in the IANA database. */
const aliases: Readonly<Record<string, string>> = {
  "America/Halifax": "Canada/Atlantic",
  "America/New_York": "US/Eastern",
  "America/Chicago": "US/Central",
};

/** Servers that answer the questions on quiet hours in other ways. */
export const quietHoursContrarians: readonly Contrarian[] = [
  {
    id: "Q91-half-minute",
    does: "ends quiet hours half a minute later, so that their end belongs to them",
    answers: "Q91",
    changes: [
      {
        file: "domain/quiet-hours/quiet-until.ts",
        find: "  return now.epochMilliseconds;",
        replace: "  return now.epochMilliseconds + (now.epochMilliseconds > at ? 30_000 : 0);",
      },
    ],
  },
  {
    id: "Q92-alias",
    does: "names zones of recipients in the old way",
    answers: "Q92",
    changes: [
      {
        wire: onAnswer("sendMessage", (answer) => {
          if (!isRefusal(answer, "QuietHours")) return answer;
          const { error, ...others } = Object(parsed(answer.bytes));
          const { recipient_timezone: zone, ...details } = error.details;
          const named = { recipient_timezone: aliases[zone] ?? zone, ...details };
          return withBody(answer, { ...others, error: { ...error, details: named } });
        }),
      },
    ],
  },
  {
    id: "Q92-one-zone",
    does: "uses the zone of Newfoundland for its whole area code",
    answers: "Q92",
    changes: [
      {
        file: "domain/quiet-hours/area-code-zones.ts",
        find: '"America/Halifax America/Puerto_Rico America/St_Johns"',
        replace: '"America/St_Johns"',
      },
    ],
  },
  {
    id: "Q92-own-coast",
    does: "uses the organization's zone for numbers of the Pacific islands",
    answers: "Q92",
    changes: [
      {
        file: "domain/quiet-hours/recipient-zones.ts",
        find: "return zonesOfArea.get(area) ?? [];",
        replace: 'return ["670", "671", "684"].includes(area) ? ["America/New_York"] : (zonesOfArea.get(area) ?? []);',
      },
    ],
  },
  {
    id: "Q91-own-offset",
    does: "tells the end of quiet hours with an offset of zero, to the second",
    answers: "Q91",
    changes: [
      {
        wire: onAnswer("sendMessage", (answer) => {
          if (!isRefusal(answer, "QuietHours")) return answer;
          const { error, ...others } = Object(parsed(answer.bytes));
          const next_send_at = error.details.next_send_at.replace(/\.\d+Z$/, "+00:00");
          return withBody(answer, { ...others, error: { ...error, details: { ...error.details, next_send_at } } });
        }),
      },
    ],
  },
  {
    id: "Q150-unjudged",
    does: "lets messages for later pass, and looks at the clock for those for now alone",
    answers: "Q150",
    changes: [
      {
        file: "domain/messages/gates.ts",
        find: "disturbs(send.to, send.scheduledAt ?? now, quietHours)",
        replace: "(send.scheduledAt ?? null) === null ? disturbs(send.to, now, quietHours) : null",
      },
    ],
  },
];
