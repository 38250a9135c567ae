import type { Json } from "../contract.ts";
import { isList, isObject } from "../schema/schema-node.ts";
import type { Verdict } from "./change.ts";
import type { ChangeId } from "./change-table.ts";

/** Changes what stands at a path of names; undefined stands for nothing. */
export interface Edit {
  readonly at: readonly (string | number)[];
  readonly to: (old: Json | undefined) => Json | undefined;
}

/** An edit, what it is found to be, and what it is found to be the other way round. */
export interface PlantedChange {
  readonly forth: readonly [ChangeId, Verdict];
  readonly back: readonly [ChangeId, Verdict];
  readonly edits: readonly Edit[];
}

export const set = (value: Json) => (): Json => value;
export const gone = (): undefined => undefined;
export const append =
  (value: Json) =>
  (old: Json | undefined): Json => [...(isList(old) ? old : []), value];
export const first = (old: Json | undefined): Json => (isList(old) ? old.slice(0, 1) : null);
export const merged =
  (value: Readonly<Record<string, Json>>) =>
  (old: Json | undefined): Json => ({
    ...(isObject(old) ? old : {}),
    ...value,
  });
/** The same by another name. */
export const renamed =
  (from: string, to: string) =>
  (old: Json | undefined): Json =>
    Object.fromEntries(
      Object.entries(isObject(old) ? old : {}).map(([name, json]) => [name === from ? to : name, json]),
    );

export function edited(json: Json, edits: readonly Edit[]): Json {
  return edits.reduce<Json>((at, { at: names, to }) => put(at, names, to) ?? null, json);
}

function put(json: Json | undefined, names: Edit["at"], to: Edit["to"]): Json | undefined {
  const [name, ...rest] = names;
  if (name === undefined) return to(json);
  if (isList(json)) {
    const items = json.map((item, index) => (index === name ? put(item, rest, to) : item));
    return items.filter((item) => item !== undefined);
  }
  const members = isObject(json) ? json : {};
  const { [name]: old, ...others } = members;
  const made = put(old, rest, to);
  if (made === undefined) return others;
  return name in members
    ? Object.fromEntries(Object.entries(members).map(([n, m]) => [n, n === name ? made : m]))
    : { ...members, [name]: made };
}

export const plant = (
  forth: PlantedChange["forth"],
  back: PlantedChange["back"],
  at: Edit["at"],
  to: Edit["to"],
): PlantedChange => ({ forth, back, edits: [{ at, to }] });

/** A change that is its own mirror. */
export const even = (id: ChangeId, verdict: Verdict, at: Edit["at"], to: Edit["to"]): PlantedChange =>
  plant([id, verdict], [id, verdict], at, to);
