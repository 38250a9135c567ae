import type { CheckContext } from "../../context/context.ts";
import type { Delivery } from "../../exchange/delivery.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import type { Credential } from "../../provision/tenant.ts";
import type { RotatedSecret } from "../../steps/endpoint.ts";
import type { Met, Vantage, WatchedEndpoint } from "../../steps/vantage.ts";

/** One of the two organizations. */
export type Owner = 0 | 1;

/** What the model knows of an endpoint. */
export interface KnownEndpoint {
  readonly owner: Owner;
  readonly watched: WatchedEndpoint;
  /** Every secret that was shown, the last of which is the one in force. */
  readonly secrets: RotatedSecret[];
  /** What attempts at it meet from now on. */
  meets: Met;
  /** An attempt at it failed once: from then on it is open when it is tried, and whether. */
  hasFailed: boolean;
  /** Null while it is not deleted. */
  deletion: Deletion | null;
  /** Attempts by event, as they were seen last. */
  readonly counts: Map<string, number>;
  /** By event, the attempts until one of them was answered with 200, that one included. */
  readonly taken: Map<string, number>;
  readonly signed: SignedDelivery[];
}

interface Deletion {
  readonly exchange: Exchange;
  /** Attempts that were seen until then. */
  readonly attempts: number;
}

/** A delivery that arrived, with what its endpoint was to sign with. */
export interface SignedDelivery {
  readonly delivery: Delivery;
  readonly now: RotatedSecret;
  readonly before: readonly RotatedSecret[];
  /** Its event is older than the last rotation: the document admits that those go wrong. */
  readonly wasInFlight: boolean;
}

/** What the model knows of an event. */
export interface KnownEvent {
  /** In lower case. */
  readonly id: string;
  readonly owner: Owner;
  readonly type: string;
  readonly came: "by itself" | "of a test" | "of a replay";
  /** The one endpoint that a test or a replay is for; null for what happened by itself. */
  readonly only: KnownEndpoint | null;
  /** Endpoints that were deleted before. */
  readonly after: ReadonlySet<KnownEndpoint>;
  /** How many secrets each endpoint had been shown with by then. */
  readonly secrets: ReadonlyMap<KnownEndpoint, number>;
  /** Seconds that its organization's clock had been moved by then. */
  readonly at: number;
  /** The call that made it; null where the kit arranged it. */
  readonly exchange: Exchange | null;
}

/** The record of an attempt, by which a replay is asked for. */
export interface KnownRecord {
  readonly id: string;
  readonly endpoint: KnownEndpoint;
}

/** Endpoints of two organizations, and what happened to them. */
export interface EndpointModel {
  readonly endpoints: KnownEndpoint[];
  /** By id. */
  readonly events: Map<string, KnownEvent>;
  readonly records: KnownRecord[];
  /** Seconds by which each organization's clock was moved. */
  readonly elapsed: [number, number];
}

export const newModel = (): EndpointModel => ({ endpoints: [], events: new Map(), records: [], elapsed: [0, 0] });

/** What commands work with. */
export interface EndpointWorld {
  readonly t: CheckContext;
  readonly vantage: Vantage;
  readonly owners: readonly [Credential, Credential];
}

/** Whether it is certain that what is sent to the endpoint arrives: a server may hold back where attempts failed. */
export const isSound = ({ deletion, hasFailed, meets }: KnownEndpoint): boolean =>
  deletion === null && !hasFailed && meets === 200;

/** Takes note of an event. */
export function noteEvent(
  model: EndpointModel,
  { id, ...event }: Pick<KnownEvent, "id" | "owner" | "type" | "came" | "only" | "exchange">,
): KnownEvent {
  const known: KnownEvent = {
    ...event,
    id: id.toLowerCase(),
    after: new Set(model.endpoints.filter(({ deletion }) => deletion !== null)),
    secrets: new Map(model.endpoints.map((endpoint) => [endpoint, endpoint.secrets.length])),
    at: model.elapsed[event.owner],
  };
  model.events.set(known.id, known);
  return known;
}
