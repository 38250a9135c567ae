import type { Json } from "./json-schema.ts";

/**
 * Numbers for JSON values: equal values have equal numbers, as their canonical texts are equal. Each object is looked at
 * once, however often it is asked for and whatever it stands in, so values must not change.
 */
export class Interning {
  private readonly numbers = new WeakMap<object, number>();
  private readonly known = new Map<string, number>();

  /** The number of a value; stands for it in the keys of what is remembered. */
  numberOf(value: Json): number {
    if (typeof value !== "object" || value === null) return this.numbered(JSON.stringify(value));
    const found = this.numbers.get(value);
    if (found !== undefined) return found;
    const made = this.numbered(this.textOf(value));
    this.numbers.set(value, made);
    return made;
  }

  private textOf(value: Exclude<Json, string | number | boolean | null>): string {
    if (isList(value)) return `[${value.map((item) => this.partOf(item)).join(",")}]`;
    const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${this.partOf(member)}`).join(",")}}`;
  }

  private partOf(value: Json): string {
    return typeof value === "object" && value !== null ? `#${this.numberOf(value)}` : JSON.stringify(value);
  }

  private numbered(text: string): number {
    const found = this.known.get(text);
    if (found !== undefined) return found;
    const made = this.known.size;
    this.known.set(text, made);
    return made;
  }
}

// Array.isArray alone does not tell readonly arrays from objects.
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
