import { apiOperations } from "../conformance/context/for-each-operation.ts";
import { type PromisedRow, promisedRows } from "../conformance/promises/promised-row.ts";
import { errorRows } from "../generated/error-rows.ts";
import { seeing } from "../reference-server/edits/seen.ts";
import { isRefusal, type Wire } from "../reference-server/edits/wire.ts";

/** Refusals of which no check looks at the organization's state, and why. */
export const unwatched: readonly (PromisedRow & { readonly reason: string })[] = [
  {
    operation: "replayDelivery",
    row: "EventExpired",
    reason: "what is past retention may go away with the request that finds it so; that nothing is sent is seen",
  },
  ...(["attachCampaign", "detachCampaign"] as const).map((operation) => ({
    operation,
    row: "Conflict" as const,
    reason: "a success is as lawful; that the number stays as it is is seen after either",
  })),
  {
    operation: "eraseContact",
    row: "ValidationFailed400",
    reason: "whether a text that is no number is refused so is open",
  },
];

const changing = new Set(apiOperations.filter(({ changes }) => changes !== "nothing").map(({ id }) => id));

/** Refusals that say that a request was not carried out, of callers whose organization is known. */
const promises = promisedRows.filter(
  ({ operation, row }) => changing.has(operation) && row !== "Unauthorized" && errorRows[row].referenceStatus < 500,
);

/**
 * Looks on at a run, and tells which of the refusals that came have never stood alone between two looks at the state of
 * their organization.
 */
export function watchingRefusals(): { readonly wire: Wire; readonly unseen: () => readonly PromisedRow[] } {
  const came = new Set<PromisedRow>();
  const seen = new Set<PromisedRow>();
  /** By organization: the refusals since its state was last read; none where something may have changed since. */
  const sinceLook = new Map<string, PromisedRow[]>();
  const wire = seeing((shown) => (serve) => async (request) => {
    const answer = await serve(request);
    const { operation, parameters } = request;
    if (operation === "getOrganizationState") {
      for (const promise of sinceLook.get(String(parameters.id)) ?? []) seen.add(promise);
      sinceLook.set(String(parameters.id), []);
      return answer;
    }
    const organization = shown.callerOf(request)?.organization;
    if (organization === undefined || !changing.has(operation as never)) return answer;
    if (answer.status < 400) sinceLook.delete(organization);
    const promise = promises.find((one) => one.operation === operation && isRefusal(answer, one.row));
    if (promise === undefined) return answer;
    came.add(promise);
    sinceLook.get(organization)?.push(promise);
    return answer;
  });
  return { wire, unseen: () => [...came].filter((promise) => !seen.has(promise)) };
}
