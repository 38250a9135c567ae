/** Foreign text with control and direction characters made visible, so that it cannot steer a terminal; keeps line breaks. */
export const printable = (text: string): string =>
  text.replace(/\r\n/g, "\n").replace(/[^\P{C}\n]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return character === "\t" ? "  " : `\\u{${code.toString(16)}}`;
  });

/** The same on one line, in which a tab is told from blanks. */
export const printableLine = (text: string): string => printable(text.replaceAll("\t", "\\t")).replaceAll("\n", "\\n");
