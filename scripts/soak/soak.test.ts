import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { DeliveryAttempt } from "../../generated/models/deliveries.ts";
import type { Message } from "../../generated/models/messages.ts";
import { editedFiles } from "../../reference-server/edits/load-edited.ts";
import { attemptFaults } from "./judge-attempts.ts";
import { changeFaults } from "./judge-changes.ts";
import { sendFaults } from "./judge-sends.ts";
import { KeyedSends } from "./keyed-sends.ts";
import { Ledger } from "./ledger.ts";
import { killMoments } from "./moments.ts";
import { plantedFaults } from "./planted-faults.ts";
import { type Received, receivedKey } from "./soak-receiver.ts";
import { otherTypes, type SoakedEndpoint } from "./soaked-organizations.ts";

const [type = "lookup.completed"] = otherTypes;
const endpoint: SoakedEndpoint = { id: "endpoint", path: "/hook", events: [type] };
const eventId = "evt_1";

const attempt = (given: Partial<DeliveryAttempt> = {}): DeliveryAttempt => ({
  id: "attempt",
  endpoint_id: endpoint.id,
  event_id: eventId,
  event_type: type,
  url: "http://127.0.0.1/hook",
  attempt: 1,
  outcome: "success",
  response_status: 200,
  response_time_ms: 1,
  request_body_sha256: "digest",
  request_body_bytes: 5,
  response_body_excerpt: "",
  request_headers: { "X-Svc-Signature": "signature" },
  error: null,
  occurred_at: "2030-01-01T00:00:00.000Z",
  ...given,
});

const receipt = { sha256: "digest", bytes: 5, signature: "signature", status: 200 };
const cameIn = (...receipts: Received["receipts"]) =>
  new Map([[receivedKey(endpoint.path, eventId), { path: endpoint.path, eventId, receipts }]]);
const faultsOf = (attempts: readonly DeliveryAttempt[], ...receipts: Received["receipts"]) =>
  attemptFaults(attempts, [endpoint], receipts.length === 0 ? new Map() : cameIn(...receipts));

describe("records of attempts", () => {
  const failed = attempt({ outcome: "retry", response_status: 500 });

  it("hold when each tells of what came in, some of it more than once", () => {
    expect(faultsOf([attempt()], receipt, receipt)).toEqual([]);
    expect(faultsOf([failed, attempt({ attempt: 2 })], { ...receipt, status: 500 }, receipt)).toEqual([]);
  });

  it("may tell of a request without an answer that never came in", () => {
    const unanswered = attempt({ outcome: "retry", response_status: null, error: "no answer" });
    expect(faultsOf([unanswered, attempt({ attempt: 2 })], receipt)).toEqual([]);
  });

  it.each([
    ["is missing", [], [receipt], "no attempt of it is on record"],
    ["tells of a request that never came in", [attempt()], [], "never came in"],
    ["tells of a request once too often", [failed, attempt({ attempt: 2 })], [receipt], "never came in"],
    ["tells of another answer", [attempt({ response_status: 204 })], [receipt], "never came in"],
    ["tells of another signature", [attempt({ request_headers: {} })], [receipt], "never came in"],
    ["tells of another body", [attempt({ request_body_sha256: "other" })], [receipt], "another body"],
    ["tells of another size", [attempt({ request_body_bytes: 6 })], [receipt], "another body"],
    ["comes after a gap", [attempt({ attempt: 2 })], [receipt], "numbered 2"],
    ["has the number of another", [failed, attempt()], [receipt, { ...receipt, status: 500 }], "numbered 1, 1"],
    ["is no end", [failed], [{ ...receipt, status: 500 }], "outcomes retry"],
    ["follows the end", [attempt(), attempt({ attempt: 2 })], [receipt, receipt], "outcomes success, success"],
  ] as const)("are at fault when one %s", (_, attempts, receipts, says) => {
    expect(faultsOf(attempts, ...receipts)).toEqual([expect.stringContaining(says)]);
  });

  it("are at fault when one event came in with two bodies", () => {
    expect(faultsOf([attempt()], receipt, { ...receipt, sha256: "other" })).toEqual([
      expect.stringContaining("different bodies"),
    ]);
  });
});

describe("changes of keys", () => {
  const key = { id: "k", prefix: "p", revoked_at: null };
  const told = (change: string, data: object) => ({
    id: change,
    type: `api_key.${change}`,
    data: JSON.stringify(data),
  });
  const created = told("created", { id: "k", prefix: "p" });

  it("hold with the event that tells of each", () => {
    const rotated = { ...key, id: "r", prefix: "p2" };
    const events = [
      ...[created, told("created", { id: "r", prefix: "p" }), told("rotated", { id: "r", prefix: "p2" })],
      told("created", { test: true }),
    ];
    expect(changeFaults([[key, rotated], events, [{ id: "audit" }]], ["audit"])).toEqual([]);
  });

  it.each([
    ["a key without its event", [[key], [], []], "no event tells"],
    ["an event without its key", [[], [created], []], "there is no such key"],
    ["two events of one change", [[key], [created, created], []], "2 events tell"],
    ["a rotation without its event", [[{ ...key, prefix: "p2" }], [created], []], "has the prefix p2"],
    ["a revocation without its event", [[{ ...key, revoked_at: 1 }], [created], []], "is revoked"],
    [
      "the event of a revocation that is none",
      [[key], [created, told("revoked", { id: "k", prefix: "p" })], []],
      "is not revoked",
    ],
  ] as const)("are at fault with %s", (_, rows, says) => {
    expect(changeFaults(rows, [])).toEqual([expect.stringContaining(says)]);
  });

  it("are at fault when the audit record of a replay is gone", () => {
    expect(changeFaults([[], [], []], ["audit"])).toEqual([expect.stringContaining("audit")]);
  });
});

describe("messages under keys", () => {
  const message = (id: string): Message => ({
    ...{ id, to: "+12025550130", body: "key", status: "queued" },
    ...{ scheduled_at: null, created_at: "2030-01-01T00:00:00.000Z" },
  });
  const of = { organizationId: "o", key: "key" };
  const row = (id: string, status = "delivered") => ({ id, organization_id: "o", status, body: '"key"' });
  const entry = (kind: string, id: string) => ({ kind, reference: `message ${id}` });
  const begun = (): KeyedSends => {
    const sends = new KeyedSends();
    sends.begin(of);
    return sends;
  };
  const taken = (...ids: readonly string[]): KeyedSends => {
    const sends = begun();
    for (const id of ids) sends.take(of, message(id), false);
    return sends;
  };
  const canceled = (isCanceled: boolean): KeyedSends => {
    const sends = taken("m");
    sends.cancel("m", isCanceled);
    return sends;
  };
  const refused = (sends: KeyedSends): KeyedSends => {
    sends.refuse(of, "409");
    return sends;
  };
  const other = (sends: KeyedSends): KeyedSends => {
    sends.takeOther(of);
    return sends;
  };
  const ofAnother = (sends: KeyedSends): KeyedSends => {
    sends.take({ ...of, organizationId: "p" }, message("m"), false);
    return sends;
  };
  const charge = entry("charge", "m");
  const refund = entry("refund", "m");

  it("hold when each is one, charged once and carried, or canceled and refunded", () => {
    expect(sendFaults([[row("m")], [charge]], taken("m", "m"), new Set(["m"]))).toEqual([]);
    expect(sendFaults([[row("m")], [charge]], begun(), new Set(["m"]))).toEqual([]);
    expect(sendFaults([[row("m")], [charge]], canceled(false), new Set(["m"]))).toEqual([]);
    expect(sendFaults([[row("m", "canceled")], [charge, refund]], canceled(true), new Set())).toEqual([]);
    expect(sendFaults([], begun(), new Set())).toEqual([]);
    expect(sendFaults([], refused(begun()), new Set())).toEqual([]);
  });

  const two = [
    [row("m"), row("n")],
    [charge, entry("charge", "n")],
  ] as const;
  it.each([
    ["lost", [[], []], taken("m"), [], "made no message"],
    ["another one", [[row("n")], [entry("charge", "n")]], taken("m"), ["n"], "message m, and made n"],
    ["two", two, taken("m"), ["m", "n"], "made m, n"],
    ["two, and never answered", two, begun(), ["m", "n"], "never answered, and made m, n"],
    ["refused and made", [[row("m")], [charge]], refused(begun()), ["m"], "answered 409, and made m"],
    ["taken and then refused", [[row("m")], [charge]], refused(taken("m")), ["m"], "then with 409"],
    ["answered as another one later", [[row("m")], [charge]], taken("m", "n"), ["m"], "then with n"],
    ["taken for another text", [[row("m")], [charge]], other(taken("m")), ["m"], "success for another text"],
    [
      "another organization's",
      [[row("m")], [charge]],
      ofAnother(taken("m")),
      ["m"],
      "of organization p was answered with",
    ],
    ["not charged", [[row("m")], []], taken("m"), ["m"], "charged 0 times"],
    ["charged twice", [[row("m")], [charge, charge]], taken("m"), ["m"], "charged 2 times"],
    ["refunded and carried", [[row("m")], [charge, refund]], taken("m"), ["m"], "delivered and was refunded 1 times"],
    ["canceled and not refunded", [[row("m", "canceled")], [charge]], taken("m"), [], "refunded 0 times"],
    [
      "canceled and carried",
      [[row("m", "canceled")], [charge, refund]],
      taken("m"),
      ["m"],
      "is canceled, and was handed",
    ],
    ["canceled, and carried on", [[row("m")], [charge]], canceled(true), ["m"], "its cancellation was taken"],
    ["canceled, though it could not be", [[row("m", "canceled")], [charge, refund]], canceled(false), [], "not taken"],
    ["never carried", [[row("m")], [charge]], taken("m"), [], "never handed"],
    ["left on its way", [[row("m", "sending")], [charge]], taken("m"), ["m"], "left sending"],
  ] as const)("are at fault when one is %s", (_, rows, sends, handedOver, says) => {
    expect(sendFaults(rows, sends, new Set(handedOver))).toEqual([expect.stringContaining(says)]);
  });
});

describe("the ledger", () => {
  it("has outstanding what was promised and did not come, in whichever order", () => {
    const ledger = new Ledger();
    ledger.came("/hook", { id: "evt_early", type, data: {} });
    for (const event of ["evt_early", "evt_late", "evt_lost"]) ledger.promise("emitEvent", event, [endpoint]);
    ledger.came("/hook", { id: "evt_late", type, data: {} });
    ledger.came("/other", { id: "evt_lost", type, data: {} });
    expect(ledger.outstanding).toMatchObject([{ event: "evt_lost", by: "emitEvent" }]);
  });
});

describe("the soak", () => {
  // The kills end it; the seconds only where a machine is so busy that they take for ever.
  const killed = (times: number): readonly string[] => ["--rounds", String(times), "--seconds", "150"];
  const kills = killed(killMoments.length);

  it.concurrent.each(["sqlite", "postgresql"])(
    "finds nothing lost on %s, however servers are killed",
    async (engine) => {
      const { code, out, err } = await soak("--engine", engine, ...kills);
      expect(err + out).toMatch(/: held\n {2}\d+ kills/);
      expect(code).toBe(0);
    },
    420_000,
  );

  it.concurrent.each([
    // Nearly every kill brings it out.
    ["answered-first", /✘ lost: evt_.* testWebhookEndpoint was answered with success/, killed(4)],
    // No kill brings it out.
    ["unfair-places", /✘ 2 organizations whose receivers hang hold \d+ of 200 places/, killed(1)],
    ["answer-apart", /✘ after kill \d+ .*: a message was taken under a key, and no answer is kept for its retries/],
    [
      "record-apart",
      /✘ after kill \d+ .*: (an event is stored, but no delivery of it and no attempt|a delivery counts more or fewer attempts)/,
    ],
  ])(
    "finds the planted fault %s",
    async (fault, says, when = kills) => {
      const { code, out, err } = await soak("--engine", "sqlite", "--plant", fault, ...when);
      expect(err + out).toMatch(says);
      expect(code).toBe(1);
    },
    420_000,
  );

  it("has planted faults that all apply to the server as it is", () => {
    for (const fault of plantedFaults) expect(editedFiles([fault]).size).toBe(1);
  });

  it("says what is wrong with its flags", async () => {
    const says = (text: string) => ({ code: 2, out: "", err: expect.stringContaining(text) });
    expect(await soak("--engine", "mysql")).toEqual(says("sqlite or postgresql"));
    expect(await soak("--rounds", "0")).toEqual(says("a whole number from 1"));
    expect(await soak("--seed", "x")).toEqual(says("--seed x"));
    expect(await soak("--plant", "x")).toEqual(says("answered-first"));
    expect(await soak("--fast")).toEqual(says("--fast"));
  });
});

async function soak(...flags: readonly string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, "../soak.ts"), ...flags], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => (out += String(chunk)));
  child.stderr.on("data", (chunk) => (err += String(chunk)));
  const [code] = await once(child, "close");
  return { code, out, err };
}
