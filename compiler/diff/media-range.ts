interface Range {
  readonly top: string;
  readonly sub: string;
  readonly parameters: readonly string[];
}

function rangeOf(type: string): Range {
  const [essence = "", ...parameters] = type.split(";").map((part) => part.trim());
  const [top = "", sub = ""] = essence.split("/");
  return { top, sub, parameters };
}

/**
 * Whether every content of the one media type, or range of them, is of the other: the same, `text/*` or all of them, those of
 * a structure (`application/*+json`, which JSON itself is of), each with any parameters or with those that are named. Both
 * in lower case.
 */
export function liesIn(type: string, range: string): boolean {
  const [inner, outer] = [rangeOf(type), rangeOf(range)];
  return (
    (outer.top === "*" || outer.top === inner.top) &&
    isWithin(inner.sub, outer.sub) &&
    outer.parameters.every((parameter) => inner.parameters.includes(parameter))
  );
}

function isWithin(sub: string, range: string): boolean {
  if (range === "*" || sub === range) return true;
  if (!range.startsWith("*+")) return false;
  return sub.endsWith(range.slice(1)) || sub === range.slice(2);
}
