import { type ChangeKind, kinds } from "./change-kind.ts";

const inOperations = kinds("operations");
const inParameters = kinds("parameters");
const inRequestBody = kinds("request-body");
const inResponses = kinds("responses");
const inResponseHeaders = kinds("response-headers");
const inSchemas = kinds("schemas");
const inSecurity = kinds("security");
const inServers = kinds("servers");
const inScopes = kinds("scopes");
const inLimits = kinds("limits");
const inConstants = kinds("constants");
const inErrors = kinds("errors");
const inStates = kinds("states");
const inEvents = kinds("events");
const inRules = kinds("rules");
const inQuestions = kinds("questions");

const table = {
  "operation-removed": inOperations.request("breaking", "An operation is gone.", "operation-added"),
  "operation-added": inOperations.request("safe", "An operation is new.", "operation-removed"),
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
    "A parameter is gone.",
    "parameter-added-optional",
    "parameter-added-required",
  ),
  "parameter-added-optional": inParameters.request("safe", "An optional parameter is new.", "parameter-removed"),
  "parameter-added-required": inParameters.request("breaking", "A required parameter is new.", "parameter-removed"),
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
  "parameter-widened": inParameters.request("safe", "A parameter takes more values.", "parameter-narrowed"),
  "parameter-serialization-changed": inParameters.request(
    "breaking",
    "A parameter is written otherwise.",
    "parameter-serialization-changed",
  ),
  "parameter-deprecated": inParameters.neutral("safe", "A parameter is deprecated.", "parameter-deprecation-ended"),
  "parameter-deprecation-ended": inParameters.neutral(
    "safe",
    "A parameter is deprecated no longer.",
    "parameter-deprecated",
  ),
  "request-body-removed": inRequestBody.request(
    "breaking",
    "A request body is gone.",
    "request-body-added-optional",
    "request-body-added-required",
  ),
  "request-body-added-optional": inRequestBody.request(
    "safe",
    "An optional request body is new.",
    "request-body-removed",
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
  ),
  "request-body-widened": inRequestBody.request("safe", "A request body takes more values.", "request-body-narrowed"),
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
  "request-encoding-changed": inRequestBody.request(
    "breaking",
    "Parts of a form are encoded otherwise.",
    "request-encoding-changed",
  ),
  "links-changed": inResponses.response("risky", "Links of an answer differ.", "links-changed"),
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
  "default-added": inSchemas.request("risky", "What is left out has a default anew.", "default-removed"),
  "default-removed": inSchemas.request("breaking", "What is left out has its default no longer.", "default-added"),
  "default-changed": inSchemas.request("breaking", "What is left out means another value.", "default-changed"),
  "made-read-only": inSchemas.request("breaking", "A sent value has no effect any more.", "read-only-ended"),
  "read-only-ended": inSchemas.request("safe", "A value may be sent anew.", "made-read-only"),
  "made-write-only": inSchemas.response("breaking", "A value is answered no longer.", "write-only-ended"),
  "write-only-ended": inSchemas.response("safe", "A value is answered anew.", "made-write-only"),
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
  "discriminator-changed": inSchemas.neutral("risky", "A union is told apart otherwise.", "discriminator-changed"),
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
  "security-tightened": inSecurity.request("breaking", "Credentials that sufficed no longer do.", "security-loosened"),
  "security-loosened": inSecurity.request("risky", "Other credentials suffice.", "security-tightened"),
  "callers-narrowed": inSecurity.request("breaking", "Some callers are let in no longer.", "callers-widened"),
  "callers-widened": inSecurity.request("risky", "More callers are let in.", "callers-narrowed"),
  "server-removed": inServers.request("breaking", "An address is gone.", "server-added"),
  "server-added": inServers.request("safe", "An address is new.", "server-removed"),
  "operation-scope-added": inScopes.request("breaking", "An operation needs a scope anew.", "operation-scope-removed"),
  "operation-scope-removed": inScopes.request(
    "risky",
    "An operation needs a scope no longer.",
    "operation-scope-added",
  ),
  "operation-scope-changed": inScopes.request(
    "breaking",
    "An operation needs another scope.",
    "operation-scope-changed",
  ),
  "scope-removed": inScopes.request("breaking", "A scope is gone.", "scope-added"),
  "scope-added": inScopes.request("safe", "A scope is new.", "scope-removed"),
  "limit-tightened": inLimits.request("breaking", "A limit admits less.", "limit-loosened"),
  "limit-loosened": inLimits.request("safe", "A limit admits more.", "limit-tightened"),
  "limit-unit-changed": inLimits.request("breaking", "A limit counts something else.", "limit-unit-changed"),
  "limit-kind-changed": inLimits.request("breaking", "A limit works in another way.", "limit-kind-changed"),
  "limit-removed": inLimits.request("safe", "A limit is gone.", "limit-added"),
  "limit-added": inLimits.request("risky", "A limit is new.", "limit-removed"),
  "limit-adjustable": inLimits.request("safe", "A limit can be adjusted anew.", "limit-fixed"),
  "limit-fixed": inLimits.request("breaking", "A limit can be adjusted no longer.", "limit-adjustable"),
  "limit-tiers-renumbered": inLimits.neutral("risky", "Tiers have other numbers.", "limit-tiers-renumbered"),
  "limit-question-changed": inLimits.neutral(
    "risky",
    "Another open question bears on a limit.",
    "limit-question-changed",
  ),
  "operation-limit-added": inLimits.request("breaking", "An operation is limited anew.", "operation-limit-removed"),
  "operation-limit-removed": inLimits.request("safe", "An operation is limited no longer.", "operation-limit-added"),
  "operation-limit-changed": inLimits.request(
    "breaking",
    "An operation draws from another limit.",
    "operation-limit-changed",
  ),
  "bound-tightened": inLimits.request("breaking", "A bound admits less.", "bound-loosened"),
  "bound-loosened": inLimits.request("risky", "A bound admits more.", "bound-tightened"),
  "bound-changed": inLimits.neutral("breaking", "A bound differs.", "bound-changed"),
  "bound-added": inLimits.neutral("breaking", "A bound is new.", "bound-removed"),
  "bound-removed": inLimits.neutral("risky", "A bound is gone.", "bound-added"),
  "constant-changed": inConstants.neutral("breaking", "A text of the contract differs.", "constant-changed"),
  "constant-added": inConstants.neutral("safe", "A text of the contract has a name anew.", "constant-removed"),
  "constant-removed": inConstants.neutral("safe", "A text of the contract has a name no longer.", "constant-added"),
  "error-removed": inErrors.response("risky", "An error is in the catalog no longer.", "error-added"),
  "error-added": inErrors.response("risky", "An error is in the catalog anew.", "error-removed"),
  "error-code-changed": inErrors.response("breaking", "An error has another code.", "error-code-changed"),
  "error-status-widened": inErrors.response("breaking", "An error may have another status.", "error-status-narrowed"),
  "error-status-narrowed": inErrors.response("safe", "An error has fewer statuses.", "error-status-widened"),
  "error-details-removed": inErrors.response("breaking", "An error's details are gone.", "error-details-added"),
  "error-details-added": inErrors.response("safe", "An error has more details.", "error-details-removed"),
  "error-header-removed": inErrors.response("breaking", "An error lacks a header that it had.", "error-header-added"),
  "error-header-added": inErrors.response("safe", "An error has a new header.", "error-header-removed"),
  "error-spread": inErrors.response("risky", "An error may answer any operation.", "error-confined"),
  "error-confined": inErrors.response("safe", "An error answers only where it is listed.", "error-spread"),
  "error-extension-changed": inErrors.neutral(
    "risky",
    "An error is the reference's own, or is no longer.",
    "error-extension-changed",
  ),
  "operation-error-removed": inErrors.response(
    "risky",
    "An operation answers an error no longer.",
    "operation-error-added",
  ),
  "operation-error-added": inErrors.response("risky", "An operation answers an error anew.", "operation-error-removed"),
  "refusal-changed": inErrors.response("risky", "An invalid value is refused with another error.", "refusal-changed"),
  "reserved-code-removed": inErrors.response("risky", "A code is reserved no longer.", "reserved-code-added"),
  "reserved-code-added": inErrors.response("safe", "A code is reserved anew.", "reserved-code-removed"),
  "entity-removed": inStates.response("breaking", "States of an entity are gone.", "entity-added"),
  "entity-added": inStates.response("safe", "States of an entity are declared anew.", "entity-removed"),
  "state-removed": inStates.response("breaking", "A state is never reached.", "state-added", "open-state-added"),
  "state-added": inStates.response("breaking", "A closed set of states has a new one.", "state-removed"),
  "open-state-added": inStates.response("risky", "An open set of states has a new one.", "state-removed"),
  "states-opened": inStates.response("breaking", "Other states may exist.", "states-closed"),
  "states-closed": inStates.response("safe", "No other states may exist.", "states-opened"),
  "transition-removed": inStates.response("breaking", "A transition is gone.", "transition-added"),
  "transition-added": inStates.response("risky", "A transition is new.", "transition-removed"),
  "transition-condition-changed": inStates.request(
    "risky",
    "A transition has another condition.",
    "transition-condition-changed",
  ),
  "transition-answer-changed": inStates.response(
    "breaking",
    "A transition is answered otherwise.",
    "transition-answer-changed",
  ),
  "webhook-removed": inEvents.response("breaking", "A webhook is sent no longer.", "webhook-added"),
  "webhook-added": inEvents.response("risky", "A webhook is sent anew.", "webhook-removed"),
  "webhook-payload-removed": inEvents.response(
    "breaking",
    "A webhook is sent without what it held.",
    "webhook-payload-added",
  ),
  "webhook-payload-added": inEvents.response("risky", "A webhook is sent in a new form.", "webhook-payload-removed"),
  "webhook-payload-widened": inEvents.response(
    "breaking",
    "A webhook may hold what it could not hold.",
    "webhook-payload-narrowed",
  ),
  "webhook-payload-narrowed": inEvents.response(
    "safe",
    "A webhook promises more.",
    "webhook-payload-widened",
    "open-enum-extended",
  ),
  "webhook-parameters-widened": inEvents.response(
    "breaking",
    "Headers or parameters of a webhook may be what they could not be.",
    "webhook-parameters-narrowed",
  ),
  "webhook-parameters-narrowed": inEvents.response(
    "safe",
    "Headers or parameters of a webhook promise more.",
    "webhook-parameters-widened",
    "open-enum-extended",
  ),
  "webhook-answer-removed": inEvents.request(
    "breaking",
    "An answer of a receiver is understood no longer.",
    "webhook-answer-added",
  ),
  "webhook-answer-added": inEvents.request(
    "safe",
    "An answer of a receiver is understood anew.",
    "webhook-answer-removed",
  ),
  "webhook-answer-narrowed": inEvents.request(
    "breaking",
    "A receiver's answer may not hold what it could.",
    "webhook-answer-widened",
  ),
  "webhook-answer-widened": inEvents.request("safe", "A receiver's answer may hold more.", "webhook-answer-narrowed"),
  "event-removed": inEvents.response("breaking", "An event is sent no longer.", "event-added"),
  "event-added": inEvents.response("risky", "An event is sent anew.", "event-removed"),
  "delivery-header-removed": inEvents.response(
    "breaking",
    "A delivery lacks a header that it had.",
    "delivery-header-added",
  ),
  "delivery-header-added": inEvents.response("safe", "A delivery has a new header.", "delivery-header-removed"),
  "delivery-header-widened": inEvents.response(
    "breaking",
    "A delivery's header may have values that it could not have.",
    "delivery-header-narrowed",
  ),
  "delivery-header-narrowed": inEvents.response(
    "safe",
    "A delivery's header promises more.",
    "delivery-header-widened",
    "open-enum-extended",
  ),
  "rule-added": inRules.neutral("risky", "A rule is new.", "rule-removed", "advice-removed"),
  "rule-removed": inRules.neutral("breaking", "A binding rule is gone.", "rule-added"),
  "advice-removed": inRules.neutral("risky", "A rule that bound nobody is gone.", "rule-added"),
  "rule-weakened": inRules.neutral("breaking", "A rule binds no longer.", "rule-strengthened"),
  "rule-strengthened": inRules.neutral("risky", "A rule binds anew.", "rule-weakened"),
  "advice-weakened": inRules.neutral("risky", "Advice became an observation.", "advice-strengthened"),
  "advice-strengthened": inRules.neutral("safe", "An observation became advice.", "advice-weakened"),
  "rule-meaning-changed": inRules.neutral("breaking", "A rule says something else.", "rule-meaning-changed"),
  "rule-reused": inRules.neutral("breaking", "A rule's id names another rule.", "rule-reused"),
  "rule-value-changed": inRules.neutral("risky", "A value in a rule differs.", "rule-value-changed"),
  "rule-moved": inRules.neutral("safe", "A rule is declared on something else.", "rule-moved"),
  "rule-basis-changed": inRules.neutral("safe", "A rule rests on another basis.", "rule-basis-changed"),
  "rule-questions-changed": inRules.neutral("risky", "Other open questions bear on a rule.", "rule-questions-changed"),
  "rule-made-unobservable": inRules.neutral("risky", "A rule is said to be unobservable.", "rule-made-observable"),
  "rule-made-observable": inRules.neutral("safe", "A rule is observable anew.", "rule-made-unobservable"),
  "rule-drafted": inRules.neutral("risky", "A rule goes without check and mutant.", "rule-draft-ended", "rule-drafted"),
  "rule-draft-ended": inRules.neutral("safe", "A rule is no draft any more.", "rule-drafted"),
  "reference-choice-changed": inQuestions.neutral(
    "risky",
    "The reference server chooses otherwise among what is allowed.",
    "reference-choice-changed",
  ),
  "question-settled": inQuestions.neutral("risky", "An open question is settled.", "question-opened"),
  "question-opened": inQuestions.neutral("risky", "A question is open anew.", "question-settled"),
  "question-alternative-removed": inQuestions.neutral(
    "breaking",
    "An alternative is lawful no longer.",
    "question-alternative-added",
  ),
  "question-alternative-added": inQuestions.neutral(
    "risky",
    "An alternative is lawful anew.",
    "question-alternative-removed",
  ),
  "question-meaning-changed": inQuestions.neutral(
    "risky",
    "A question asks something else.",
    "question-meaning-changed",
  ),
  "question-kind-changed": inQuestions.neutral("risky", "A question is of another kind.", "question-kind-changed"),
  "question-tolerance-changed": inQuestions.neutral(
    "risky",
    "Something else is tolerated.",
    "question-tolerance-changed",
  ),
  "question-option-changed": inQuestions.neutral(
    "risky",
    "The server option of a question differs.",
    "question-option-changed",
  ),
};

export type ChangeId = keyof typeof table;

/** Every kind of change, in the order of the areas. */
export const changeTable: Readonly<Record<ChangeId, ChangeKind>> = table;

const isChangeId = (id: string): id is ChangeId => Object.hasOwn(table, id);

export const changeIds: readonly ChangeId[] = Object.keys(table).filter(isChangeId);
