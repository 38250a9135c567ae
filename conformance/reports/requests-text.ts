import type { RunResult } from "../runner/run-result.ts";
import { counted } from "./counted.ts";

/** "34 requests and 21 sandbox calls"; requests alone where there is no sandbox. */
export const requestsText = ({ requests, sandboxCalls, target }: RunResult): string =>
  counted(requests, "request") + (target.sandbox ? ` and ${counted(sandboxCalls, "sandbox call")}` : "");
