import { type OperationId, operations } from "../../generated/operations.ts";
import { rowAllows, rowNamed } from "../exchange/admits.ts";
import { codeOf, dataOf, type Exchange, isSuccess, objectOf, statusOf } from "../exchange/exchange.ts";
import type { LeftBehind } from "../provision/left-behind.ts";
import type { Credential } from "../provision/tenant.ts";
import { type Shapes, shapeResponse } from "../target/shapes.ts";

/** What checks make and the API can take back: by which operation it is made, and by which it goes. */
interface Kind {
  readonly kind: LeftBehind["kind"];
  readonly makes: OperationId;
  readonly removes: OperationId;
  /** Whether a refusal to take it back says that nothing is left of it to take back. */
  isOver(exchange: Exchange): boolean;
}

const kinds: readonly Kind[] = [
  {
    kind: "webhook-endpoint",
    makes: operations.createWebhookEndpoint.id,
    removes: operations.deleteWebhookEndpoint.id,
    isOver: () => false,
  },
  {
    // One that waits for its time would be sent long after the run.
    kind: "message",
    makes: operations.sendMessage.id,
    removes: operations.cancelMessage.id,
    isOver: (exchange) => {
      const row = rowNamed("MessageNotCancelable");
      return codeOf(exchange) === row.code && rowAllows(row, statusOf(exchange) ?? 0);
    },
  },
];

/** What the calls of one check made and have not taken back. */
export interface MadeThings {
  /** Takes note of what a call did. */
  note(exchange: Exchange, as: Credential | null): void;
  /** Takes back what is left, each as whoever made it. */
  remove(call: (operation: OperationId, id: string, as: Credential) => Promise<Exchange>): Promise<void>;
}

export function newMadeThings(shapes: Shapes): MadeThings {
  const made = new Map<string, { readonly removes: OperationId; readonly id: string; readonly as: Credential }>();
  return {
    note(exchange, as) {
      for (const { kind, makes, removes } of kinds) {
        if (exchange.operation !== makes || as === null) continue;
        const thing = createdThing(exchange, shapes);
        if (thing !== null) made.set(`${kind} ${thing.id}`, { removes, id: thing.id, as });
      }
      const gone = removedThing(exchange);
      if (gone !== null) made.delete(`${gone.kind} ${gone.id}`);
    },
    async remove(call) {
      for (const { removes, id, as } of made.values()) await call(removes, id, as);
    },
  };
}

/** What an exchange made; null when it is no accepted creation of such a thing. */
export function createdThing(exchange: Exchange, shapes: Shapes): LeftBehind | null {
  const found = kinds.find(({ makes }) => makes === exchange.operation);
  if (found === undefined || !isSuccess(exchange)) return null;
  const { id, org_id } = objectOf(shapeResponse(shapes, found.makes, dataOf(exchange))) ?? {};
  const organizationId = typeof org_id === "string" ? org_id : null;
  return typeof id === "string" ? { kind: found.kind, id, organizationId } : null;
}

/** What is over since an exchange; null when it took nothing back. */
export function removedThing(exchange: Exchange): Pick<LeftBehind, "kind" | "id"> | null {
  const found = kinds.find(({ removes }) => removes === exchange.operation);
  const status = statusOf(exchange) ?? 0;
  if (found === undefined || !((status >= 200 && status <= 299) || found.isOver(exchange))) return null;
  const id = decodeURIComponent(new URL(exchange.request.url).pathname.split("/").at(-1) ?? "");
  return { kind: found.kind, id };
}
