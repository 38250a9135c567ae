import { refuse } from "../../../generated/error-rows.ts";
import { operations } from "../../../generated/operations.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { Mutant } from "../edit.ts";
import { metaIn, paging, withMeta } from "../feed-pages.ts";
import { seeing } from "../seen.ts";
import { refused, refusedWith, type WireAnswer } from "../wire.ts";
import { queryOf, withKey } from "../wire-requests.ts";
import { admitting } from "./admitting.ts";
import { everybodys } from "./everybodys.ts";
import { mutant, wireMutant } from "./mutant.ts";

const { listDeliveryAttempts, replayDelivery } = operations;

/** A mutant that shows everybody's attempts where the query has this filter; everywhere without one. */
const showingAll = (breaks: RuleId, name: string, does: string, filter: string | null): Mutant =>
  wireMutant(
    breaks,
    name,
    does,
    seeing((seen) =>
      paging({
        records: (own, request, serve) =>
          filter === null || queryOf(request).has(filter) ? everybodys(serve, request, seen) : own,
      }),
    ),
  );

/** A mutant that counts everybody's attempts where the query has this filter; everywhere without one. */
const countingAll = (breaks: RuleId, name: string, does: string, filter: string | null): Mutant =>
  wireMutant(
    breaks,
    name,
    does,
    seeing((seen) => (serve) => async (request) => {
      const answer = await serve(request);
      const counted = request.operation === listDeliveryAttempts.id && metaIn(answer) !== undefined;
      return counted && (filter === null || queryOf(request).has(filter))
        ? withMeta(answer, { total: (await everybodys(serve, request, seen)).length })
        : answer;
    }),
  );

/** A mutant that answers for the filter of an endpoint by whose it is. */
const knowingOwners = (
  name: string,
  does: string,
  change: (answer: WireAnswer, owner: string | undefined, caller: string | undefined) => WireAnswer,
): Mutant =>
  wireMutant(
    "TEN-06",
    name,
    does,
    seeing((seen) => (serve) => async (request) => {
      const answer = await serve(request);
      const endpoint = queryOf(request).get("endpoint_id");
      return request.operation === listDeliveryAttempts.id && endpoint !== null && metaIn(answer) !== undefined
        ? change(answer, seen.owners.get(endpoint), seen.callerOf(request)?.organization)
        : answer;
    }),
  );

/** Servers that show the feed to the wrong callers, or keep it from the right ones. */
export const feedAccessMutants: readonly Mutant[] = [
  wireMutant("WHL-47", "limited", "limits reads of the feed", (serve) => {
    const reads = new Map<string | undefined, number>();
    return async (request) => {
      if (request.operation !== listDeliveryAttempts.id) return serve(request);
      const { authorization } = request.headers;
      const count = (reads.get(authorization) ?? 0) + 1;
      reads.set(authorization, count);
      return count > 150 ? refused(refuse.RateLimited("Too many reads.", { "Retry-After": "60" })) : serve(request);
    };
  }),
  mutant(
    "WHL-48",
    "one-bucket",
    "draws reads of the feed from the bucket of replays",
    "http/rate-limit.ts",
    "const { draws } = routeOf(exchange).operation;",
    `const { id: operation, draws: own } = routeOf(exchange).operation;\n    const draws = operation === "${listDeliveryAttempts.id}" ? ${JSON.stringify(replayDelivery.draws)} : own;`,
  ),
  wireMutant(
    "WHL-49",
    "unscoped",
    "shows the feed to every key",
    admitting(listDeliveryAttempts.id, () => true),
  ),
  wireMutant(
    "WHL-50",
    "writers",
    "lets those read who may write",
    admitting(listDeliveryAttempts.id, (scopes) => scopes.includes(replayDelivery.scope)),
  ),
  showingAll("TEN-04", "all", "shows everybody's attempts", null),
  countingAll("TEN-04", "total", "counts everybody's attempts", null),
  wireMutant("TEN-04", "cursor", "goes on in the feed that a cursor was made for", (serve) => {
    const owners = new Map<string, string>();
    return async (request) => {
      if (request.operation !== listDeliveryAttempts.id) return serve(request);
      const key = owners.get(queryOf(request).get("cursor") ?? "") ?? request.headers.authorization ?? "";
      const answer = await serve(withKey(request, key.replace(/^bearer +/i, "")));
      const next = metaIn(answer)?.next_cursor;
      if (typeof next === "string") owners.set(next, key);
      return answer;
    };
  }),
  showingAll("TEN-04", "by-type", "shows everybody's attempts where a type is asked for", "event_type"),
  showingAll("TEN-04", "by-outcome", "shows everybody's attempts where an outcome is asked for", "outcome"),
  showingAll("TEN-06", "attempts", "shows the attempts at anybody's endpoint", "endpoint_id"),
  countingAll("TEN-06", "total", "counts the attempts at anybody's endpoint", "endpoint_id"),
  knowingOwners("known", "does not find an endpoint that never was, and finds nothing at another's", (answer, owner) =>
    owner === undefined ? refusedWith(answer, refuse.NotFound("There is no such webhook endpoint.")) : answer,
  ),
  knowingOwners("message", "says that an endpoint is another's", (answer, owner, caller) =>
    owner !== undefined && owner !== caller
      ? refusedWith(answer, refuse.Forbidden("That endpoint is not yours."))
      : answer,
  ),
];
