import type { Json, OpenApiDocument } from "../contract.ts";

/**
 * A document whose components are called by their plain names: the emitter puts the namespace before those that
 * belong to another service. `clashes` are names that two of them would have.
 */
export function plainNames(
  document: OpenApiDocument,
  prefixes: readonly string[],
): { readonly document: OpenApiDocument; readonly clashes: readonly string[] } {
  const plain = (name: string): string => {
    const prefix = prefixes.find((one) => name.startsWith(one));
    return prefix === undefined ? name : name.slice(prefix.length);
  };
  const clashes: string[] = [];
  const components = Object.entries(document.components).map(([kind, named]) => {
    if (typeof named !== "object" || named === null) return [kind, named];
    const seen = new Set<string>();
    const renamed = Object.entries(named).map(([name, component]) => {
      const short = plain(name);
      if (seen.has(short)) clashes.push(short);
      seen.add(short);
      return [short, component];
    });
    return [kind, Object.fromEntries(renamed)];
  });
  const reference = (text: string): string => {
    const [, kind, name] = /^(#\/components\/\w+\/)(.+)$/.exec(text) ?? [];
    return kind === undefined || name === undefined ? text : kind + plain(name);
  };
  // A reference is a string of this form wherever it stands: at a $ref, or in a discriminator's mapping.
  const walk = (json: Json): Json => {
    if (typeof json === "string") return reference(json);
    if (typeof json !== "object" || json === null) return json;
    if (Array.isArray(json)) return json.map(walk);
    return Object.fromEntries(Object.entries(json).map(([key, member]) => [key, walk(member)]));
  };
  const whole = { ...document, components: Object.fromEntries(components) } as Json & OpenApiDocument;
  return { document: walk(whole) as unknown as OpenApiDocument, clashes };
}
