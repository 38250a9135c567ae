import type { DiagnosticTarget, EnumMember, Model } from "@typespec/compiler";

/** What decorators are given: the models beside it as their values arrive, which `facts.test.ts` compares; and more. */

export interface BasisFacts {
  readonly entailed?: string;
  readonly assumed?: string;
  readonly observed?: string;
  readonly unobservable?: string;
  readonly open?: readonly string[];
  readonly demands?: "foreignRecord" | "isolation" | "dataShape";
  readonly draft?: RuleDraftFacts;
}

export interface RuleDraftFacts {
  readonly owner: string;
  readonly expires: string;
}

export interface RuleFacts {
  readonly id: string;
  readonly says: string;
  readonly saysAt: DiagnosticTarget;
  readonly basis: BasisFacts;
}

export interface QuestionFacts extends OpenQuestionFacts {
  readonly id: string;
}

export interface OpenQuestionFacts {
  readonly asks: string;
  readonly kind: "observable" | "shape" | "internal";
  readonly choice: string;
  readonly alternatives?: readonly string[];
  readonly tolerates?: string;
  readonly reason?: string;
  readonly option?: string;
  readonly values?: readonly string[];
}

export interface BucketFacts {
  readonly capacity: number;
  readonly periodSeconds: number;
  readonly unit: "request" | "record";
  readonly adjustable?: boolean;
  readonly open?: string;
}

export interface DrawFacts {
  readonly bucket: EnumMember;
  /** Name of the array in the body whose items are the units. */
  readonly records: string | null;
  /** The error row that refuses more of them than the bucket ever holds. */
  readonly tooMany: Model | null;
}

export interface LadderFacts {
  readonly capacities: readonly number[];
  readonly periodSeconds: number;
  readonly unit: "request" | "record";
  readonly adjustable?: boolean;
  readonly open?: string;
}

export interface ErrorRowFacts {
  readonly when: string;
  readonly extension?: boolean;
  readonly referenceStatus?: number;
  readonly notStatus?: readonly number[];
  readonly anywhere?: boolean;
  readonly notOffered?: string;
  readonly shortOf?: "credit" | "paidUse" | "plan" | "stock";
}

export interface NarrowingFacts {
  readonly required?: boolean;
  readonly requiredBy?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
}

export interface SignatureSchemeFacts {
  readonly time: string;
  readonly signature: string;
  readonly hash: string;
  readonly key: "base64" | "text";
  readonly content: readonly string[];
  readonly encoding: "hex" | "base64";
  readonly toleranceSeconds: number;
}

export interface StatesFacts {
  readonly known: readonly string[];
  readonly open: boolean;
}

export interface TransitionFacts {
  readonly from: string;
  readonly to: string;
  readonly trigger: string;
  readonly asks?: string;
  readonly condition?: string;
  readonly answers?: string;
  readonly rule?: string;
  readonly stateRule?: string;
}

/** What calls of an operation change: a member of `Changes`. */
export type Changes = "nothing" | "once" | "eachTime";

/** What a property of an answer is to a client: a member of `EnvelopePart`. */
export type EnvelopePart = "payload" | "code" | "message" | "details" | "requestId";
