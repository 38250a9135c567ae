import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import type { RuleId } from "../../../generated/rules.ts";
import {
  type ApiOperation,
  apiOperations,
  changesSomething,
  findsNothing,
  isList,
  isOnceOnly,
  onRecord,
  requiredIn,
  showsData,
  takesNoKey,
  wantsScope,
  withBody,
  withQuery,
} from "../api-operations.ts";
import type { Change, Mutant } from "../edit.ts";
import {
  beforeScope,
  blamingAnother,
  byWidestKey,
  doingAllTheSame,
  doingForLastUser,
  nothingThere,
  ofAnotherKind,
  onMeta,
  overlookingFaults,
  servingAnyId,
  toOneKey,
} from "../operation-changes.ts";
import { seeing } from "../seen.ts";
import {
  inPlaceOf,
  isRefusal,
  onAnswer,
  onData,
  onRequest,
  parsed,
  refused,
  refusedWith,
  type WireAnswer,
  withBody as withEnvelope,
  withMessage,
} from "../wire.ts";
import { withRequestHeader } from "../wire-requests.ts";
import { admitting } from "./admitting.ts";

/** A way to break a rule over many operations at one of them. */
interface Fault {
  readonly breaks: RuleId;
  /** Tells it from other faults of the rule. */
  readonly named?: string;
  readonly does: string;
  readonly change: (id: ApiOperation["id"]) => Change;
  /** Operations that the rule binds; all when left out. */
  readonly binds?: (operation: ApiOperation) => boolean;
}

const staffHeader = constants.targetOrganizationHeader.toLowerCase();
const isBadRequest = (answer: WireAnswer): boolean =>
  isRefusal(answer, "InvalidInput") ||
  isRefusal(answer, "ValidationFailed") ||
  isRefusal(answer, "ValidationFailed400");

const faults: readonly Fault[] = [
  {
    breaks: "ENV-60",
    does: "does as it was asked by a key that lacks the scope",
    change: (id) => ({ wire: doingAllTheSame(id, (answer) => isRefusal(answer, "Forbidden"), byWidestKey) }),
    binds: (operation) => changesSomething(operation) && wantsScope(operation),
  },
  {
    breaks: "ENV-60",
    named: "body",
    does: "does what it was asked before where it refuses a body",
    change: (id) => ({
      wire: doingAllTheSame(id, isBadRequest, (request, _seen, last) =>
        last === null ? null : { ...request, bytes: last },
      ),
    }),
    binds: (operation) => changesSomething(operation) && withBody(operation) && !isOnceOnly(operation),
  },
  {
    breaks: "ENV-42",
    does: "overlooks what is wrong in a body",
    change: (id) => ({ wire: (serve) => overlookingFaults(id)(serve) }),
    binds: (operation) => requiredIn(operation).length > 0,
  },
  {
    breaks: "ENV-43",
    does: "tells that another member is wrong",
    change: (id) => ({ wire: blamingAnother(id) }),
    binds: (operation) => requiredIn(operation).length > 1,
  },
  {
    breaks: "ENV-36",
    named: "unexpected",
    does: "fails where it gets a list, of which it reads nothing",
    change: (id) => ({
      wire: onAnswer(id, (answer, { bytes }) =>
        bytes.toString() === "[]" ? refusedWith(answer, refuse.InternalError("It failed.")) : answer,
      ),
    }),
    binds: (operation) => changesSomething(operation) && !withBody(operation),
  },
  {
    breaks: "TEN-30",
    does: "finds nothing there for other keys of an organization than the first that asks",
    change: (id) => ({ wire: toOneKey(id) }),
    binds: onRecord,
  },
  {
    breaks: "ENV-20",
    does: "gives an object for a page of at most one record",
    change: (id) => ({
      wire: onAnswer(id, (answer) => {
        const { data, ...others } = Object(parsed(answer.bytes));
        return Array.isArray(data) && data.length < 2 ? withEnvelope(answer, { ...others, data: {} }) : answer;
      }),
    }),
    binds: isList,
  },
  {
    breaks: "ENV-21",
    does: "writes the total as a text",
    change: (id) => ({ wire: onMeta(id, (meta) => ({ ...meta, total: String(meta.total) })) }),
    binds: isList,
  },
  {
    breaks: "ENV-22",
    does: "tells a page size of zero",
    change: (id) => ({ wire: onMeta(id, (meta) => ({ ...meta, limit: 0 })) }),
    binds: isList,
  },
  {
    breaks: "ENV-23",
    does: "counts the offset from one below",
    change: (id) => ({ wire: onMeta(id, (meta) => ({ ...meta, offset: Number(meta.offset) - 1 })) }),
    binds: isList,
  },
  {
    breaks: "ENV-24",
    does: "numbers the page that follows",
    change: (id) => ({
      wire: onMeta(id, (meta) => ({ ...meta, ...(typeof meta.next_cursor === "string" ? { next_cursor: 2 } : {}) })),
    }),
    binds: isList,
  },
  {
    breaks: "ENV-01",
    does: "does not serve it",
    change: (id) => ({
      wire: (serve) => async (request) => (request.operation === id ? refused(nothingThere) : serve(request)),
    }),
  },
  {
    breaks: "ENV-31",
    does: "finds nothing there for broken JSON",
    change: (id) => ({
      wire: onAnswer(id, (answer, { bytes }) =>
        answer.status === 400 && bytes.length > 0 && parsed(bytes) === undefined
          ? refusedWith(answer, nothingThere)
          : answer,
      ),
    }),
    binds: withBody,
  },
  {
    breaks: "AUTH-01",
    does: "finds nothing there for a caller without credentials",
    change: (id) => ({
      wire: onAnswer(id, (answer, { headers }) =>
        isRefusal(answer, "Unauthorized") && headers.authorization === undefined
          ? refusedWith(answer, nothingThere)
          : answer,
      ),
    }),
  },
  {
    breaks: "AUTH-04",
    does: "finds nothing there for a caller with an unknown key",
    change: (id) => ({
      wire: onAnswer(id, (answer, { headers }) =>
        isRefusal(answer, "Unauthorized") && headers.authorization !== undefined
          ? refusedWith(answer, nothingThere)
          : answer,
      ),
    }),
  },
  {
    breaks: "AUTH-05",
    does: "finds nothing there for a key that it knew and that is revoked",
    change: (id) => ({
      wire: seeing((seen) =>
        onAnswer(id, (answer, request) =>
          isRefusal(answer, "Unauthorized") && seen.callerOf(request) !== undefined
            ? refusedWith(answer, nothingThere)
            : answer,
        ),
      ),
    }),
    binds: (operation) => !takesNoKey(operation),
  },
  {
    breaks: "AUTH-09",
    does: "tells callers without valid credentials what else is wrong",
    change: (id) => ({
      file: "http/request-path.ts",
      find: "    authenticate(store, noteUse, rows),",
      replace: `    async (exchange) => {
      const refusal = await authenticate(store, noteUse, rows)(exchange);
      return refusal !== null && routeOf(exchange).operation.id === "${id}"
        ? ((await path(validation)(exchange as never)) ?? (await bodyAndQuery(validation)(exchange as never)) ?? refusal)
        : refusal;
    },`,
    }),
    binds: (operation) => onRecord(operation) || withBody(operation) || withQuery(operation),
  },
  {
    breaks: "AUTH-12",
    does: "serves every key",
    change: (id) => ({ wire: admitting(id, () => true) }),
    binds: wantsScope,
  },
  {
    breaks: "AUTH-14",
    does: "looks for the record before it looks at the scope",
    change: (id) => ({
      wire: beforeScope(id, (answer) => isRefusal(answer, "NotFound") || isRefusal(answer, "MessageNotCancelable")),
    }),
    binds: onRecord,
  },
  {
    breaks: "AUTH-15",
    does: "looks at the body before it looks at the scope",
    change: (id) => ({ wire: beforeScope(id, isBadRequest) }),
    binds: (operation) => wantsScope(operation) && withBody(operation),
  },
  {
    breaks: "AUTH-06",
    does: "finds nothing there for an invalid session",
    change: (id) => ({
      wire: onAnswer(id, (answer, { headers }) =>
        isRefusal(answer, "Unauthorized") && !headers.authorization?.includes(constants.liveKeyPrefix)
          ? refusedWith(answer, nothingThere)
          : answer,
      ),
    }),
    binds: takesNoKey,
  },
  {
    breaks: "AUTH-20",
    does: "wants a signed-in user where there is one",
    change: (id) => ({
      wire: onAnswer(id, (answer) =>
        answer.status < 300 ? refusedWith(answer, refuse.UserRequired("Sign in first.")) : answer,
      ),
    }),
    binds: takesNoKey,
  },
  {
    breaks: "ENV-60",
    named: "key",
    does: "does for the last user what it refuses to a key",
    change: (id) => ({ wire: doingForLastUser(id) }),
    binds: (operation) => takesNoKey(operation) && changesSomething(operation),
  },
  {
    breaks: "AUTH-21",
    does: "ignores the staff header",
    change: (id) => ({ wire: onRequest(id, (request) => withRequestHeader(request, staffHeader, undefined)) }),
  },
  {
    breaks: "AUTH-22",
    does: "repeats the staff header's value",
    change: (id) => ({
      wire: onAnswer(id, (answer, { headers }) =>
        isRefusal(answer, "PlatformRequired") ? withMessage(answer, `You are not of ${headers[staffHeader]}.`) : answer,
      ),
    }),
  },
  {
    breaks: "AUTH-23",
    does: "looks at the staff header before the credentials",
    change: (id) => ({
      wire: onAnswer(id, (answer, { headers }) =>
        isRefusal(answer, "Unauthorized") && headers[staffHeader] !== undefined
          ? refusedWith(answer, nothingThere)
          : answer,
      ),
    }),
  },
  {
    breaks: "ENV-32",
    does: "finds nothing there when it fails inside",
    change: (id) => ({ wire: inPlaceOf(id, "InternalError", nothingThere) }),
  },
  {
    breaks: "TEN-05",
    does: "says that the record of another organization is another's",
    change: (id) => ({
      wire: seeing((seen) =>
        onAnswer(id, (answer, request) =>
          isRefusal(answer, "NotFound") && seen.otherOwner(request) !== undefined
            ? withMessage(answer, "It is another's.")
            : answer,
        ),
      ),
    }),
    binds: findsNothing,
  },
  {
    breaks: "TEN-22",
    does: "serves what it served last for every id that it does not know",
    change: (id) => ({ wire: (serve) => servingAnyId(id)(serve) }),
    binds: findsNothing,
  },
  {
    breaks: "ENV-39",
    does: "has something of another kind in place of the last member of its data",
    change: (id) => ({ wire: onData(id, ofAnotherKind) }),
    binds: showsData,
  },
  {
    breaks: "ENV-37",
    does: "finds nothing there for an id that is no UUID",
    change: (id) => ({ wire: inPlaceOf(id, "ValidationFailed400", nothingThere) }),
    binds: (operation) => onRecord(operation) && operation.method === "GET",
  },
  {
    breaks: "ENV-38",
    does: "fails on an id that is no UUID",
    change: (id) => ({ wire: inPlaceOf(id, "ValidationFailed400", refuse.InternalError("It failed.")) }),
    binds: (operation) => findsNothing(operation) && operation.method !== "GET",
  },
];

/** Servers that break a rule over many operations at one of them alone: every rule at every operation that it binds. */
export const oneOperationMutants: readonly Mutant[] = faults.flatMap(({ breaks, named, does, change, binds }) =>
  apiOperations
    .filter((operation) => binds?.(operation) ?? true)
    .map(({ id }) => ({
      id: [breaks, ...(named === undefined ? [] : [named]), "at", id].join("-"),
      does: `at ${id} alone, ${does}`,
      breaks,
      at: id,
      changes: [change(id)],
    })),
);
