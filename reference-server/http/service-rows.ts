import { refuse } from "../../generated/error-rows.ts";
import type { Operation } from "../../generated/runtime/operation.ts";
import type { Refusal } from "../../generated/runtime/refusal.ts";

type Details = Readonly<Record<string, string>>;

/** How a service refuses what no handler sees. */
export interface ServiceRows {
  readonly unauthorized: (message: string) => Refusal;
  readonly path: (message: string, details: Details) => Refusal;
  readonly fields: (message: string, details: Details) => Refusal;
  readonly notJson: (why: string) => Refusal;
  readonly unknownPath: (message: string) => Refusal;
  readonly failed: (message: string) => Refusal;
}

const challenge = { headers: { "WWW-Authenticate": "Bearer" } };

/** The rows of each service's own catalog. */
export const serviceRows: Readonly<Record<Operation["service"], ServiceRows>> = {
  api: {
    unauthorized: (message) => refuse.Unauthorized(message, challenge),
    path: refuse.ValidationFailed400,
    fields: refuse.ValidationFailed,
    notJson: (why) => refuse.InvalidInput(`The body cannot be read: ${why}.`),
    unknownPath: (message) => refuse.NotFound(message),
    failed: (message) => refuse.InternalError(message),
  },
  sandbox: {
    unauthorized: (message) => refuse.SandboxUnauthorized(message, challenge),
    path: refuse.InvalidArrangement,
    fields: refuse.InvalidArrangement,
    notJson: (why) => refuse.InvalidArrangement("The body cannot be read.", { body: why }),
    unknownPath: (message) => refuse.SandboxNotFound(message),
    failed: (message) => refuse.SandboxFailed(message),
  },
};
