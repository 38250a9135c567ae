import { constants } from "../../../generated/constants.ts";
import type { OperationId } from "../../../generated/operations.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { knowingOriginals, settling, storing } from "../port-changes.ts";
import { dataOf, type Wire, type WireRequest, withData } from "../wire.ts";
import { bodyOf, withId } from "../wire-requests.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

const nobodys = "0190a0b0-0000-7000-8000-000000000000";

type Attempt = Parameters<Parameters<typeof settling>[0]>[0]["attempt"];

const isFailure = ({ responseStatus }: Attempt): boolean => (responseStatus ?? 0) >= 500;
const isUnanswered = ({ responseStatus }: Attempt): boolean => responseStatus === null;
const isTaken = ({ responseStatus }: Attempt): boolean => responseStatus === 200;

/** Records attempts that are meant with another outcome. */
const recording = (
  outcome: Attempt["outcome"],
  isMeant: (attempt: Attempt, isReplay: boolean) => boolean,
): PortChange =>
  knowingOriginals((originalOf) =>
    settling((made, { event }) =>
      isMeant(made.attempt, originalOf(event) !== undefined)
        ? { ...made, attempt: { ...made.attempt, outcome } }
        : made,
    ),
  );

/** Answers an operation, from the second time on for each place, with other data. */
const fromSecond =
  (
    operation: OperationId,
    place: (request: WireRequest) => string,
    change: (data: Readonly<Record<string, unknown>>, first: Readonly<Record<string, unknown>>) => unknown,
  ): Wire =>
  (serve) => {
    const firsts = new Map<string, Readonly<Record<string, unknown>>>();
    return async (request) => {
      const answer = await serve(request);
      const data = dataOf(answer);
      if (request.operation !== operation || data === null) return answer;
      const first = firsts.get(place(request));
      if (first === undefined) firsts.set(place(request), data);
      return first === undefined ? answer : withData(answer, change(data, first));
    };
  };

const byCaller = ({ headers }: WireRequest): string => String(headers.authorization);
const byRecord = (request: WireRequest): string => `${byCaller(request)} ${request.parameters.id}`;
/** Replays with a reason are one each. */
const byLackOfReason = (request: WireRequest): string =>
  `${byCaller(request)} ${Object(bodyOf(request)).reason === undefined ? "none" : crypto.randomUUID()}`;

/** Finds by this operation nothing that the sandbox has moved on by a path that ends so. */
const losingMoved =
  (operation: OperationId, end: string): Wire =>
  (serve) => {
    const moved = new Set<string>();
    return (request) => {
      if (request.path.endsWith(end)) moved.add(request.path.slice(0, -end.length).split("/").at(-1) ?? "");
      const isMeant = request.operation === operation && moved.has(request.parameters.id ?? "");
      return serve(isMeant ? withId(request, nobodys) : request);
    };
  };

/** Shows every user of an organization what is kept of the first one who is asked for. */
const firstUser = (method: "profile" | "notifications"): PortChange =>
  storing((store) => {
    const users = new Map<string, string>();
    const firstOf = (organizationId: string, userId: string): string => {
      if (!users.has(organizationId)) users.set(organizationId, userId);
      return users.get(organizationId) ?? userId;
    };
    return method === "profile"
      ? { profile: (organizationId, id) => store.profile(organizationId, firstOf(organizationId, id)) }
      : { notifications: (organizationId, id) => store.notifications(organizationId, firstOf(organizationId, id)) };
  });

/** Servers that keep a rule the first time, and break it later: of the second, of a replay, of what has moved on. */
export const laterFormMutants: readonly Mutant[] = [
  mutantOf("EVT-11", "replay", "records a replay that was taken as one that failed", [
    recording("retry", (attempt, isReplay) => isReplay && isTaken(attempt)),
  ]),
  mutantOf("EVT-11", "retried", "records a retry that was taken as one that failed", [
    recording("retry", (attempt) => attempt.attempt > 1 && isTaken(attempt)),
  ]),
  mutantOf("EVT-12", "replay", "records a replay that failed as one that was taken", [
    recording("success", (attempt, isReplay) => isReplay && isFailure(attempt)),
  ]),
  mutantOf("EVT-12", "second", "records a second failure as a success", [
    recording("success", (attempt) => attempt.attempt === 2 && isFailure(attempt)),
  ]),
  mutantOf("EVT-17", "replay", "records a replay that nobody answered as one that was taken", [
    recording("success", (attempt, isReplay) => isReplay && isUnanswered(attempt)),
  ]),
  mutantOf("EVT-17", "second", "records as a success that nobody answers a second time", [
    recording("success", (attempt) => attempt.attempt === 2 && isUnanswered(attempt)),
  ]),
  wireMutant(
    "WHP-20",
    "reasonless",
    "keeps one audit record for all replays without a reason",
    fromSecond("replayDelivery", byLackOfReason, (data, first) => ({ ...data, audit_log_id: first.audit_log_id })),
  ),
  wireMutant(
    "WHR-05",
    "second",
    "answers a second rotation with another id",
    fromSecond("rotateEndpointSecret", byRecord, (data) => ({ ...data, id: nobodys })),
  ),
  wireMutant(
    "WHR-08",
    "second",
    "shows an endpoint as deleted when it is rotated a second time",
    fromSecond("rotateEndpointSecret", byRecord, (data) => ({ ...data, deleted_at: data.updated_at })),
  ),
  wireMutant(
    "WHR-09",
    "second",
    "writes the version as a timestamp when an endpoint is rotated a second time",
    fromSecond("rotateEndpointSecret", byRecord, (data) => ({
      ...data,
      api_version: `${data.api_version}T00:00:00Z`,
    })),
  ),
  wireMutant(
    "BRD-06",
    "second",
    "has a second brand verified at once",
    fromSecond("createBrand", byCaller, (data) => ({ ...data, identity_status: constants.verifiedBrand })),
  ),
  wireMutant("BRD-10", "verified", "finds no brand whose verification has ended", losingMoved("getBrand", "/verify")),
  wireMutant("BRD-26", "moved", "finds no campaign that has moved on", losingMoved("getCampaign", "/move")),
  mutantOf("USR-22", "first", "shows all users of an organization one profile", [firstUser("profile")]),
  mutantOf("USR-32", "first", "shows all users of an organization one set of notifications", [
    firstUser("notifications"),
  ]),
];
