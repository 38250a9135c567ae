import { contrarians } from "./contrarians.ts";
import type { Edit } from "./edit.ts";
import { mutants } from "./mutants.ts";

/** Every edit of the server. */
export const allEdits: readonly Edit[] = [...mutants, ...contrarians];
