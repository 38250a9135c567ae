import type { Choices } from "../../generated/choices.ts";
import { refuse } from "../../generated/error-rows.ts";
import type { PageMeta } from "../../generated/models/shared.ts";
import { type CursorForm, type FeedScope, readCursor, writeCursor } from "../domain/deliveries/feed-cursor.ts";
import type { World } from "../domain/world.ts";
import { fieldDetails } from "../http/field-details.ts";
import type { Store } from "../store/store.ts";

export interface PageCursorsParts {
  readonly store: Store;
  readonly world: World;
  readonly choices: Choices;
}

/** What lists give their clients to ask for the next page by, and make of it when they do. */
export interface PageCursors<Position> {
  /** Where the asked page begins: null for the first one. A cursor that was not made for this list is refused. */
  read(cursor: string | undefined, scope: FeedScope): Promise<Position | BadCursor | null>;
  /** What a page tells of the one behind it, which begins at `next`; null when there is none. */
  write(next: Position | null, scope: FeedScope): Promise<Partial<Pick<PageMeta, "next_cursor">>>;
}

const keyBytes = 32;

export function pageCursors<Position>(
  { store, world, choices }: PageCursorsParts,
  form: CursorForm<Position>,
): PageCursors<Position> {
  let known: Uint8Array | null = null;
  const key = async () => {
    known ??= await store.serverSecret("cursor-key", world.randomBytes(keyBytes));
    return known;
  };
  return {
    async read(cursor, scope) {
      if (cursor === undefined) return null;
      return form.read(readCursor(cursor, scope, await key())) ?? badCursor(choices);
    },
    async write(next, scope) {
      return next === null ? lastCursor(choices) : { next_cursor: writeCursor(form.write(next), scope, await key()) };
    },
  };
}

type BadCursor = ReturnType<typeof badCursor>;

function badCursor(choices: Choices) {
  const message = "The cursor was not made by this list with these filters. Begin again without one.";
  const details = fieldDetails(
    [{ pointer: "/cursor", says: "must be the next_cursor of a page with equal filters" }],
    choices,
  );
  switch (choices.badCursor) {
    case "ValidationFailed":
      return refuse.ValidationFailed(message, details);
    case "ValidationFailed400":
      return refuse.ValidationFailed400(message, details);
    case "InvalidInput":
      return refuse.InvalidInput(message);
  }
}

/** What tells that there is no further page. */
function lastCursor(choices: Choices): Partial<Pick<PageMeta, "next_cursor">> {
  switch (choices.lastCursor) {
    case "absent":
      return {};
    case "null":
      return { next_cursor: null };
    case "empty":
      return { next_cursor: "" };
  }
}
