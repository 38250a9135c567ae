/** Foreign text on one line, bounded, without control characters. */
export const onOneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}]+/gu, " ")
    .replace(/\.$/, "")
    .slice(0, 200)
    .trim();
