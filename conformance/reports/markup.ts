/** Text that is HTML already. */
export interface Markup {
  readonly markup: string;
}

type Part = string | number | Markup | null | readonly Part[];

/** HTML from a template: every part that is not markup is escaped; null leaves nothing, a list is joined. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Markup => ({
  markup: strings.reduce((text, string, index) => text + rendered(parts[index - 1] ?? null) + string),
});

/** Text that is known to be HTML, such as a style sheet of one's own. */
export const trusted = (markup: string): Markup => ({ markup });

function rendered(part: Part): string {
  if (part === null) return "";
  if (typeof part === "string" || typeof part === "number") return escaped(String(part));
  return "markup" in part ? part.markup : part.map(rendered).join("");
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
