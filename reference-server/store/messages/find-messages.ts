import { sql } from "kysely";
import type { Message } from "../../domain/messages/message.ts";
import { columns } from "../columns.ts";
import { asOfOneInstant, type Connection, type Given, perShape, statement } from "../engine/statement.ts";
import { messageOf } from "./messages.ts";

/** Where a message stands in the list: later ones come first, and of one instant those with the greater id. */
export interface MessagePosition {
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly id: string;
}

export interface MessagePage {
  /** The page holds what comes after this message in the list, which may be gone by now; null for the first page. */
  readonly before: MessagePosition | null;
  readonly limit: number;
}

/** Messages, newest first, and how many there are on all pages: as of one instant. */
export interface FoundMessages {
  readonly messages: readonly Message[];
  readonly total: number;
}

interface AskedPage {
  readonly organizationId: string;
  /** Where the page before this one ended. */
  readonly before: number;
  readonly beforeId: string;
  readonly limit: number;
}

const selectNewest = perShape((shape: "first" | "further") =>
  statement((db, given: Given<AskedPage>) =>
    db
      .selectFrom("messages")
      .select(columns.messages)
      .where("organization_id", "=", given("organizationId"))
      .where(
        shape === "first"
          ? sql<boolean>`1 = 1`
          : sql<boolean>`(created_at, id) < (${given("before")}, ${given("beforeId")})`,
      )
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(given("limit")),
  ),
);

const selectCount = statement((db, given: Given<Pick<AskedPage, "organizationId">>) =>
  db.selectFrom("message_counts").select("messages").where("organization_id", "=", given("organizationId")),
);

/** A page of messages and how many there are: at a cost that does not grow with their number. */
export const findMessages = (
  on: Connection,
  organizationId: string,
  { before, limit }: MessagePage,
): Promise<FoundMessages> =>
  asOfOneInstant(on, async (on) => {
    const asked = { organizationId, before: before?.createdAt ?? 0, beforeId: before?.id ?? "", limit };
    const rows = await selectNewest(before === null ? "first" : "further").rows(on, asked);
    const counted = await selectCount.first(on, { organizationId });
    return { messages: rows.map(messageOf), total: counted?.messages ?? 0 };
  });
