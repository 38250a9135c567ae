import { seeing } from "./seen.ts";
import type { Wire, WireAnswer, WireRequest } from "./wire.ts";
import { bodyOf } from "./wire-requests.ts";

/** A request that a server performs by itself, and the seconds of the organization's clock until then. */
export interface LaterRequest {
  readonly request: WireRequest;
  readonly afterSeconds: number;
}

/** Serves further requests when the organization's manual clock has moved far enough. */
export const servingLater = (laterRequest: (answer: WireAnswer, request: WireRequest) => LaterRequest | null): Wire =>
  seeing((seen) => (serve) => {
    const waiting = new Map<string, readonly LaterRequest[]>();
    return async (request) => {
      const answer = await serve(request);
      const organization = seen.callerOf(request)?.organization;
      const later = organization === undefined ? null : laterRequest(answer, request);
      if (organization !== undefined && later !== null)
        waiting.set(organization, [...(waiting.get(organization) ?? []), later]);
      if (request.operation !== "advanceClock") return answer;
      const { id = "" } = request.parameters;
      const elapsed = Number(Object(bodyOf(request)).seconds);
      const remaining = (waiting.get(id) ?? []).map((one) => ({ ...one, afterSeconds: one.afterSeconds - elapsed }));
      waiting.set(
        id,
        remaining.filter(({ afterSeconds }) => afterSeconds > 0),
      );
      for (const due of remaining) if (due.afterSeconds <= 0) await serve(due.request);
      return answer;
    };
  });

/** Performs a request again, hours after a response that `isMeant` selects. */
export const repeatingLater = (
  isMeant: (answer: WireAnswer, request: WireRequest) => boolean,
  afterSeconds: number,
): Wire => servingLater((answer, request) => (isMeant(answer, request) ? { request, afterSeconds } : null));
