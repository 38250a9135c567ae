/**
 * What code says, when it is run, that `bylaw new` wrote and nobody has finished. A test refuses it wherever it stands, so
 * that nothing unfinished passes for done.
 */
export const unwritten = (what: string): string => `${what} is not written yet`;

/** The same in a source text, of whatever it is said. */
export const unwrittenCode = /["`]([\w.-]+) is not written yet["`]/;
