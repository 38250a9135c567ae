export const documentedScopes: readonly string[] = [
  "apikeys:read",
  "apikeys:write",
  "webhooks:read",
  "webhooks:write",
  "messages:send",
  "messages:bypass_quiet_hours",
  "numbers:write",
];

/** A name that the document says is no scope. */
export const scopesThatDoNotExist: readonly string[] = ["messages:write"];

/** Start of every live key. */
export const liveKeyStart = "svc_live_";

export const basePath = "/v1/";
