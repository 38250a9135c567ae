import { operations } from "../../generated/operations.ts";
import { dataOf, type Exchange, isSuccess, objectOf } from "../exchange/exchange.ts";
import type { Credential } from "../provision/tenant.ts";
import { type Shapes, shapeResponse } from "../target/shapes.ts";

/** Webhook endpoints that the calls of one check created and have not deleted. */
export interface MadeEndpoints {
  /** Takes note of what a call did. */
  note(exchange: Exchange, as: Credential | null): void;
  /** Deletes what is left, each as whoever created it: an organization may have only so many. */
  remove(call: (id: string, as: Credential) => Promise<Exchange>): Promise<void>;
}

export function newMadeEndpoints(shapes: Shapes): MadeEndpoints {
  const made = new Map<string, Credential>();
  return {
    note(exchange, as) {
      const created = createdEndpoint(exchange, shapes);
      if (created !== null && as !== null) made.set(created.id, as);
      const deleted = deletedEndpoint(exchange);
      if (deleted !== null) made.delete(deleted);
    },
    async remove(call) {
      for (const [id, as] of made) await call(id, as);
    },
  };
}

/** The endpoint that an exchange created; null when it is no accepted creation. */
export function createdEndpoint(
  exchange: Exchange,
  shapes: Shapes,
): { readonly id: string; readonly organizationId: string | null } | null {
  const operation = operations.createWebhookEndpoint.id;
  if (exchange.operation !== operation || !isSuccess(exchange)) return null;
  const { id, org_id } = objectOf(shapeResponse(shapes, operation, dataOf(exchange))) ?? {};
  return typeof id === "string" ? { id, organizationId: typeof org_id === "string" ? org_id : null } : null;
}

/** The id of the endpoint that an exchange deleted; null when it is no accepted deletion. */
export function deletedEndpoint(exchange: Exchange): string | null {
  const { status } = exchange.outcome.kind === "response" ? exchange.outcome : { status: 0 };
  if (exchange.operation !== operations.deleteWebhookEndpoint.id || status < 200 || status > 299) return null;
  return decodeURIComponent(new URL(exchange.request.url).pathname.split("/").at(-1) ?? "");
}
