import { createTypeSpecLibrary, paramMessage } from "@typespec/compiler";

/** The library as TypeSpec knows it: its diagnostics, and where it keeps what it collects. */
export const $lib = createTypeSpecLibrary({
  name: "bylaw",
  state: {
    vocabulary: { description: "What the decorators collected while a program was checked." },
  },
  diagnostics: {
    "rule-id": {
      severity: "error",
      messages: { default: "Rule ids have the form AREA-NN or AREA-NNN, such as KEYC-15." },
    },
    "service-name": {
      severity: "error",
      messages: { default: "The name of a service is one word of small letters and digits, such as api." },
    },
    "question-id": {
      severity: "error",
      messages: { default: "Question ids have the form Qn, such as Q24." },
    },
    "basis-conflict": {
      severity: "error",
      messages: { default: "A rule has one basis: keep one of entailed, assumed, observed, unobservable." },
    },
    "rule-draft": {
      severity: "error",
      messages: {
        default: "A draft names its owner and its last day, such as 2027-01-31.",
        unobservable: "No client can observe this rule, so that nobody owes it a check: take its draft away.",
      },
    },
    "bucket-size": {
      severity: "error",
      messages: { default: "Capacity and period of a bucket are whole numbers above zero." },
    },
    constant: {
      severity: "error",
      messages: {
        default: "A constant is a text or a number.",
        name: "Name the constant.",
        unit: "Say with @unit what this number counts.",
        text: "A text has no unit.",
      },
    },
    "ladder-order": {
      severity: "error",
      messages: {
        default:
          "Amounts start at 0 cents and rise, as do the capacities, one for each of them; a period is above zero.",
      },
    },
    "wrong-enum": {
      severity: "error",
      messages: { default: "This member does not belong to an enum with the right decorator." },
    },
    "question-shape": {
      severity: "error",
      messages: {
        alternatives: "Name the lawful alternatives of this open question, or make it internal with a reason.",
        reason: "Say why the answer to this internal question is nobody's business.",
        values: "An option names at least two values; the first is the reference's choice.",
        default: "This open question is not complete.",
      },
    },
    "operation-without-summary": {
      severity: "warning",
      messages: {
        default: paramMessage`${"operation"} does not say what it does: put a doc comment above it, which documents and methods carry.`,
      },
    },
    "operation-name": {
      severity: "warning",
      messages: {
        default: paramMessage`${"operation"} becomes the name of methods: write it in camel case, such as createWidget.`,
      },
    },
    "deprecation-without-day": {
      severity: "warning",
      messages: {
        default: paramMessage`${"operation"} is deprecated without a day: say in #deprecated until when it is served, such as 2027-06-30.`,
      },
    },
    "unbounded-request": {
      severity: "warning",
      messages: {
        default: paramMessage`${"property"} of ${"operation"} may be as long as a client likes: give it @maxLength, @maxItems, @pattern or @format, or say with @narrowed what the reference demands.`,
      },
    },
    "unused-scope": {
      severity: "warning",
      messages: { default: paramMessage`No operation needs the scope ${"scope"}: name it with @scope, or remove it.` },
    },
    "unused-bucket": {
      severity: "warning",
      messages: { default: paramMessage`No operation draws from ${"bucket"}: name it with @draws, or remove it.` },
    },
    "row-status": {
      severity: "error",
      messages: { default: "referenceStatus and notStatus are HTTP statuses of the row's declared range." },
    },
  },
});
