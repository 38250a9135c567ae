import { isDeepStrictEqual } from "node:util";

/** A body with one member of another kind of JSON than in a sound one. */
export interface WrongMember {
  /** Names of the members on the way to it, its own last; a list has none for its items. */
  readonly path: readonly string[];
  readonly body: unknown;
  /** The sound body without it. */
  readonly missing: unknown;
  /** What stands there in the sound body. */
  readonly sound: unknown;
  /** True for a record of a batch, and for a property of one. A list of objects is a batch. */
  readonly isOfRecord: boolean;
}

/** Every member of a body, at whatever depth, wrong by itself; of the items of a list the first one. */
export function wrongMembers(body: unknown): readonly WrongMember[] {
  if (Array.isArray(body)) {
    const [first, ...others]: readonly unknown[] = body;
    return first === undefined
      ? []
      : [
          { path: [], body: [another(first), ...others], missing: others, sound: first, isOfRecord: isObject(first) },
          ...within(first, (item) => [item, ...others]).map((wrong) => ({ ...wrong, isOfRecord: true })),
        ];
  }
  if (!isObject(body)) return [];
  return Object.entries(body).flatMap(([name, value]) => {
    const withValue = (changed: unknown): object => ({ ...body, [name]: changed });
    const below = within(value, withValue);
    const { [name]: _, ...missing } = { ...body } as Readonly<Record<string, unknown>>;
    const own = { path: [], body: withValue(another(value)), missing, sound: value, isOfRecord: false };
    return [own, ...below].map(({ path, ...wrong }) => ({ ...wrong, path: [name, ...path] }));
  });
}

const within = (part: unknown, whole: (part: unknown) => unknown): readonly WrongMember[] =>
  wrongMembers(part).map(({ body, missing, ...wrong }) => ({ ...wrong, body: whole(body), missing: whole(missing) }));

/** A value of another kind, which nothing reads as one of the kind that is wanted. */
const another = (value: unknown): unknown => (isObject(value) ? "bylaw" : {});

/** The names of all members that a body has, at whatever depth. */
export function memberNames(body: unknown): readonly string[] {
  if (Array.isArray(body)) return body.flatMap(memberNames);
  return isObject(body) ? Object.entries(body).flatMap(([name, value]) => [name, ...memberNames(value)]) : [];
}

/** Whether data shows a member as it was sent: a text under whatever name, any other value under its own. */
export function shows(data: unknown, { path, sound }: Pick<WrongMember, "path" | "sound">): boolean {
  const within = (value: unknown, name?: string): boolean =>
    (isDeepStrictEqual(value, sound) && (typeof sound === "string" || name === path.at(-1))) ||
    (typeof value === "object" && value !== null && Object.entries(value).some(([key, part]) => within(part, key)));
  return within(data);
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
