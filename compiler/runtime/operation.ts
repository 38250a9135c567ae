import type { JsonSchema } from "./json.ts";
import type { CallerKind, ServiceName } from "./names.ts";

/** Facts of one operation that do not depend on its shapes. */
export interface Operation {
  readonly id: string;
  readonly service: ServiceName;
  readonly resource: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path template with `{name}` parameters. */
  readonly path: string;
  readonly summary: string;
  readonly scope: string | null;
  /** Open question that the scope answers when the API document names none for the operation. */
  readonly scopeQuestion: string | null;
  readonly caller: CallerKind;
  /** Open question on whether keys may call it, or users alone; null where the API document says so. */
  readonly callerQuestion: string | null;
  /** Buckets that a call draws from, all of them at once or none. */
  readonly draws: readonly OperationDraw[];
  /** What calls change of what other answers show: the same call again nothing further, where that is once. */
  readonly changes: "nothing" | "once" | "eachTime";
  /** Header with which a retry gets the first result; null when there is none. */
  readonly idempotencyHeader: string | null;
  readonly list: boolean;
  /** Open question on whether it answers with a list; null where the API document says so. */
  readonly listQuestion: string | null;
  /** Query parameter that says how many records a page of the list holds. */
  readonly pageSize: string | null;
  /** Members of the answer's body that hold what clients receive: one gives its value, several an object; none: the whole body. */
  readonly payload: readonly string[];
  readonly success: { readonly allowed: number | "2XX"; readonly reference: number };
  /** Names of the error rows that may answer. */
  readonly errors: readonly string[];
  /** What one of these rows tells there is too little of: money, charged use before the call, rank of the plan, or what is for sale. */
  readonly shortages: readonly ("credit" | "paidUse" | "plan" | "stock")[];
  /** A body value at `pointer` or below that breaks one of `keywords` is refused with `row`. */
  readonly refusals: readonly {
    readonly pointer: string;
    readonly keywords: readonly string[];
    readonly row: string;
  }[];
  /** The same, with the row that is the value of an option. */
  readonly optionalRefusals: readonly {
    readonly pointer: string;
    readonly keywords: readonly string[];
    readonly option: string;
  }[];
  /** Body members that are demanded beyond the contract while an option has its first value. */
  readonly requiredBy: readonly { readonly pointer: string; readonly option: string }[];
  /** JSON Pointers into the answer's payload where secrets stand; `*` is any array item. */
  readonly secrets: readonly string[];
}

/** What a call draws from one bucket: one unit, or one for each item of an array in its body. */
export interface OperationDraw {
  readonly bucket: string;
  /** JSON Pointer of the array; null for one unit. */
  readonly records: string | null;
  /** Error row that refuses more items than the bucket ever holds; null for one unit. */
  readonly tooMany: string | null;
}

/** JSON Schemas of one operation. References in them point at `#/components/schemas/…`. */
export interface OperationSchemas {
  /** Objects of named parameters, one for each place; null when the operation has none there. */
  readonly path: JsonSchema | null;
  readonly query: JsonSchema | null;
  readonly headers: JsonSchema | null;
  readonly body: JsonSchema | null;
  /** Media type of the body, of which `body` is the schema where it is JSON; null when there is none. */
  readonly bodyMedia: string | null;
  readonly bodyRequired: boolean;
  /** What the reference server demands of the body beyond the contract. */
  readonly referenceBody: JsonSchema | null;
  /** The whole body of a success answer; anything, where it is not JSON. */
  readonly answer: JsonSchema;
  /** Null when a success answer has no body. */
  readonly answerMedia: string | null;
}
