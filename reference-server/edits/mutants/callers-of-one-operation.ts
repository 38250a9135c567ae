import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import type { RuleId } from "../../../generated/rules.ts";
import { type ApiOperation, apiOperations } from "../api-operations.ts";
import type { Mutant } from "../edit.ts";
import { type Seen, seeing } from "../seen.ts";
import { refusedWith, type Serve, type WireAnswer, type WireRequest, withMessage } from "../wire.ts";
import { withRequestHeader } from "../wire-requests.ts";

/** What one operation answers in another way than all others. */
type Answering = (serve: Serve, request: WireRequest, seen: Seen) => Promise<WireAnswer>;

interface Fault {
  readonly breaks: RuleId;
  readonly name: string;
  readonly does: string;
  readonly answering: Answering;
  readonly binds?: (operation: ApiOperation) => boolean;
}

const staffHeader = constants.targetOrganizationHeader.toLowerCase();

const faults: readonly Fault[] = [
  {
    breaks: "AUTH-07",
    name: "missing",
    does: "tells callers without credentials to send some",
    async answering(serve, request) {
      const answer = await serve(request);
      const { authorization } = request.headers;
      return answer.status === 401 && authorization === undefined ? withMessage(answer, "Send a key.") : answer;
    },
  },
  {
    breaks: "AUTH-07",
    name: "known",
    does: "tells callers whose key it knew that the key has ended",
    async answering(serve, request, seen) {
      const answer = await serve(request);
      const known = answer.status === 401 && seen.callerOf(request) !== undefined;
      return known ? withMessage(answer, "It has ended.") : answer;
    },
    binds: ({ caller }) => caller !== "session",
  },
  {
    breaks: "AUTH-21",
    name: "own",
    does: "lets a key name its own organization",
    answering: (serve, request, seen) =>
      serve(
        request.headers[staffHeader] === seen.callerOf(request)?.organization
          ? withRequestHeader(request, staffHeader, undefined)
          : request,
      ),
  },
  {
    breaks: "AUTH-33",
    name: "two",
    does: "wants a second scope beside its own",
    async answering(serve, request, seen) {
      const answer = await serve(request);
      return seen.callerOf(request)?.scopes.length === 1
        ? refusedWith(answer, refuse.Forbidden("Not enough."))
        : answer;
    },
    binds: ({ scope, scopeQuestion }) => scope !== null && scopeQuestion === null,
  },
];

/** Servers that treat some callers of one operation in another way than those of all others. */
export const callersOfOneOperationMutants: readonly Mutant[] = faults.flatMap(
  ({ breaks, name, does, answering, binds }) =>
    apiOperations
      .filter((operation) => binds?.(operation) ?? true)
      .map(({ id }) => ({
        id: `${breaks}-${name}-at-${id}`,
        does: `at ${id} alone, ${does}`,
        breaks,
        at: id,
        changes: [
          {
            wire: seeing(
              (seen) => (serve) => (request) =>
                request.operation === id ? answering(serve, request, seen) : serve(request),
            ),
          },
        ],
      })),
);
