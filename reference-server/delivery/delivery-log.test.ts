import { randomBytes } from "node:crypto";
import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { usualManner } from "../domain/deliveries/delivery-request.ts";
import type { ForcedAnswer } from "../domain/deliveries/receiver-answer.ts";
import { usualSchedule } from "../domain/deliveries/retry-schedule.ts";
import { newSigningSecret } from "../domain/signatures/delivery-signature.ts";
import { createLog } from "../log.ts";
import { madeUpDelivery, madeUpEndpoint } from "../testing/made-up-delivery.ts";
import { deliveryLog, shownUrl } from "./delivery-log.ts";
import { makeAttempt } from "./make-attempt.ts";

const secret = newSigningSecret(randomBytes);
const url = "https://host.example/path?token=hidden";

/** The line of an attempt, as text and as its members. */
async function line(forced: ForcedAnswer, attempts = 0) {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const clock = { mode: "manual", at: 1_000 } as const;
  const delivery = { ...madeUpDelivery(madeUpEndpoint({ url, secret }), { id: "evt_1" }), attempts };
  const made = await makeAttempt(
    { kind: "delivery", organizationId: "organization", delivery, clock, lease: "lease", forced },
    {
      sender: { excerptBytes: 9, send: () => Promise.reject(new Error("Nothing is to be sent.")) },
      world: { now: () => 5, newId: () => "id" },
      manner: { ...usualManner, userAgent: "test/1" },
      schedule: usualSchedule,
    },
  );
  deliveryLog(createLog("info", sink))(made);
  const text = lines.join("");
  return { made, text, members: JSON.parse(text) };
}

describe("the line of an attempt", () => {
  it("reads as a sentence", async () => {
    expect((await line({ status: 200 })).members.msg).toBe(
      "delivered evt_1 lookup.completed → https://host.example/path?… 200 in 0 ms (attempt 1)",
    );
    expect((await line({ status: 500 }, 1)).members.msg).toBe(
      "did not deliver evt_1 lookup.completed → https://host.example/path?… 500 in 0 ms (attempt 2, next in 5 min)",
    );
    expect((await line({ failure: "the connection was refused" }, 7)).members.msg).toBe(
      "gave up evt_1 lookup.completed → https://host.example/path?… without an answer after 0 ms: the connection was refused (attempt 8)",
    );
  });

  it("has members for machines", async () => {
    expect((await line({ status: 503 })).members).toMatchObject({
      ...{
        level: 40,
        event_id: "evt_1",
        event_type: "lookup.completed",
        attempt: 1,
        outcome: "retry",
        status: 503,
        ms: 0,
      },
    });
  });

  it("holds neither secret nor signature nor query nor data", async () => {
    const { text, made } = await line({ status: 200, body: "answer" });
    const signature = made.attempt.requestHeaders["X-Svc-Signature"]?.slice(-20) ?? "";
    for (const hidden of [secret, signature, "hidden", "MOBILE", "answer"]) expect(text).not.toContain(hidden);
  });
});

describe("a shown address", () => {
  it("has no user, password, query or fragment, is bounded and stays on its line", () => {
    expect(shownUrl("https://user:pass@host.example:8443/a#b")).toBe("https://host.example:8443/a");
    expect(shownUrl(`https://host.example/${"a".repeat(5_000)}?b`)).toHaveLength(203);
    expect(shownUrl("https://host.example/a\nb\u001b[31m")).toMatch(/^[\x20-\x7e]+$/);
    expect(shownUrl("nonsense")).toBe("an address that is no URL");
  });
});
