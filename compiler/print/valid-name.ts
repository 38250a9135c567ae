/** Words that no declaration of a module may have for a name (ECMAScript 2024, strict mode). */
const reserved = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends " +
    "false finally for function if implements import in instanceof interface let new null package private protected " +
    "public return static super switch this throw true try typeof var void while with yield"
  ).split(" "),
);

/** Types that generated files import or take from the language. */
const types = new Set(
  (
    "Answer Bind ErrorOf JsonSchema Operation OperationSchemas Promise Readonly Record Refusal Transport Uint8Array any bigint " +
    "boolean never null number object string symbol undefined unknown void"
  ).split(" "),
);

/** Whether a constant can be called this. */
export const isName = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name) && !reserved.has(name);

/** Whether a model can be called this. */
export const isTypeName = (name: string): boolean => isName(name) && !types.has(name);

/** Whether a file can be called this. */
export const isPath = (name: string): boolean => /^[a-z0-9][a-z0-9-]*$/.test(name);
