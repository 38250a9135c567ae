import { operations } from "../../../generated/operations.ts";
import { timeOf } from "../../domain/clock.ts";
import { notCancelable } from "../../domain/messages/message.ts";
import { apiOperations, findsNothing } from "../api-operations.ts";
import type { Contrarian } from "../edit.ts";
import { nothingThere } from "../operation-changes.ts";
import { storing } from "../port-changes.ts";
import { inPlaceOf } from "../wire.ts";

/** Milliseconds. */
const threeDays = 3 * 24 * 3_600_000;

/** Servers that answer the questions on what becomes of messages in other ways. */
export const messageLifeContrarians: readonly Contrarian[] = [
  {
    id: "Q180-forgotten",
    does: "finds no message that is older than three days",
    answers: "Q180",
    changes: [
      storing((store) => ({
        async message(organizationId, id) {
          const message = await store.message(organizationId, id);
          const organization = await store.organization(organizationId);
          const now = timeOf(organization?.clock ?? { mode: "real" }, Date.now());
          return message !== null && now - message.createdAt > threeDays ? null : message;
        },
      })),
    ],
  },
  {
    id: "Q22-cancel",
    does: "says of an id that is none that there is nothing to cancel",
    answers: "Q22",
    changes: [{ wire: inPlaceOf("cancelMessage", "ValidationFailed400", notCancelable()) }],
  },
  {
    id: "Q22-not-found",
    does: "finds no record under a malformed id where the document shows no other response",
    answers: "Q22",
    changes: apiOperations
      .filter(
        (operation) =>
          findsNothing(operation) && operation.method !== "GET" && operation.id !== operations.replayDelivery.id,
      )
      .map(({ id }) => ({ wire: inPlaceOf(id, "ValidationFailed400", nothingThere) })),
    excludes: ["Q22-cancel"],
  },
];
