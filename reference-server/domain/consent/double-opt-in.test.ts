import { expect, it } from "vitest";
import { referenceChoices } from "../../../generated/choices.ts";
import { eventType } from "../../../generated/events.ts";
import type { Consent } from "./consent.ts";
import { confirmationText, endEvent, isOpen, newDoubleOptIn, refuseToAsk } from "./double-opt-in.ts";

const wish = { id: "1", organizationId: "org", phoneNumber: "+12025550130", source: "web form", now: 1_000 };
const asked = newDoubleOptIn(wish, { doubleOptInHours: "72" });

it("is open for as many hours as there are, and no longer", () => {
  expect(asked.expiresAt).toBe(1_000 + 72 * 3_600_000);
  expect([isOpen(asked, 1_000), isOpen(asked, asked.expiresAt - 1), isOpen(asked, asked.expiresAt)]).toEqual([
    true,
    true,
    false,
  ]);
});

it("is over once it is confirmed or expired", () => {
  for (const state of ["confirmed", "expired"] as const) expect(isOpen({ ...asked, state }, 1_000)).toBe(false);
});

it("tells its end by the type for it, with its number, unless nothing is told", () => {
  const event = { id: "evt_1", createdAt: 5 };
  const data = { id: "1", phone_number: "+12025550130" };
  const told = { ...event, organizationId: "org", data };
  const [confirmed, expired] = [
    { ...asked, state: "confirmed" },
    { ...asked, state: "expired" },
  ] as const;
  expect(endEvent(confirmed, event, referenceChoices)).toEqual({
    ...told,
    type: eventType.consentPendingConfirmed,
  });
  expect(endEvent(expired, event, referenceChoices)).toEqual({
    ...told,
    type: eventType.consentPendingExpired,
  });
  expect(endEvent(expired, event, { keyEvents: "not-sent" })).toBeNull();
});

it("asks its recipient for a word that confirms it", () => {
  expect(confirmationText(asked)).toMatchObject({ id: "1", to: "+12025550130" });
  expect(confirmationText(asked).body).toContain("YES");
});

it("is refused to nobody but who has opted out", () => {
  const known = (state: Consent["state"]): Consent => ({ ...wish, state, capturedAt: 1 });
  expect([refuseToAsk(null), refuseToAsk(known("opted-in"))]).toEqual([null, null]);
  expect(refuseToAsk(known("opted-out"))).toMatchObject({ row: "ValidationFailed" });
});
