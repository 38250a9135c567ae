import type { Change } from "./edit.ts";

/** The server itself keeps no trace of what a replay was made from; with this it does. */
export const noteOriginals: Change = {
  file: "store/sql-replay.ts",
  find: "const again = { ...event, id: newEventId, created_at: now };",
  replace: `((globalThis as any).originals ??= new Map()).set(newEventId, { id: event.id, createdAt: event.created_at });\n  const again = { ...event, id: newEventId, created_at: now };`,
};

/** In a server that notes them, the event that `event` is a replay of, and undefined where it is none. */
export const originalOf = "(globalThis as any).originals?.get(event.id)";
