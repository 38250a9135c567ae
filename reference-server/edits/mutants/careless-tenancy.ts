import { setTimeout } from "node:timers/promises";
import { constants } from "../../../generated/constants.ts";
import { type OperationId, operations } from "../../../generated/operations.ts";
import { asOwner } from "../as-owner.ts";
import type { Mutant } from "../edit.ts";
import { seeing } from "../seen.ts";
import { isRefusal, parsed, type Wire, type WireAnswer, type WireRequest, withBody, withHeaders } from "../wire.ts";
import { bodyOf, queryOf, withKey, withQuery, withRequestBody } from "../wire-requests.ts";
import { wireMutant } from "./mutant.ts";

const { createApiKey, getApiKey, getLookup } = operations;
const staff = constants.targetOrganizationHeader.toLowerCase();

/** Acts in whatever organization a request names. */
const actingIn = (named: (request: WireRequest) => unknown, without: (request: WireRequest) => WireRequest): Wire =>
  seeing((seen) => (serve) => (request) => {
    const organization = named(request);
    const key = typeof organization === "string" ? seen.widestKeyOf(organization.toLowerCase()) : undefined;
    return serve(key === undefined ? request : withKey(without(request), key));
  });

/** Does to another organization's record what it then says that it does not find. */
const doingAnyway = (operation: OperationId): Wire =>
  seeing((seen) => (serve) => async (request) => {
    if (request.operation === operation && seen.otherOwner(request) !== undefined) await serve(asOwner(seen, request));
    return serve(request);
  });

/** Takes calls of an operation that are under way at once for those of the caller who came last. */
const mixingUp =
  (operation: OperationId): Wire =>
  (serve) => {
    const underWay: string[] = [];
    return async (request) => {
      const { authorization } = request.headers;
      if (request.operation !== operation || authorization === undefined) return serve(request);
      underWay.push(authorization);
      await setTimeout(20);
      const latest = underWay.at(-1) ?? authorization;
      const answer = await serve(withKey(request, latest.replace(/^bearer +/i, "")));
      underWay.splice(underWay.indexOf(authorization), 1);
      return answer;
    };
  };

/** Gives anyone what an operation answered whoever owns the record that is asked for. */
const remembering =
  (operation: OperationId): Wire =>
  (serve) => {
    const known = new Map<string, WireAnswer>();
    return async (request) => {
      if (request.operation !== operation) return serve(request);
      const record = JSON.stringify(request.parameters);
      const answer = await serve(request);
      if (!isRefusal(answer, "NotFound")) known.set(record, answer);
      return known.get(record) ?? answer;
    };
  };

/** Servers that mix organizations up, or tell of them, on ways that few take. */
export const carelessTenancyMutants: readonly Mutant[] = [
  wireMutant(
    "TEN-01",
    "query",
    "acts in the organization that a query names",
    actingIn(
      (request) => queryOf(request).get("org_id"),
      (request) => withQuery(request, { org_id: undefined }),
    ),
  ),
  wireMutant(
    "TEN-01",
    "header",
    "acts in the organization that a header of its own names",
    actingIn(
      ({ headers }) => headers["x-organization-id"],
      (request) => request,
    ),
  ),
  wireMutant(
    "TEN-18",
    "body",
    "creates keys for the organization that their body names",
    actingIn(
      (request) => (request.operation === createApiKey.id ? Object(bodyOf(request)).org_id : undefined),
      (request) => {
        const { org_id: _, ...body } = Object(bodyOf(request));
        return withRequestBody(request, body);
      },
    ),
  ),
  wireMutant(
    "TEN-01",
    "session",
    "reads any organization's key for whoever is signed in",
    seeing((seen) => (serve) => (request) => {
      const isKey = request.headers.authorization?.includes(constants.liveKeyPrefix) === true;
      return serve(request.operation === getApiKey.id && !isKey ? asOwner(seen, request) : request);
    }),
  ),
  wireMutant("KEYG-01", "at-once", "mixes up the callers of reads at once", mixingUp(getApiKey.id)),
  wireMutant("TEN-05", "at-once", "mixes up the callers of reads of lookups at once", mixingUp(getLookup.id)),
  ...(["getLookup", "getMessage"] as const).map((operation) =>
    wireMutant(
      "TEN-05",
      `remembered-${operation}`,
      `gives anyone what ${operation} has answered the record's owner`,
      remembering(operation),
    ),
  ),
  ...(["rotateEndpointSecret", "testWebhookEndpoint", "replayDelivery"] as const).map((operation) =>
    wireMutant(
      "TEN-20",
      operation,
      `does ${operation} to another organization's record and says that there is none`,
      doingAnyway(operation),
    ),
  ),
  wireMutant(
    "AUTH-22",
    "header",
    "adds a header where the named organization exists",
    seeing((seen) => (serve) => async (request) => {
      const answer = await serve(request);
      return isRefusal(answer, "PlatformRequired") && seen.organizations().includes(String(request.headers[staff]))
        ? withHeaders(answer, { "x-organization": "known" })
        : answer;
    }),
  ),
  wireMutant(
    "AUTH-22",
    "member",
    "adds a member where the named organization exists",
    seeing((seen) => (serve) => async (request) => {
      const answer = await serve(request);
      const { error, ...body } = Object(parsed(answer.bytes));
      return isRefusal(answer, "PlatformRequired") && seen.organizations().includes(String(request.headers[staff]))
        ? withBody(answer, { ...body, error: { ...error, hint: "known" } })
        : answer;
    }),
  ),
];
