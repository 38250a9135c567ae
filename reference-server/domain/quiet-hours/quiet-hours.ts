/** Hours of every day by a recipient's clock, from `start` to before `end`, over midnight where `end` is not later. */
export interface QuietWindow {
  /** `HH:MM` */
  readonly start: string;
  /** `HH:MM` */
  readonly end: string;
}

/** When an organization does not disturb its recipients, and what becomes of messages that would. */
export interface QuietHours extends QuietWindow {
  readonly mode: QuietHoursMode;
}

const quietHoursModes = ["reject", "defer"] as const;

/** Whether a message that would disturb is refused, or waits for the end. */
export type QuietHoursMode = (typeof quietHoursModes)[number];

export const isQuietHoursMode = (text: unknown): text is QuietHoursMode =>
  quietHoursModes.some((mode) => mode === text);
