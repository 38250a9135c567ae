import type { Patience } from "../../reference-server/http/listener.ts";

/** Short, so that what a client leaves unfinished is over soon. */
export const patience: Patience = { head: 300, request: 600, idle: 300, stall: 1_500 };

/** Milliseconds within which every connection must be over once its client is silent: Node adds a second when idle. */
export const bound = patience.stall + 2_500;
