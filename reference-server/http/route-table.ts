/** What lies at a path, with what stands in it for each `{name}` of its template, decoded. */
export interface Found<Value> {
  readonly value: Value;
  readonly parameters: Readonly<Record<string, string>>;
}

interface Place<Value> {
  readonly words: Map<string, Place<Value>>;
  parameter: Place<Value> | null;
  /** Null where a path goes on. */
  end: { readonly names: readonly string[]; readonly value: Value } | null;
}

/**
 * Finds what lies at a path among templates such as `/v1/api-keys/{id}`, however many there are. A fixed word comes
 * before a parameter at the same place, and a parameter is never empty. Letters have to be of the same case, and a slash
 * at the end makes another path. The escapes of the path have to be valid.
 */
export function routeTable<Value>(
  templates: Iterable<readonly [template: string, value: Value]>,
): (path: string) => Found<Value> | null {
  const root = newPlace<Value>();
  for (const [template, value] of templates) put(root, template.split("/"), value);
  return (path) => {
    const taken: string[] = [];
    const end = endOf(root, path.split("/"), 0, taken);
    if (end === null) return null;
    const given = end.names.map((name, at) => [name, decodeURIComponent(taken[at] ?? "")] as const);
    return { value: end.value, parameters: Object.fromEntries(given) };
  };
}

const newPlace = <Value>(): Place<Value> => ({ words: new Map(), parameter: null, end: null });

function put<Value>(root: Place<Value>, segments: readonly string[], value: Value): void {
  const names: string[] = [];
  let place = root;
  for (const segment of segments) {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name !== undefined) names.push(name);
    const next = (name === undefined ? place.words.get(segment) : place.parameter) ?? newPlace<Value>();
    if (name === undefined) place.words.set(segment, next);
    else place.parameter = next;
    place = next;
  }
  place.end = { names, value };
}

/** Where the segments from `at` on lead, with those in `taken` that stand for parameters. */
function endOf<Value>(
  place: Place<Value>,
  segments: readonly string[],
  at: number,
  taken: string[],
): Place<Value>["end"] {
  const segment = segments[at];
  if (segment === undefined) return place.end;
  const word = place.words.get(segment);
  const end = word === undefined ? null : endOf(word, segments, at + 1, taken);
  if (end !== null || place.parameter === null || segment === "") return end;
  const before = taken.push(segment) - 1;
  const behind = endOf(place.parameter, segments, at + 1, taken);
  if (behind === null) taken.length = before;
  return behind;
}
