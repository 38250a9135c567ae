import type { Choices } from "../../generated/choices.ts";
import type { Operation } from "../../generated/runtime/operation.ts";
import type { Caller } from "../domain/organizations/caller.ts";
import type { World } from "../domain/world.ts";
import type { Store } from "../store/store.ts";
import { answerOnce } from "./answer-once.ts";
import { authenticate, type NoteUse } from "./authenticate.ts";
import { planFloor, platformHeader, scope, userRequired } from "./authorize.ts";
import { batchSize } from "./batch-size.ts";
import { checkResponse } from "./check-response.ts";
import { routeOf, type Step } from "./exchange.ts";
import { handle } from "./handle.ts";
import { outage } from "./outage.ts";
import { rateLimit } from "./rate-limit.ts";
import type { ServiceRows } from "./service-rows.ts";
import { bodyAndQuery, chosenRefusals, path } from "./validate-request.ts";

export interface RequestPathParts {
  readonly store: Store;
  readonly world: World;
  readonly choices: Choices;
  readonly rows: ServiceRows;
  readonly noteUse: NoteUse;
  readonly sandbox: boolean;
  readonly production: boolean;
}

/**
 * The way of every request to an operation of the messaging API, in order. Before it, the request gets its id; after
 * it, or after the step that refused, comes the envelope.
 */
export function requestPath(parts: RequestPathParts): readonly Step<Caller>[] {
  const { store, world, choices, rows, noteUse, sandbox, production } = parts;
  const validation = { rows, naming: choices, refusals: chosenRefusals.bind(null, choices) };
  const limit = rateLimit(store, world, choices);
  // How much a call draws by its records is known of a valid body alone.
  const drawsFirst = ({ draws }: Operation): boolean =>
    choices.refusedCallsDraw === "always" && draws.every(({ records }) => records === null);
  const scopeFirst = choices.checkOrder === "scope-first";
  return steps(
    authenticate(store, noteUse, rows),
    sandbox && outage(store),
    platformHeader(store),
    onlyFor(drawsFirst, limit),
    userRequired,
    scopeFirst && scope,
    path(validation),
    bodyAndQuery(validation),
    batchSize(store),
    !scopeFirst && onlyFor(changes, scope),
    planFloor,
    onlyFor((operation) => !drawsFirst(operation), limit),
    answerOnce(store, world, choices, handle),
    // What changes nothing can be refused after it was done.
    !scopeFirst && onlyFor(reads, scope),
    !production && checkResponse,
  );
}

const steps = <C>(...list: readonly (Step<C> | false)[]): readonly Step<C>[] => list.filter((step) => step !== false);

/** A step for some operations only. */
function onlyFor(applies: (operation: Operation) => boolean, step: Step<Caller>): Step<Caller> {
  return (exchange) => (applies(routeOf(exchange).operation) ? step(exchange) : null);
}

const reads = ({ method }: Operation): boolean => method === "GET";
const changes = (operation: Operation): boolean => !reads(operation);
