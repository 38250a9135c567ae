import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { deliveryHeaders } from "../../../generated/events.ts";
import { madeUpDelivery, madeUpEndpoint } from "../../testing/made-up-delivery.ts";
import { signatureHeader } from "../signatures/delivery-signature.ts";
import { deliveryRequest, usualManner } from "./delivery-request.ts";

const manner = { ...usualManner, userAgent: "test/1" };
const endpoint = madeUpEndpoint();
const delivery = madeUpDelivery(endpoint);
const now = Date.UTC(2031, 0, 1) + 999;
const request = deliveryRequest(delivery, now, manner);
const jsonOf = (body: Uint8Array): unknown => JSON.parse(Buffer.from(body).toString());

describe("the request of a delivery", () => {
  it("has every header that the contract names, in its form", () => {
    const headers: Readonly<Record<string, string>> = request.headers;
    expect(Object.keys(headers)).toEqual(deliveryHeaders.map(({ name }) => name));
    for (const { name, pattern } of deliveryHeaders) expect(headers[name]).toMatch(new RegExp(pattern ?? ".", "u"));
  });

  it("carries the event in an envelope", () => {
    const { event } = delivery;
    expect(jsonOf(request.body)).toEqual({
      id: event.id,
      type: event.type,
      created_at: "2030-01-02T03:04:05.678Z",
      api_version: endpoint.apiVersion,
      org_id: event.organizationId,
      data: event.data,
    });
  });

  it("has digest and signature of its very bytes, signed in the second of the attempt", () => {
    expect(request.bodySha256).toBe(createHash("sha256").update(request.body).digest("hex"));
    const signed = { eventId: delivery.event.id, seconds: Date.UTC(2031, 0, 1) / 1000, body: request.body };
    expect(request.headers["X-Svc-Signature"]).toBe(signatureHeader(signed, [endpoint.secret]));
  });

  it("has the same body on every attempt, and another signature", () => {
    const later = deliveryRequest({ ...delivery, attempts: 3, dueAt: 9 }, now + 5_000, manner);
    expect(later.body).toEqual(request.body);
    expect(later.headers["X-Svc-Signature"]).not.toBe(request.headers["X-Svc-Signature"]);
  });

  it("can carry the data alone, and times in another precision", () => {
    expect(jsonOf(deliveryRequest(delivery, now, { ...manner, body: "bare" }).body)).toEqual(delivery.event.data);
    const { body } = deliveryRequest(delivery, now, { ...manner, timestampPrecision: "seconds" });
    expect(jsonOf(body)).toMatchObject({ created_at: "2030-01-02T03:04:05Z" });
  });
});
