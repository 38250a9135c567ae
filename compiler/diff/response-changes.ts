import { beyondLetter, byLetter, kinds } from "./change-kind.ts";

const inResponses = kinds("responses");
const inResponseHeaders = kinds("response-headers");
const inSchemas = kinds("schemas");
const inSecurity = kinds("security");
const inServers = kinds("servers");

/** Changes of what a client gets, of schemas wherever they stand, and of who may call what. */
export const responseChanges = {
  "links-changed": inResponses.response(
    "risky",
    "A link of an answer leads elsewhere, or is gone.",
    "links-changed",
    "link-added",
  ),
  "link-added": inResponses.response("safe", "An answer has a new link.", "links-changed"),
  "success-status-removed": inResponses.response(
    "breaking",
    "A success status is answered no longer.",
    "success-status-added",
  ),
  "success-status-added": inResponses.response(
    "breaking",
    "A success status is answered anew.",
    "success-status-removed",
  ),
  "success-status-changed": inResponses.response(
    "breaking",
    "Another success status is answered in place of one.",
    "success-status-changed",
  ),
  "success-range-widened": inResponses.response(
    "breaking",
    "More success statuses may be answered.",
    "success-range-narrowed",
  ),
  "success-range-narrowed": inResponses.response(
    "safe",
    "Fewer success statuses may be answered.",
    "success-range-widened",
  ),
  "error-status-removed": inResponses.response("risky", "An error status is answered no longer.", "error-status-added"),
  "error-status-added": inResponses.response("risky", "An error status is answered anew.", "error-status-removed"),
  "error-range-widened": inResponses.response("risky", "More error statuses may be answered.", "error-range-narrowed"),
  "error-range-narrowed": inResponses.response("safe", "Fewer error statuses may be answered.", "error-range-widened"),
  "response-body-widened": inResponses.response(
    "breaking",
    "An answer may be what it could not be.",
    "response-body-narrowed",
    "response-property-added",
  ),
  "response-body-narrowed": inResponses.response(
    "safe",
    "An answer promises more.",
    "response-body-widened",
    "open-enum-extended",
  ),
  "response-body-removed": inResponses.response("breaking", "An answer has no body any more.", "response-body-added"),
  "response-body-added": inResponses.response("safe", "An answer has a body anew.", "response-body-removed"),
  "response-media-type-removed": inResponses.response(
    "breaking",
    "A media type is answered no longer.",
    "response-media-type-added",
  ),
  "response-media-type-added": inResponses.response(
    "risky",
    "A media type is answered anew.",
    "response-media-type-removed",
    "response-media-type-narrowed",
  ),
  "response-media-type-changed": inResponses.response(
    "breaking",
    "A media type of an answer is another.",
    "response-media-type-changed",
  ),
  "response-media-type-narrowed": inResponses.response(
    "safe",
    "Fewer media types of a range are answered.",
    "response-media-type-added",
  ),
  "response-header-removed": inResponseHeaders.response(
    "breaking",
    "A header that every answer had is gone.",
    "response-header-added",
  ),
  "response-header-added": inResponseHeaders.response("safe", "An answer has a new header.", "response-header-removed"),
  "optional-response-header-removed": inResponseHeaders.response(
    "risky",
    "A header that answers could have is gone.",
    "optional-response-header-added",
  ),
  "optional-response-header-added": inResponseHeaders.response(
    "safe",
    "Answers may have a new header.",
    "optional-response-header-removed",
  ),
  "response-header-made-optional": inResponseHeaders.response(
    "breaking",
    "A header may be missing.",
    "response-header-made-required",
  ),
  "response-header-made-required": inResponseHeaders.response(
    "safe",
    "A header is always there.",
    "response-header-made-optional",
  ),
  "response-header-widened": inResponseHeaders.response(
    "breaking",
    "A header may have values that it could not have.",
    "response-header-narrowed",
  ),
  "response-header-narrowed": inResponseHeaders.response(
    "safe",
    "A header promises more.",
    "response-header-widened",
    "open-enum-extended",
  ),
  "response-header-serialization-changed": inResponseHeaders.response(
    "breaking",
    "A header is written otherwise.",
    "response-header-serialization-changed",
  ),
  "request-property-added": inSchemas.request(
    "safe",
    "An optional property may be sent anew.",
    "request-property-removed",
    "required-request-property-removed",
  ),
  "request-property-removed": inSchemas.request(
    "risky",
    "A property that could be sent is gone.",
    "request-property-added",
  ),
  "required-request-property-removed": inSchemas.request(
    "breaking",
    "A property that had to be sent is gone.",
    "request-body-narrowed",
    "request-property-added",
  ),
  "response-property-added": inSchemas.response(
    "safe",
    "An answer has a new property.",
    "response-property-removed",
    "response-body-widened",
  ),
  "response-property-removed": inSchemas.response(
    "risky",
    "A property that answers could have is gone.",
    "response-property-added",
  ),
  "default-added": inSchemas.request("risky", "What is left out has a default anew.", "default-removed"),
  "default-removed": inSchemas.request("breaking", "What is left out has its default no longer.", "default-added"),
  "default-changed": inSchemas.request("breaking", "What is left out means another value.", "default-changed"),
  "null-default-changed": inSchemas.request(
    "risky",
    "A property that is absent is said to be null, or no longer.",
    "null-default-changed",
  ),
  "response-default-changed": inSchemas.response(
    "risky",
    "A property that is absent from a response has another default, or none.",
    "response-default-changed",
    "response-default-added",
  ),
  "response-default-added": inSchemas.response(
    "safe",
    "A property that is absent from a response has a default.",
    "response-default-changed",
  ),
  "number-range-exceeded": inSchemas.neutral(
    "risky",
    "A number may be out of the range of a float.",
    "number-range-covered",
  ),
  "number-range-covered": inSchemas.neutral(
    "safe",
    "A number is a float where a double was expected.",
    "number-range-exceeded",
  ),
  "made-read-only": inSchemas.request("breaking", "A sent value has no effect any more.", "read-only-ended"),
  "read-only-ended": inSchemas.request("safe", "A value may be sent anew.", "made-read-only"),
  "made-write-only": inSchemas.response("breaking", "A value is answered no longer.", "write-only-ended"),
  "write-only-ended": inSchemas.response("safe", "A value is answered anew.", "made-write-only"),
  "schema-undecided": inSchemas.neutral(
    "risky",
    "A schema differs, and the work that a comparison may take did not suffice to tell how.",
    "schema-undecided",
  ),
  "schema-deprecated": inSchemas.neutral("safe", "A field is deprecated.", "schema-deprecation-ended"),
  "schema-deprecation-ended": inSchemas.neutral("safe", "A field is deprecated no longer.", "schema-deprecated"),
  "open-enum-extended": inSchemas.response(
    "risky",
    "An open enum has a new value.",
    "response-body-narrowed",
    "response-header-narrowed",
    "delivery-header-narrowed",
    "webhook-payload-narrowed",
    "webhook-parameters-narrowed",
  ),
  "enum-opened": inSchemas.response("breaking", "Other values may come.", "enum-closed"),
  "enum-closed": inSchemas.response("safe", "No other values come.", "enum-opened"),
  "discriminator-changed": inSchemas.neutral(
    "risky",
    "A union is told apart otherwise.",
    "discriminator-changed",
    "discriminator-added",
  ),
  "discriminator-added": inSchemas.neutral("safe", "A union is told apart by a member anew.", "discriminator-changed"),
  "discriminator-value-removed": inSchemas.neutral(
    "breaking",
    "A value that tells an alternative of a union has none any more.",
    "discriminator-value-removed",
  ),
  "request-child-added": inSchemas.request("safe", "A request may be of a new child schema.", "request-child-removed"),
  "request-child-removed": inSchemas.request("risky", "A child schema of a request is gone.", "request-child-added"),
  "response-child-added": inSchemas.response(
    "risky",
    "A response may be of a new child schema.",
    "response-child-removed",
  ),
  "response-child-removed": inSchemas.response("safe", "A child schema of a response is gone.", "response-child-added"),
  "null-perhaps-answered": beyondLetter(
    inSchemas.response("risky", "Null may be answered, where nullable without a type is meant.", "null-perhaps-gone"),
  ),
  "null-perhaps-gone": beyondLetter(
    inSchemas.response(
      "safe",
      "Null is answered no longer, where nullable without a type was meant.",
      "null-perhaps-answered",
    ),
  ),
  "null-perhaps-refused": beyondLetter(
    inSchemas.request(
      "risky",
      "Null is taken no longer, where nullable without a type was meant.",
      "null-perhaps-taken",
    ),
  ),
  "null-perhaps-taken": beyondLetter(
    inSchemas.request("safe", "Null is taken, where nullable without a type is meant.", "null-perhaps-refused"),
  ),
  "unknown-format-changed": byLetter(
    "breaking",
    inSchemas.neutral(
      "risky",
      "A format that no validator knows is asked for, or promised no longer.",
      "unknown-format-changed",
    ),
  ),
  "wide-integers-refused": byLetter(
    "breaking",
    inSchemas.neutral("risky", "Whole numbers are said to fit into 64 bits, or no longer.", "wide-integers-refused"),
  ),
  "alternatives-overlap": byLetter(
    "breaking",
    inSchemas.neutral(
      "risky",
      "Values are of several alternatives of which they may be of one alone, or no longer.",
      "alternatives-overlap",
    ),
  ),
  "free-form-specified": byLetter(
    "breaking",
    inSchemas.neutral(
      "risky",
      "Members are specified of an object that named none, or no longer.",
      "free-form-specified",
    ),
  ),
  "unnamed-members-refused": byLetter(
    "breaking",
    inSchemas.request(
      "risky",
      "Members that nobody has named are refused, of an object of which nothing was said of them.",
      "request-body-widened",
      "parameter-widened",
    ),
  ),
  "malformed-keyword-changed": inSchemas.neutral(
    "risky",
    "A keyword that is malformed or unknown says something else, or can be read now.",
    "malformed-keyword-changed",
  ),
  "unread-keyword-changed": inSchemas.neutral(
    "breaking",
    "A keyword that nobody can apply differs.",
    "unread-keyword-changed",
  ),
  "content-encoding-changed": inSchemas.neutral(
    "breaking",
    "The content of a text is encoded otherwise.",
    "content-encoding-changed",
  ),
  "xml-changed": inSchemas.neutral("breaking", "The XML text of a value differs.", "xml-changed"),
  "security-tightened": inSecurity.request("breaking", "Credentials that sufficed no longer do.", "security-loosened"),
  "security-loosened": inSecurity.request("safe", "Other credentials suffice.", "security-tightened"),
  "token-address-changed": inSecurity.request("risky", "Tokens are got elsewhere.", "token-address-changed"),
  "callers-narrowed": inSecurity.request("breaking", "Some callers are let in no longer.", "callers-widened"),
  "callers-widened": inSecurity.request("risky", "More callers are let in.", "callers-narrowed"),
  "server-removed": inServers.request("breaking", "An address is gone.", "server-added", "unnamed-server-removed"),
  "server-added": inServers.request("safe", "An address is new.", "server-removed"),
  "unnamed-server-removed": byLetter(
    "breaking",
    inServers.request("risky", "Addresses are named where none was.", "server-removed"),
  ),
};
