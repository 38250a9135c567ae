import type { Json, JsonSchema } from "./schema/json-schema.ts";

export type { Json, JsonSchema };

/** Version of the form of a contract as JSON, not of the API. */
export const contractFormat = 6;

/**
 * The contract as one readonly, JSON-serialisable value. Readers make it, printers and lint rules are pure
 * functions of it. Its JSON Schemas stand in the OpenAPI documents and nowhere else.
 */
export interface Contract {
  readonly contractFormat: typeof contractFormat;
  /** The one that clients rely on first. */
  readonly services: readonly Service[];
  readonly callers: readonly CallerKind[];
  readonly operations: readonly Operation[];
  readonly errors: readonly ErrorRow[];
  readonly reservedCodes: readonly string[];
  readonly scopes: readonly Scope[];
  readonly buckets: readonly Bucket[];
  readonly bounds: readonly Bound[];
  readonly constants: readonly Constant[];
  readonly eventTypes: readonly string[];
  readonly deliveryHeaders: readonly DeliveryHeader[];
  readonly entities: readonly Entity[];
  readonly rules: readonly Rule[];
  readonly questions: readonly OpenQuestion[];
}

/** Where a declaration stands: a path relative to the project, one-based line and column. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Names one of the contract's services. */
export type ServiceName = string;

/** Operations at one address, with a document of their own. */
export interface Service {
  readonly name: ServiceName;
  /** It arranges states for tests: no client relies on it. */
  readonly testing: boolean;
  /** Where all paths begin, with a slash at both ends, such as `/v1/`. */
  readonly basePath: string;
  readonly document: OpenApiDocument;
  readonly envelope: Envelope;
}

/** A kind of caller, and whom it lets in. */
export interface CallerKind {
  readonly name: string;
  readonly admits: readonly string[];
}

export type Method = "get" | "post" | "put" | "patch" | "delete";

export interface Operation {
  /** Unique, also the `operationId` in the OpenAPI document. */
  readonly id: string;
  readonly service: ServiceName;
  /** Kebab-case name of the group that the operation belongs to. */
  readonly resource: string;
  readonly method: Method;
  /** Path template with `{name}` parameters. */
  readonly path: string;
  readonly summary: string;
  readonly scope: string | null;
  /** Question that the scope answers when the API document names none for the operation. */
  readonly scopeQuestion: string | null;
  /** Why the operation needs no scope, when it has none. */
  readonly scopeExemption: string | null;
  /** Who may call it: a kind of caller; null where the contract names none. */
  readonly caller: string | null;
  /** Question on whether keys may call it, or users alone; null where the API document says so. */
  readonly callerQuestion: string | null;
  /** Buckets that a call draws from, all of them at once or none. */
  readonly draws: readonly Draw[];
  /** What calls change of what other answers show: the same call again nothing further, where that is once. */
  readonly changes: "nothing" | "once" | "eachTime";
  /** Header with which a retry gets the first result; null when there is none. */
  readonly idempotencyHeader: string | null;
  /** True when the answer is a page of a list. */
  readonly list: boolean;
  /** Question on whether it is; null where the API document says so. */
  readonly listQuestion: string | null;
  /** Query parameter that says how many records a page of the list holds. */
  readonly pageSize: string | null;
  /** Question that asks what sizes of a page there are, where the API document does not say. */
  readonly pageSizeQuestion: string | null;
  /** How the next page of a list is asked for; null where there is no cursor. */
  readonly continuation: Continuation | null;
  /** Members of the answer's body that hold what clients receive: one gives its value, several an object; none: the whole body. */
  readonly payload: readonly string[];
  readonly success: SuccessStatus;
  /** Names of the error rows that may answer. */
  readonly errors: readonly string[];
  /** What one of these rows tells there is too little of. */
  readonly shortages: readonly Shortage[];
  readonly refusals: readonly Refusal[];
  readonly optionalRefusals: readonly OptionalRefusal[];
  readonly narrowings: readonly Narrowing[];
  /** JSON Pointers into the answer's payload where secrets stand; `*` matches any array item. */
  readonly secrets: readonly string[];
  readonly place: Place;
}

/** What a call may find too little of: money, charged use before it, rank of the plan, or what is for sale. */
export type Shortage = "credit" | "paidUse" | "plan" | "stock";

/** The query parameter that takes a cursor, and the JSON Pointer in the payload of a page at which the next one stands. */
export interface Continuation {
  readonly parameter: string;
  readonly pointer: string;
}

/** What a call draws from one bucket. */
export interface Draw {
  readonly bucket: string;
  /** JSON Pointer of the array in the body that has one item for each unit; null: one unit. */
  readonly records: string | null;
  /** Name of the error row that refuses more items than the bucket ever holds; null where nothing is counted. */
  readonly tooMany: string | null;
}

export interface SuccessStatus {
  /** What the contract allows: one status, or `2XX`. */
  readonly allowed: number | "2XX";
  /** What the reference server answers. */
  readonly reference: number;
  readonly question: string | null;
}

/** A body value at `pointer` (or below) that breaks one of `keywords` is refused with `row`. */
export interface Refusal {
  readonly pointer: string;
  readonly keywords: readonly string[];
  readonly row: string;
}

/** A body value at `pointer` (or below) that breaks one of `keywords` is refused with the row that an option names. */
export interface OptionalRefusal {
  readonly pointer: string;
  readonly keywords: readonly string[];
  readonly option: string;
}

/** What the reference demands of the body property at `pointer` beyond the contract. */
export interface Narrowing {
  readonly pointer: string;
  readonly question: string;
  readonly required: boolean;
  /** Option of the reference that demands the property by its first value; null where none decides. */
  readonly requiredBy: string | null;
  readonly schema: JsonSchema;
}

export interface ErrorRow {
  /** Name of the row; several rows may share a code. */
  readonly name: string;
  readonly service: ServiceName;
  readonly code: string;
  /** What the contract allows: one status or an inclusive range less exceptions. */
  readonly status: number | { readonly from: number; readonly to: number; readonly except: readonly number[] };
  readonly referenceStatus: number;
  readonly details: ErrorDetails;
  readonly when: string;
  readonly extension: boolean;
  /** May answer any operation. */
  readonly anywhere: boolean;
  /** What a server that answers so lawfully does not do, after "the target"; null where it fails to do something. */
  readonly notOffered: string | null;
  /** Documented answer headers other than the one that identifies the request. */
  readonly headers: readonly string[];
  readonly place: Place;
}

/** Where the parts of a service's error answers stand: JSON Pointers into the body; null for what they do not have. */
export interface Envelope {
  readonly code: string;
  readonly message: string | null;
  readonly details: string | null;
  /** Header of every answer that identifies the request, in lower case. */
  readonly requestId: string | null;
}

export type ErrorDetails =
  | { readonly kind: "none" }
  | { readonly kind: "fields" }
  | { readonly kind: "keys"; readonly keys: readonly string[] };

export interface Scope {
  readonly name: string;
  readonly value: string;
  /** Question that the scope answers when the API document does not name it. */
  readonly question: string | null;
}

export type Bucket = {
  readonly name: string;
  readonly summary: string;
  readonly periodSeconds: number;
  readonly unit: "request" | "record";
  readonly adjustable: boolean;
  readonly question: string | null;
  readonly place: Place;
} & (
  | { readonly kind: "bucket"; readonly capacity: number }
  /** In the order of the amounts from which they hold. */
  | { readonly kind: "ladder"; readonly tiers: readonly LadderTier[] }
);

export interface LadderTier {
  readonly tier: number;
  /** Lifetime spend in US cents from which it holds. */
  readonly fromCents: number;
  readonly capacity: number;
}

/** A text that has a name. */
export interface Constant {
  readonly name: string;
  readonly value: string;
  readonly summary: string;
}

/** A number that has a name. */
export interface Bound {
  readonly name: string;
  readonly value: number;
  readonly summary: string;
  readonly unit: string;
}

export interface DeliveryHeader {
  readonly name: string;
  readonly summary: string;
  readonly pattern: string | null;
  /** The pattern lists the values of an open enum: later versions may add some. */
  readonly open: boolean;
  /** Component of the documents whose values the header has; null where it has none by name. */
  readonly component: string | null;
  /** How it signs the delivery, by the reference's choice where that is left open; null where it does not. */
  readonly scheme: SignatureScheme | null;
}

/** An HMAC over a delivery, and the form of the header that tells it. */
export interface SignatureScheme {
  /** What stands before the time in the header, and before each signature. */
  readonly time: string;
  readonly signature: string;
  readonly hash: string;
  /** The key: the bytes that a secret encodes, or its own text. */
  readonly key: "base64" | "text";
  /** What is signed, joined with dots: `time`, `body`, or the name of a header for its value. */
  readonly content: readonly string[];
  readonly encoding: "hex" | "base64";
  /** Seconds by which receivers let the time be off. */
  readonly toleranceSeconds: number;
}

export interface Entity {
  readonly name: string;
  readonly states: readonly string[];
  /** Other states may exist. */
  readonly open: boolean;
  readonly transitions: readonly Transition[];
}

export interface Transition {
  readonly from: string;
  readonly to: string;
  /** Method and path. */
  readonly trigger: string;
  /** Null where the contract does not declare the operation. */
  readonly operation: string | null;
  /** What the request asks for, where the operation can be asked for several things. */
  readonly asks: string | null;
  readonly condition: string | null;
  /** Status, or status and code; null for any success. */
  readonly answers: string | null;
  /** The error row of a refusal. */
  readonly row: string | null;
  /** The rule that says how the request is answered. */
  readonly rule: string | null;
  /** The rule that says in which state that leaves the entity; it may be the same. */
  readonly stateRule: string | null;
}

export interface Rule {
  readonly id: string;
  /** What the rule speaks about: an operation id, an error row's name, or the name of another declaration. */
  readonly about: string;
  /** The sentence, values filled in. */
  readonly says: string;
  /** The sentence as written, with its placeholders. */
  readonly template: string;
  /** Operations and error rows that the sentence names by placeholders. */
  readonly operations: readonly string[];
  readonly rows: readonly string[];
  /**
   * What of it programs must know. `foreignRecord`: what these operations answer about another organization's record, one
   * of these rows. `isolation`: that organizations are kept apart in some other way. `dataShape`: that a success of the
   * operation has the members of its model, with their types. Null: nothing.
   */
  readonly demands: "foreignRecord" | "isolation" | "dataShape" | null;
  readonly level: "must" | "should" | "observe";
  readonly basis: "explicit" | "entailed" | "assumed" | "observed";
  readonly why: string | null;
  /** Why no client can observe the rule; null when one can. */
  readonly unobservable: string | null;
  readonly questions: readonly string[];
  /** Who owes it check and mutant, and the last day without them, in UTC; left out where it is no draft. */
  readonly draft?: RuleDraft;
  readonly place: Place;
}

export interface RuleDraft {
  readonly owner: string;
  /** Such as 2027-01-31. */
  readonly expires: string;
}

export interface OpenQuestion {
  readonly id: string;
  readonly about: string;
  readonly asks: string;
  readonly kind: "observable" | "shape" | "internal";
  readonly choice: string;
  readonly alternatives: readonly string[];
  readonly tolerates: string | null;
  readonly reason: string | null;
  /** Server option that flips the answer, and its values; the first is the reference's choice. */
  readonly option: { readonly name: string; readonly values: readonly string[] } | null;
  readonly place: Place;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly [key: string]: Json };
  readonly paths: { readonly [path: string]: { readonly [method: string]: OpenApiOperation } };
  readonly components: { readonly schemas: { readonly [name: string]: JsonSchema }; readonly [key: string]: Json };
  readonly [key: string]: unknown;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: { readonly [mediaType: string]: { readonly schema: JsonSchema } };
  };
  readonly responses: { readonly [status: string]: OpenApiResponse };
  readonly [key: string]: unknown;
}

export interface OpenApiParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  readonly required?: boolean;
  readonly description?: string;
  /** `false`: a list is sent with commas between its items, not as several parameters of the name. */
  readonly explode?: boolean;
  readonly schema: JsonSchema;
}

export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: { readonly [name: string]: { readonly required?: boolean; readonly schema: JsonSchema } };
  readonly content?: { readonly [mediaType: string]: { readonly schema: JsonSchema } };
}
