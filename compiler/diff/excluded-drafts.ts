import { excluded, isFlagged } from "./direction-view.ts";
import type { Draft, Where } from "./draft.ts";
import type { Judged, Meant } from "./judge.ts";
import { writtenAtPlace } from "./schema-walk.ts";
import { varianceOf } from "./voice.ts";

/**
 * Returns a predicate for drafts about values that the direction excludes: OpenAPI 3.0 says that a client should not send
 * a `readOnly` property, JSON Schema 2020-12 that the server may ignore or reject one. A `writeOnly` property is never in a
 * response. A draft that the property is required, or that the flag itself came or went, is about more than its values.
 */
export function excludedDrafts(
  base: Meant,
  head: Meant,
  { voice }: Judged,
  { pointer: root }: Where,
): (made: Draft) => boolean {
  const variance = varianceOf(voice);
  const flag = excluded[variance];
  const isExcluded = ({ schema, components }: Meant, place: string): boolean => {
    const written = writtenAtPlace(schema, components, place);
    return written.length > 0 && written.every((one) => isFlagged(one, flag, components));
  };
  // A client knows a property that it could not send or receive before no better than one that is new.
  const ownerOf = (place: string): string | null => {
    const tokens = place.split("/");
    const places = tokens.slice(1).map((_, index) => tokens.slice(0, index + 2).join("/"));
    return places.find((one) => isExcluded(base, one) || (variance === "response" && isExcluded(head, one))) ?? null;
  };
  const ofFlags: ReadonlySet<string> = new Set([...Object.values(excluded), "required"]);
  return ({ pointer, edit, evidence }) => {
    if (!pointer.startsWith(root)) return false;
    const place = pointer.slice(root.length);
    const owner = ownerOf(place);
    if (owner === null) return false;
    if (place !== owner) return true;
    const isOfPresence = ofFlags.has(edit.keyword) || (evidence?.kind === "value" && evidence.keyword === "required");
    return !isOfPresence;
  };
}
