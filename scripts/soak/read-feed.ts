import { request } from "undici";
import { validatorFor } from "../../compiler/schema/validator.ts";
import { bounds } from "../../generated/limits.ts";
import type { DeliveryAttempt } from "../../generated/models/deliveries.ts";
import { operations } from "../../generated/operations.ts";
import type { Transport } from "../../generated/runtime/transport.ts";
import { components, operationSchemas } from "../../generated/schemas.ts";

/** All that a feed lists, and what is wrong with the list itself. */
export interface ReadFeed {
  readonly attempts: readonly DeliveryAttempt[];
  readonly faults: readonly string[];
}

/** Reads a feed page by page while nothing is added to it. */
export async function readFeed(caller: Transport): Promise<ReadFeed> {
  const attempts = new Map<string, DeliveryAttempt>();
  const faults: string[] = [];
  let cursor: string | undefined;
  do {
    const { data, meta } = await readPage(caller, {
      limit: String(bounds.deliveryPageMax),
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const attempt of data) {
      if (attempts.has(attempt.id)) faults.push(`the feed lists attempt ${attempt.id} twice`);
      attempts.set(attempt.id, attempt);
    }
    cursor = meta.next_cursor ?? undefined;
    if (cursor === undefined && meta.total !== attempts.size)
      faults.push(`the feed lists ${attempts.size} attempts and says that there are ${meta.total}`);
  } while (cursor !== undefined);
  return { attempts: [...attempts.values()], faults };
}

/** A page as the contract has it. */
interface FeedPage {
  readonly data: readonly DeliveryAttempt[];
  readonly meta: { readonly total: number; readonly next_cursor?: string | null };
}

const violations = validatorFor(components).compile(operationSchemas.listDeliveryAttempts.answer);

/** One page. Throws when the answer is none, or a record in it is not whole. */
export async function readPage(
  { baseUrl, token, dispatcher }: Transport,
  query: Readonly<Record<string, string>>,
): Promise<FeedPage> {
  const { method, path } = operations.listDeliveryAttempts;
  const answer = await request(`${baseUrl}${path}?${new URLSearchParams(query)}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(dispatcher ? { dispatcher } : {}),
  });
  const page: unknown = await answer.body.json();
  const faults = violations(page).map(({ pointer, message }) => `${pointer} ${message}`);
  if (answer.statusCode !== 200 || faults.length > 0)
    throw new UnreadableFeed(`${method} ${path} was answered ${answer.statusCode}: ${faults.join(", ").slice(0, 500)}`);
  return page as FeedPage;
}

/** A feed that is refused, or that holds a record that is not whole. */
export class UnreadableFeed extends Error {}
