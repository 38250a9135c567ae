import { advanceClock } from "../../generated/client/sandbox-organizations.ts";
import type { Transport } from "../../generated/runtime/transport.ts";
import { checkSignal } from "../liveness/deadline.ts";
import type { InquiryOptions } from "./inquiry.ts";

/** Milliseconds for a move of a clock: what is due on the way has so long to run. */
const longestMove = 2_000;

/** Moves the clocks of a sandbox's organizations apart from the run's own way there, whose breaker decides verdicts. */
export const clockMover = (
  sandbox: Pick<Transport, "baseUrl" | "token"> | null,
  ended: AbortSignal,
): InquiryOptions["moveClock"] =>
  sandbox === null
    ? null
    : (id, seconds) =>
        advanceClock(
          { baseUrl: sandbox.baseUrl, token: sandbox.token, timeout: longestMove, signal: checkSignal() ?? ended },
          { path: { id }, body: { seconds } },
        );
