import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import type { Lookup } from "../../domain/lookups/lookup.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { storing, together } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { working } from "../unit-changes.ts";
import { dataOf, isRefusal, refusedWith, type Wire, withData } from "../wire.ts";
import { bodyOf } from "../wire-requests.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

/** Which of a number's lookups a send goes by: of all that there were, oldest first and at least one. */
const goingBy = (choose: (made: readonly Lookup[]) => Lookup | undefined): PortChange =>
  working(() => {
    const known = new Map<string, readonly Lookup[]>();
    const place = (organizationId: string, phoneNumber: string) => `${organizationId} ${phoneNumber}`;
    return (tx) => ({
      lookups: withMembers(tx.lookups, {
        async insert(lookup) {
          const at = place(lookup.organizationId, lookup.phoneNumber);
          known.set(at, [...(known.get(at) ?? []), lookup]);
          await tx.lookups.insert(lookup);
        },
        async latest(phoneNumber) {
          const latest = await tx.lookups.latest(phoneNumber);
          return (
            choose(known.get(place(tx.organization?.id ?? "", phoneNumber)) ?? (latest === null ? [] : [latest])) ??
            latest
          );
        },
      }),
    });
  });

const isFixed = ({ lineType }: Lookup): boolean => lineType === constants.fixedLine;

/** Goes on by the lookup by which the first send to a number went. */
const decidedOnce: PortChange = working(() => {
  const decided = new Map<string, Lookup>();
  return (tx) => ({
    lookups: withMembers(tx.lookups, {
      async latest(phoneNumber) {
        const at = `${tx.organization?.id} ${phoneNumber}`;
        const latest = decided.get(at) ?? (await tx.lookups.latest(phoneNumber));
        if (latest !== null) decided.set(at, latest);
        return latest;
      },
    }),
  });
});

/** Goes by the lookup that a retry was answered with last, where there was one since the number was looked up. */
const goingByRetries: PortChange = {
  ports(ports) {
    const made = new Map<string, Lookup>();
    const asked = new Map<string, Lookup>();
    const place = (organizationId: string, phoneNumber: string) => `${organizationId} ${phoneNumber}`;
    const noting = working(() => (tx) => ({
      lookups: withMembers(tx.lookups, {
        async insert(lookup) {
          made.set(lookup.id, lookup);
          asked.delete(place(lookup.organizationId, lookup.phoneNumber));
          await tx.lookups.insert(lookup);
        },
        latest: async (phoneNumber) =>
          asked.get(place(tx.organization?.id ?? "", phoneNumber)) ?? tx.lookups.latest(phoneNumber),
      }),
    }));
    const answering = storing((store) => ({
      async keptAnswer(...retry) {
        const kept = await store.keptAnswer(...retry);
        const lookup = kept === null ? undefined : made.get(JSON.parse(kept.answer).data?.id);
        if (lookup !== undefined) asked.set(place(lookup.organizationId, lookup.phoneNumber), lookup);
        return kept;
      },
    }));
    return together(noting, answering).ports(ports);
  },
};

/** Tells a retry what was found of the number last. */
const tellingLatest: Wire = (serve) => {
  const made = new Set<unknown>();
  const found = new Map<string, unknown>();
  return async (request) => {
    const answer = await serve(request);
    const data = Object(dataOf(answer));
    if (request.operation !== "createLookup" || answer.status >= 300) return answer;
    const place = `${request.headers.authorization} ${data.phone_number}`;
    if (made.has(data.id)) return withData(answer, { ...data, line_type: found.get(place) });
    made.add(data.id);
    found.set(place, data.line_type);
    return answer;
  };
};

/** Takes a number of which a lookup failed for a fixed line, until one succeeds. */
const blockingFailed: Wire = (serve) => {
  const failed = new Set<string>();
  return async (request) => {
    const answer = await serve(request);
    const { phone_number: number, to } = Object(bodyOf(request));
    const place = (of: unknown) => `${request.headers.authorization} ${of}`;
    if (request.operation === "createLookup")
      if (isRefusal(answer, "LookupFailed")) failed.add(place(number));
      else failed.delete(place(number));
    if (request.operation !== "sendMessage" || !failed.has(place(to))) return answer;
    const details = { phone_number: to, line_type: constants.fixedLine, lookup_id: "", looked_up_at: "" };
    return refusedWith(answer, refuse.LineTypeBlocked("It may be a fixed line.", details));
  };
};

/** Servers that go by another lookup than the latest that succeeded. */
export const switchedLineMutants: readonly Mutant[] = [
  mutantOf("MSG-21", "first", "goes by the first lookup of a number", [goingBy((made) => made[0])]),
  mutantOf("MSG-21", "ever", "blocks what any lookup ever said is a fixed line", [
    goingBy((made) => made.findLast(isFixed)),
  ]),
  mutantOf("MSG-21", "lifted", "blocks no number any more of which a lookup ever said otherwise", [
    goingBy((made) => made.findLast((one) => !isFixed(one))),
  ]),
  mutantOf("MSG-21", "before", "goes by the lookup before the latest", [goingBy((made) => made.at(-2))]),
  mutantOf("MSG-21", "mobile", "lifts a block for mobile lines alone", [
    goingBy((made) => made.findLast((one) => isFixed(one) || one.lineType === constants.mobileLine)),
  ]),
  mutantOf("MSG-21", "voip", "lifts no block for lines over the internet that are fixed", [
    goingBy((made) => made.findLast(({ lineType }) => lineType !== constants.voipFixedLine)),
  ]),
  mutantOf("MSG-21", "once", "goes by what was known when it was first sent to a number", [decidedOnce]),
  mutantOf("MSG-21", "retried", "takes the lookup that a retry is answered with for the latest", [goingByRetries]),
  wireMutant("LKP-09", "line", "answers a retry with what the line has become", tellingLatest),
  wireMutant("MSG-21", "failed", "takes a number of which a lookup failed for a fixed line", blockingFailed),
];
