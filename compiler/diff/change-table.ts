import type { ChangeKind } from "./change-kind.ts";
import { factChanges } from "./fact-changes.ts";
import { requestChanges } from "./request-changes.ts";
import { responseChanges } from "./response-changes.ts";

const table = { ...requestChanges, ...responseChanges, ...factChanges };

export type ChangeId = keyof typeof table;

/** Every kind of change, in the order of the areas. */
export const changeTable: Readonly<Record<ChangeId, ChangeKind>> = table;

const isChangeId = (id: string): id is ChangeId => Object.hasOwn(table, id);

export const changeIds: readonly ChangeId[] = Object.keys(table).filter(isChangeId);
