import { describe, expect, it } from "vitest";
import type { Exchange } from "../exchange/exchange.ts";
import type { Step } from "./step.ts";
import { sandboxStep, stepOf } from "./stories.ts";
import { newToldBefore } from "./told-before.ts";

const id = "f2a1b1de-0000-7000-8000-000000000001";

const call = (method: string, path: string, body: unknown, status: number, answer: unknown): Exchange => ({
  ...{ number: 1, operation: method === "DELETE" ? "cancelMessage" : "sendMessage", sentAt: 1, answeredAt: 1 },
  request: {
    ...{ method, url: `http://target.test${path}`, headers: { authorization: "Bearer k1" } },
    body: body === null ? null : JSON.stringify(body),
  },
  outcome: { kind: "response", status, headers: {}, text: "", json: answer, truncated: false },
});

const sandbox = (what: string, path: string, answer: object): Step =>
  sandboxStep(what, {
    ...{ method: "POST", url: `http://target.test${path}`, headers: {}, status: 200, sentAt: 1 },
    ...{ body: Buffer.from("{}"), answer: Buffer.from(JSON.stringify({ data: answer })) },
  });

const send = (scheduled_at: string): Step => stepOf(call("POST", "/v1/messages", { scheduled_at }, 202, {}));
const cancel = stepOf(call("DELETE", `/v1/messages/${id}`, null, 409, {}));

describe("what was told before", () => {
  it("is what a moment is told by, where a refusal told of one near it", () => {
    const told = newToldBefore();
    const details = { next_send_at: "2026-01-15T11:15:00.000Z", quiet_hours_end: "07:15" };
    told.hear(stepOf(call("POST", "/v1/messages", {}, 422, { error: { code: "QUIET_HOURS", details } })));
    const at = (text: string) => told.standingOf(send(text), () => null);
    expect(at("2026-01-15T11:15:00.000Z")).toEqual([["scheduled_at =", "next_send_at"]]);
    expect(at("2026-01-15T07:15:00.000-05:00")).toEqual([["scheduled_at =", "next_send_at + 1 h"]]);
    expect(at("2026-03-15T11:15:00.000Z")).toEqual([]);
  });

  it("is the time of an organization whose clock stands still", () => {
    const told = newToldBefore();
    told.hear(
      sandbox("create an organization", "/organizations", { id, clock: "manual", now: "2026-01-15T11:15:00.000Z" }),
    );
    expect(told.standingOf(send("2026-01-15T11:15:30.000Z"), () => id)).toEqual([["scheduled_at =", "now + 30 s"]]);
    told.hear(sandbox("move the clock", `/organizations/${id}/clock`, { now: "2026-01-15T12:15:30.000Z" }));
    expect(told.standingOf(send("2026-01-15T11:15:30.000Z"), () => id)).toEqual([["scheduled_at =", "now - 1 h"]]);
    expect(told.standingOf(send("2026-01-15T11:15:30.000Z"), () => null)).toEqual([]);
  });

  it("is its caller's own organization, wherever a request names it", () => {
    const told = newToldBefore();
    const of = (path: string, body: unknown) => told.standingOf(stepOf(call("POST", path, body, 200, {})), () => id);
    const own = "the caller's own organization";
    expect(of("/v1/messages", { to: "x", owner: id })).toEqual([["owner =", own]]);
    expect(of(`/v1/messages?of=${id}&by=${id.replace("1", "2")}`, null)).toEqual([["?of =", own]]);
    const { request, ...step } = stepOf(call("POST", "/v1/messages", null, 200, {}));
    const headers = { ...request?.headers, "X-Of": id };
    const headed = { ...step, request: request && { ...request, headers } };
    expect(told.standingOf(headed, () => id)).toEqual([["x-of =", own]]);
    expect(told.standingOf(headed, () => null)).toEqual([]);
  });

  it("is what the record in a path was, and which of its moments had come", () => {
    const told = newToldBefore();
    told.hear(
      sandbox("create an organization", "/organizations", { id, clock: "manual", now: "2026-01-15T11:15:00.000Z" }),
    );
    const record = { id, status: "scheduled", scheduled_at: "2026-01-15T12:00:00.000Z", sent_at: null };
    const data = { ...record, created_at: "2026-01-15T11:15:00.000Z" };
    told.hear(stepOf(call("POST", "/v1/messages", {}, 202, { data })));
    expect(told.standingOf(cancel, () => id)).toEqual([
      ["{id} =", "the caller's own organization"],
      ["{id}'s status", '"scheduled"'],
      ["{id}'s scheduled_at", "in the future"],
      ["{id}'s sent_at", "null"],
    ]);
    // Another organization's clock says nothing of its moments.
    const headers = { authorization: "Bearer k2" };
    const foreign = { ...cancel, request: cancel.request && { ...cancel.request, headers } };
    expect(told.standingOf(foreign, () => null)).toEqual([
      ["{id}'s status", '"scheduled"'],
      ["{id}'s sent_at", "null"],
    ]);
    told.hear(sandbox("move the clock", `/organizations/${id}/clock`, { now: "2026-01-15T12:00:00.000Z" }));
    expect(told.standingOf(cancel, () => id)).toContainEqual(["{id}'s scheduled_at", "in the past"]);
  });

  it("is what a record was that a body or a query names, by its id or its phone number", () => {
    const told = newToldBefore();
    const brand = { id, identity_status: "VETTED_VERIFIED", name: "Bakery", is_reseller: false };
    told.hear(stepOf(call("GET", "/v1/brands", null, 200, { data: { brands: [brand, null, 7] } })));
    const lookup = { id: id.replace("1", "2"), phone_number: "+12025550142", line_type: "VOIP-FIXED" };
    told.hear(stepOf(call("POST", "/v1/lookup", {}, 201, { data: lookup })));
    const naming = stepOf(
      call("POST", `/v1/campaigns?of=${id}`, { brand_id: id, to: "+12025550142", note: "x" }, 201, {}),
    );
    expect(told.standingOf(naming, () => null)).toEqual([
      ["?of's identity_status", '"VETTED_VERIFIED"'],
      ["?of's is_reseller", "false"],
      ["brand_id's identity_status", '"VETTED_VERIFIED"'],
      ["brand_id's is_reseller", "false"],
      ["to's line_type", '"VOIP-FIXED"'],
    ]);
    const campaign = { id: id.replace("1", "3"), brand_id: id, status: "ACTIVE" };
    told.hear(stepOf(call("POST", "/v1/campaigns", {}, 201, { data: campaign })));
    const attaching = stepOf(call("POST", "/v1/phone-numbers/orders", { campaign_id: campaign.id }, 201, {}));
    expect(told.standingOf(attaching, () => null)).toEqual([
      ["campaign_id's status", '"ACTIVE"'],
      ["campaign_id's brand_id's identity_status", '"VETTED_VERIFIED"'],
      ["campaign_id's brand_id's is_reseller", "false"],
    ]);
    // What one caller was told of a number is nothing that another one knows.
    const headers = { authorization: "Bearer k2" };
    const foreign = { ...naming, request: naming.request && { ...naming.request, headers } };
    expect(told.standingOf(foreign, () => null).map(([name]) => name)).not.toContain("to's line_type");
  });
});
