import { kinds } from "./change-kind.ts";

const inOperations = kinds("operations");
const inParameters = kinds("parameters");
const inRequestBody = kinds("request-body");

/** Changes of what a client may send, in the order of the areas. */
export const requestChanges = {
  "operation-removed": inOperations.request("breaking", "An operation is gone.", "operation-added"),
  "operation-added": inOperations.request("safe", "An operation is new.", "operation-removed"),
  "trailing-slash-changed": inOperations.request(
    "breaking",
    "A path ends with a slash anew, or no longer.",
    "trailing-slash-changed",
  ),
  "operation-moved": inOperations.request("breaking", "An operation has another method or path.", "operation-moved"),
  "part-unread": inOperations.neutral(
    "risky",
    "A part of an operation can't be read, since a reference leads nowhere.",
    "part-unread",
  ),
  "operation-renamed": inOperations.neutral("risky", "An operation id differs.", "operation-renamed"),
  "operation-deprecated": inOperations.neutral("safe", "An operation is deprecated.", "operation-deprecation-ended"),
  "operation-deprecation-ended": inOperations.neutral(
    "safe",
    "An operation is deprecated no longer.",
    "operation-deprecated",
  ),
  "callback-changed": inOperations.neutral(
    "breaking",
    "A callback or webhook differs in what is not compared.",
    "callback-changed",
  ),
  "idempotency-ended": inOperations.request(
    "breaking",
    "Idempotency keys are honoured no longer.",
    "idempotency-added",
  ),
  "idempotency-added": inOperations.request("risky", "Idempotency keys are honoured anew.", "idempotency-ended"),
  "secret-added": inOperations.response("safe", "An answer's field is a secret anew.", "secret-removed"),
  "secret-removed": inOperations.response("risky", "An answer's field is a secret no longer.", "secret-added"),
  "parameter-removed": inParameters.request(
    "breaking",
    "A parameter that had to be sent is gone.",
    "parameter-added-required",
  ),
  "optional-parameter-removed": inParameters.request(
    "risky",
    "A parameter that could be sent is gone.",
    "parameter-added-optional",
  ),
  "parameter-added-optional": inParameters.request(
    "safe",
    "An optional parameter is new.",
    "optional-parameter-removed",
  ),
  "parameter-added-required": inParameters.request("breaking", "A required parameter is new.", "parameter-removed"),
  "path-parameter-declared": inParameters.neutral(
    "safe",
    "A parameter that the path has is declared anew, or no longer.",
    "path-parameter-declared",
  ),
  "parameter-made-required": inParameters.request(
    "breaking",
    "A parameter is required anew.",
    "parameter-made-optional",
  ),
  "parameter-made-optional": inParameters.request(
    "safe",
    "A parameter is required no longer.",
    "parameter-made-required",
  ),
  "parameter-narrowed": inParameters.request(
    "breaking",
    "A parameter refuses values that it took.",
    "parameter-widened",
  ),
  "parameter-widened": inParameters.request(
    "safe",
    "A parameter takes more values.",
    "parameter-narrowed",
    "unnamed-members-refused",
  ),
  "parameter-serialization-changed": inParameters.request(
    "breaking",
    "A parameter is written otherwise.",
    "parameter-serialization-changed",
  ),
  "parameter-writing-tightened": inParameters.request(
    "breaking",
    "A parameter is not taken in every way it was written in.",
    "parameter-writing-loosened",
  ),
  "parameter-writing-loosened": inParameters.request(
    "safe",
    "A parameter may be written in one more way.",
    "parameter-writing-tightened",
  ),
  "parameter-deprecated": inParameters.neutral("safe", "A parameter is deprecated.", "parameter-deprecation-ended"),
  "parameter-deprecation-ended": inParameters.neutral(
    "safe",
    "A parameter is deprecated no longer.",
    "parameter-deprecated",
  ),
  "request-body-removed": inRequestBody.request(
    "breaking",
    "A request body that had to be sent is gone.",
    "request-body-added-required",
  ),
  "optional-request-body-removed": inRequestBody.request(
    "risky",
    "A request body that could be sent is gone.",
    "request-body-added-optional",
  ),
  "request-body-added-optional": inRequestBody.request(
    "safe",
    "An optional request body is new.",
    "optional-request-body-removed",
  ),
  "request-body-added-required": inRequestBody.request(
    "breaking",
    "A required request body is new.",
    "request-body-removed",
  ),
  "request-body-made-required": inRequestBody.request(
    "breaking",
    "A request body is required anew.",
    "request-body-made-optional",
  ),
  "request-body-made-optional": inRequestBody.request(
    "safe",
    "A request body is required no longer.",
    "request-body-made-required",
  ),
  "request-body-narrowed": inRequestBody.request(
    "breaking",
    "A request body refuses values that it took.",
    "request-body-widened",
    "required-request-property-removed",
  ),
  "request-body-widened": inRequestBody.request(
    "safe",
    "A request body takes more values.",
    "request-body-narrowed",
    "unnamed-members-refused",
  ),
  "request-media-type-removed": inRequestBody.request(
    "breaking",
    "A media type is taken no longer.",
    "request-media-type-added",
  ),
  "request-media-type-added": inRequestBody.request(
    "safe",
    "A media type is taken anew.",
    "request-media-type-removed",
  ),
  "request-media-type-changed": inRequestBody.request(
    "breaking",
    "A media type that is taken is another.",
    "request-media-type-changed",
  ),
  "request-encoding-changed": inRequestBody.request(
    "breaking",
    "A part of a form is encoded otherwise.",
    "request-encoding-changed",
    "request-encoding-widened",
  ),
  "request-encoding-widened": inRequestBody.request(
    "safe",
    "A part of a form may be of more types.",
    "request-encoding-changed",
  ),
};
