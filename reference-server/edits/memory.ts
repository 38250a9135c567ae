/** What an edited server remembers, as an expression in its code; empty when the process begins. */
export const memory = "(globalThis.remembered ??= {})";
