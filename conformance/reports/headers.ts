import { constants } from "../../generated/constants.ts";

const plumbing: ReadonlySet<string> = new Set([
  ...["host", "connection", "content-length", "user-agent"],
  ...["accept", "accept-encoding", "accept-language", "sec-fetch-mode"],
]);

/** Whether a header of a request, by its name in lower case, says nothing about the request. */
export const isPlumbing = (name: string): boolean => plumbing.has(name);

const telling = new RegExp(
  `^(content-type|${constants.requestIdHeader}|retry-after|location|allow|www-authenticate|.*ratelimit.*)$`,
  "i",
);

/** Whether a header of an answer is one that a rule may speak of. */
export const isTelling = (name: string): boolean => telling.test(name);
