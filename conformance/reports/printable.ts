/** Foreign text with control and direction characters made visible, so that it cannot steer a terminal; keeps line breaks. */
export const printable = (text: string): string =>
  text.replace(/\r\n/g, "\n").replace(/[^\P{C}\n]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return character === "\t" ? "  " : `\\u{${code.toString(16)}}`;
  });

/** The same on one line. */
export const printableLine = (text: string): string => printable(text).replaceAll("\n", "\\n");

/** A body as people read it: JSON that fits on a line stays on one, longer JSON is indented, all is cut at a limit. */
export function readableBody(text: string, limit: number): string {
  const whole = printable(text.length > shortLine && isJson(text) ? indented(text) : text);
  if (whole.length <= limit) return whole;
  const shown = whole.slice(0, limit).replace(/[\uD800-\uDBFF]$/, "");
  return `${shown}… (${whole.length - shown.length} characters more)`;
}

const shortLine = 100;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * JSON with line breaks and indentation where it is long; every token stays as it was written, so that evidence is
 * not altered.
 */
function indented(json: string): string {
  const tokens = json.match(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g) ?? [];
  let next = 0;

  function value(depth: number): string {
    const opening = tokens[next++] ?? "";
    if (opening !== "{" && opening !== "[") return opening;
    const members: string[] = [];
    while (tokens[next] !== "}" && tokens[next] !== "]" && next < tokens.length) {
      const name = tokens[next + 1] === ":" ? `${tokens[next]}: ` : "";
      if (name !== "") next += 2;
      members.push(name + value(depth + 1));
      if (tokens[next] === ",") next += 1;
    }
    const closing = tokens[next++] ?? "";
    const inline = members.join(", ");
    if (inline.length + 2 * depth <= shortLine - 20 && !inline.includes("\n")) return opening + inline + closing;
    const margin = "  ".repeat(depth);
    return `${opening}\n${members.map((member) => `${margin}  ${member}`).join(",\n")}\n${margin}${closing}`;
  }

  return deepest(tokens) > 50 ? json : value(0);
}

function deepest(tokens: readonly string[]): number {
  let depth = 0;
  return tokens.reduce((most, token) => {
    depth += token === "{" || token === "[" ? 1 : token === "}" || token === "]" ? -1 : 0;
    return Math.max(most, depth);
  }, 0);
}
