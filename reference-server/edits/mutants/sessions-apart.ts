import type { OperationId } from "../../../generated/operations.ts";
import type { Mutant } from "../edit.ts";
import { dataOf, type Wire, withData } from "../wire.ts";
import { wireMutant } from "./mutant.ts";

/** Shows what was read in a session as it was then, until it is changed in the same one. */
const keptForSession =
  (reading: OperationId, changing: OperationId): Wire =>
  (serve) => {
    const kept = new Map<string | undefined, unknown>();
    return async (request) => {
      const { operation, headers } = request;
      const answer = await serve(request);
      if (operation === changing) kept.delete(headers.authorization);
      const data = operation === reading ? dataOf(answer) : null;
      if (data === null) return answer;
      if (!kept.has(headers.authorization)) kept.set(headers.authorization, data);
      return withData(answer, kept.get(headers.authorization));
    };
  };

/** Servers that take a user's sessions for users. */
export const sessionsApartMutants: readonly Mutant[] = [
  wireMutant(
    "USR-20",
    "session",
    "shows in one session what another one of the user's has changed as it was",
    keptForSession("getProfile", "updateProfile"),
  ),
  wireMutant(
    "USR-30",
    "session",
    "shows in one session the notifications as they were before another one of the user's set them",
    keptForSession("getNotifications", "updateNotifications"),
  ),
];
