import { isDeepStrictEqual } from "node:util";
import { constants } from "../../../generated/constants.ts";
import { callerOf, takesKeys } from "../../context/caller-of.ts";
import type { Check } from "../../context/check.ts";
import type { CallInput, CheckContext } from "../../context/context.ts";
import { bucketSize, callDraws, drawnIn, sumOfDraws } from "../../context/draws.ts";
import { type ApiOperation, forEachOperation } from "../../context/for-each-operation.ts";
import { type Exchange, errorOf, isSuccess, statusOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Tenant } from "../../provision/tenant.ts";
import { changeText, stateText, untilAtRest } from "../../steps/effect-of.ts";
import { withFlaws } from "../../steps/flaws.ts";
import { keyLacking, scopesLacking } from "../../steps/key-lacking.ts";
import { lastsLater, looksLater } from "../../steps/later-state.ts";
import { settledState } from "../../steps/settle.ts";
import { soundCall } from "../../steps/sound-call.ts";
import { soundInputCost, wideInput } from "../../steps/sound-input.ts";
import { wrongMembers } from "../../steps/wrong-members.ts";

/** Organizations in which requests are sent which seem to have an effect. */
const patience = 3;

/** More requests with a defect than there are of any operation, as often as they are sent. */
const mostRequests = patience * 20;

/** Every operation that changes something, asked in every way in which it refuses. */
export const refusedRequests: readonly Check[] = forEachOperation((operation) => {
  const { method, path, scope, draws } = operation;
  if (method === "GET") return null;
  const inputs = soundInputCost(operation, 3 * patience);
  return {
    id: "envelope.refused-requests",
    title: `What ${method} ${path} refuses leaves the organization as it was`,
    rules: ["ENV-60"],
    kind: "scenario",
    needs: ["manual-clock", "state"],
    effects: ["creates"],
    // Each further organization gets its own key without the scope.
    draws: sumOfDraws([inputs.draws, callDraws(draws, mostRequests), { apiKeyWrites: patience }]),
    sharedKeys: [...inputs.sharedKeys, ...(scope === null ? [] : [scopesLacking(scope)])],
    async run(t) {
      const { culprit, answers, spared, tenant } = await lastTrial(t, operation);
      t.verify("ENV-60", culprit === null, {
        expected: "the organization as it was before the requests that were refused",
        ...{ isEffect: true, spared },
        actual: culprit === null ? "that" : `${culprit.change} after ${summaryOf(culprit.exchange)}`,
        exchanges: culprit === null ? answers.filter(isRefused) : [culprit.exchange],
      });
      if (culprit !== null) return;
      // Successful requests may have effects days later. A new organization without them excludes such effects.
      const isWhole = answers.every(isRefused);
      const first = isWhole ? { first: { ...(await looksLater(tenant)), exchanges: answers } } : {};
      await lastsLater(
        t,
        "ENV-60",
        {
          begin: async () => {
            const another = await t.tenant({ clock: "manual" });
            const again = await soundInputs(t, operation, another);
            return { tenant: another, requests: await requestsWithDefects(t, operation, another, again) };
          },
          act: async ({ requests }) => {
            const exchanges: Exchange[] = [];
            for (const [index, request] of requests.entries()) {
              const last = answers[index];
              if (last !== undefined && isRefused(last)) exchanges.push(await request());
            }
            return exchanges;
          },
        },
        first,
      );
    },
  };
});

/**
 * What came of all requests with a defect, in the last organization where they were tried. At first it is looked at once,
 * when all of them are over; where something has changed, after each of them.
 */
async function lastTrial(t: CheckContext, operation: ApiOperation): Promise<Trial & { readonly tenant: Tenant }> {
  for (let tries = 1; ; tries += 1) {
    // Each time in another one, if there is one: what a request does once in an organization shows in each.
    const tenant = await t.tenant({ clock: "manual" });
    const again = await soundInputs(t, operation, tenant);
    const looks = tries === 1 ? "at the end" : "after each";
    const trial = await tryAll(t, operation, tenant, looks, async () => {
      const input = await again();
      // What was done before may still have its effects.
      if (tries > 1) await untilAtRest(t, tenant);
      return input;
    });
    if (!trial.answers.some(isRefused))
      throw new Blocked("no request with a defect was refused", "see the rules of its refusals first", "server");
    if (!trial.changed || tries === patience) return { ...trial, tenant };
  }
}

/**
 * Makes inputs with which the operation succeeds: it calls the operation with one. They are wide where the operation
 * is an update and the server accepts the wide input. A server may store the sound properties of an update that it refuses.
 */
async function soundInputs(
  t: CheckContext,
  operation: ApiOperation,
  tenant: Tenant,
): Promise<() => Promise<CallInput>> {
  const { id, method } = operation;
  const { caller, exchange, again } = await soundCall(t, operation, tenant);
  t.control(exchange, `${method} ${exchange.request.url}`);
  const wide = await wideInput(id, t, caller);
  // The document does not show which values these properties take.
  const isWide = wide !== null && isSuccess(await t.call(id, wide, caller));
  const input = async (): Promise<CallInput> => (isWide ? ((await wideInput(id, t, caller)) ?? wide) : again());
  const withExtra = async (which: "first" | "second"): Promise<CallInput | null> => {
    const { body, ...rest } = await input();
    const extended = t.withExtra(id, body, which);
    return extended === null ? null : { ...rest, body: extended };
  };
  const extended = await withExtra("first");
  if (extended === null) return input;
  const accepted = await t.call(id, extended, caller);
  if (!isSuccess(accepted))
    throw new Blocked(
      `an update with the extra properties of the target file was answered ${summaryOf(accepted)}`,
      `name properties and values that the target accepts: shapes.${id}.extra in the target file`,
    );
  return async () => (await withExtra("second")) ?? input();
}

interface Trial {
  readonly answers: readonly Exchange[];
  /** Whether something was seen to change that a request may have changed which was refused. */
  readonly changed: boolean;
  /** The first that was refused and changed something; null where none did, or none was looked at by itself. */
  readonly culprit: Culprit | null;
  /** Those that were refused, looked at by themselves, and changed nothing. */
  readonly spared: readonly Exchange[];
}

interface Culprit {
  readonly exchange: Exchange;
  /** What of the organization is another. */
  readonly change: string;
}

/** Sends all requests with a defect, each about what is there and would be changed by a sound one. */
async function tryAll(
  t: CheckContext,
  operation: ApiOperation,
  tenant: Tenant,
  looks: "at the end" | "after each",
  again: () => Promise<CallInput>,
): Promise<Trial> {
  const requests = await requestsWithDefects(t, operation, tenant, again);
  const answers: Exchange[] = [];
  const spared: Exchange[] = [];
  let culprit: Culprit | null = null;
  let before = await settledState(tenant);
  for (const [index, request] of requests.entries()) {
    const exchange = await request();
    answers.push(exchange);
    if (looks === "at the end" && index < requests.length - 1) continue;
    const after = await settledState(tenant);
    const isChanged = stateText(after) !== stateText(before);
    if (looks === "at the end") return { answers, culprit, changed: isChanged, spared };
    if (isChanged && isRefused(exchange)) culprit ??= { exchange, change: changeText({ before, after }) };
    before = after;
    if (isRefused(exchange) && !isChanged) spared.push(exchange);
    if (isRefused(exchange)) continue;
    // What was carried out may have its effects a while later.
    await untilAtRest(t, tenant);
    before = await settledState(tenant);
  }
  return { answers, culprit, changed: culprit !== null, spared };
}

/** Waits until every limit is refilled and the time differs from earlier calls. Then prepares the requests. */
async function requestsWithDefects(
  t: CheckContext,
  operation: ApiOperation,
  tenant: Tenant,
  again: () => Promise<CallInput>,
): Promise<readonly (() => Promise<Exchange>)[]> {
  const periods = drawnIn(callDraws(operation.draws, 1)).map(([bucket]) => bucketSize(bucket).periodSeconds);
  await tenant.advance(Math.max(1, ...periods), "limits to be as before");
  return refusable(t, operation, tenant, await again());
}

/** Requests with one defect each, that do what they ask for where nobody looks at the defect. */
async function refusable(
  t: CheckContext,
  operation: ApiOperation,
  tenant: Tenant,
  sound: CallInput,
): Promise<readonly (() => Promise<Exchange>)[]> {
  const { id, scope } = operation;
  const caller = await callerOf(operation, tenant);
  const key = takesKeys(operation) ? null : await tenant.main();
  const lacking = scope === null ? null : await keyLacking(scope, tenant);
  const withHeader = (name: string, value: string): CallInput => ({
    ...sound,
    headers: { ...sound.headers, [name]: value },
  });
  return [
    () => t.attempt(id, sound, null),
    () => t.attempt(id, withHeader("authorization", `Bearer ${constants.liveKeyPrefix}${"0".repeat(40)}`), null),
    () => t.call(id, withHeader(constants.targetOrganizationHeader, "another"), caller),
    ...(key === null ? [] : [() => t.call(id, sound, key)]),
    ...(lacking === null ? [] : [() => t.call(id, sound, lacking)]),
    ...flawedInputs(operation, sound).map((flawed) => () => t.call(id, flawed, caller)),
  ];
}

/** The same call with one defect each: those that the schemas rule out, and every member in turn of another kind. */
function flawedInputs(operation: ApiOperation, sound: CallInput): readonly CallInput[] {
  const flawed = withFlaws(operation, sound);
  const wrong = wrongMembers(sound.body).map(({ body }) => ({ ...sound, body }));
  return [...flawed, ...wrong.filter((one) => !flawed.some((other) => isDeepStrictEqual(one.body, other.body)))];
}

/** Whether the client is told that its request was not carried out. */
function isRefused(exchange: Exchange): boolean {
  const status = statusOf(exchange) ?? 0;
  return status >= 400 && status < 500 && errorOf(exchange) !== null;
}
