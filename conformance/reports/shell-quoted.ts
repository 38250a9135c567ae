/** Text as one word of a POSIX shell, which replaces nothing in it. */
export const shellQuoted = (text: string): string =>
  /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
