import type { ReceiverSettings } from "./target.ts";

/** A receiver for targets on this machine that may deliver to it, on any free port. */
export const loopbackReceiver: ReceiverSettings = {
  listen: { host: "127.0.0.1", port: 0 },
  publicUrl: null,
  tls: null,
};
