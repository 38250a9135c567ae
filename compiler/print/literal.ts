const width = 118;

/**
 * A JSON value as a TypeScript literal, laid out as a person would: on one line where it fits, else one entry a line.
 * `column` is where the literal starts, `indent` the indentation of the line that it starts on.
 */
export function literal(value: unknown, indent = "", column = indent.length): string {
  const flat = oneLine(value);
  if (column + flat.length <= width || typeof value !== "object" || value === null) return flat;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => `${inner}${literal(item, inner)},`);
    return `[\n${items.join("\n")}\n${indent}]`;
  }
  const entries = Object.entries(value).map(([key, item]) => {
    const head = `${inner}${propertyKey(key)}: `;
    return `${head}${literal(item, inner, head.length)},`;
  });
  return `{\n${entries.join("\n")}\n${indent}}`;
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([key, item]) => `${propertyKey(key)}: ${oneLine(item)}`);
    return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
  }
  return JSON.stringify(value);
}

/** A property name, quoted only where TypeScript needs it. */
export const propertyKey = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key));

/** A doc comment, or nothing for an empty text. */
export function docComment(text: string | undefined, indent = ""): string {
  if (!text) return "";
  const lines = text.replaceAll("*/", "*\\/").split("\n");
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}
