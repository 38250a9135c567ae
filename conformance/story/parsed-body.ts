/** The JSON of a body; undefined for none, and for one that is no JSON. */
export function parsedBody(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
