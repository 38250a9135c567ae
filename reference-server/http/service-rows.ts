import { type Choices, choiceValues } from "../../generated/choices.ts";
import { refuse } from "../../generated/error-rows.ts";
import type { Operation } from "../../generated/runtime/operation.ts";
import type { Refusal } from "../../generated/runtime/refusal.ts";

type Details = Readonly<Record<string, string>>;

/** How a service refuses what no handler of it sees. */
export interface ServiceRows {
  unauthorized(message: string): Refusal;
  unknownPath(): Refusal;
  wrongMethod(allowed: readonly string[]): Refusal;
  path(operation: Operation, details: Details): Refusal;
  fields(details: Details): Refusal;
  notJson(why: string): Refusal;
  /** Null where the body is read as JSON all the same. */
  wrongMediaType(): Refusal | null;
  tooLarge(limit: number): Refusal;
  failed(): Refusal;
}

const pathMessage = "A path parameter is malformed.";
const fieldsMessage = "The request has invalid fields.";
const unknownPathMessage = "There is nothing at this path.";
const mediaTypeMessage = "Send the body as application/json in UTF-8.";
/** Says nothing of the cause; the log has it under the request id. */
const failureMessage = "The server failed to answer. Try again later; if it goes on, report the request id.";

const wrongMethod = (allowed: readonly string[]) => {
  const methods = allowed.join(", ");
  return refuse.MethodNotAllowed(`This path serves ${methods} only.`, { Allow: methods });
};

const tooLarge = (limit: number) =>
  refuse.PayloadTooLarge(`The body is larger than ${limit} bytes. Send less at once.`);

const challenge = { headers: { "WWW-Authenticate": "Bearer" } };

export function apiRows(choices: Choices): ServiceRows {
  return {
    unauthorized: (message) => refuse.Unauthorized(message, choices.wwwAuthenticate === "sent" ? challenge : {}),
    unknownPath: () =>
      choices.unknownPath === "NotFound"
        ? refuse.NotFound(unknownPathMessage)
        : refuse.InvalidInput(unknownPathMessage),
    wrongMethod: (allowed) =>
      choices.wrongMethod === "MethodNotAllowed" ? wrongMethod(allowed) : refuse.NotFound(unknownPathMessage),
    path: (operation, details) =>
      malformedId(operation, choices) === "ValidationFailed"
        ? refuse.ValidationFailed(pathMessage, details)
        : refuse.ValidationFailed400(pathMessage, details),
    fields: (details) => refuse.ValidationFailed(fieldsMessage, details),
    notJson: (why) =>
      choices.brokenJson === "InvalidInput"
        ? refuse.InvalidInput(`The body cannot be read: ${why}.`)
        : refuse.ValidationFailed("The body cannot be read.", { body: why }),
    wrongMediaType: () => {
      switch (choices.wrongMediaType) {
        case "InvalidInput":
          return refuse.InvalidInput(mediaTypeMessage);
        case "UnsupportedMediaType":
          return refuse.UnsupportedMediaType(mediaTypeMessage);
        case "accept":
          return null;
      }
    },
    tooLarge,
    failed: () => refuse.InternalError(failureMessage),
  };
}

/** The row for a malformed id in the path. An operation that declares all that there may be leaves open which it is. */
function malformedId({ errors }: Operation, choices: Choices): Choices["malformedId"] {
  const isOpen = choiceValues.malformedId.every((row) => errors.includes(row));
  return isOpen ? choices.malformedId : choiceValues.malformedId[0];
}

export const sandboxRows: ServiceRows = {
  unauthorized: (message) => refuse.SandboxUnauthorized(message, challenge),
  unknownPath: () => refuse.SandboxNotFound(unknownPathMessage),
  wrongMethod,
  path: (_operation, details) => refuse.InvalidArrangement(pathMessage, details),
  fields: (details) => refuse.InvalidArrangement(fieldsMessage, details),
  notJson: (why) => refuse.InvalidArrangement("The body cannot be read.", { body: why }),
  wrongMediaType: () => refuse.UnsupportedMediaType(mediaTypeMessage),
  tooLarge,
  failed: () => refuse.SandboxFailed(failureMessage),
};
