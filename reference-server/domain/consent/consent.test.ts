import { expect, it } from "vitest";
import { type Consent, consentAfter } from "./consent.ts";
import { refuseWithoutConsent } from "./consent-gate.ts";

const consent = (state: Consent["state"], capturedAt: number): Consent => ({
  organizationId: "org",
  phoneNumber: "+12025550123",
  state,
  source: "test",
  capturedAt,
});

it("the latest word of a recipient counts, whichever came first to the server", () => {
  const [early, late] = [consent("opted-in", 1), consent("opted-out", 2)];
  expect(consentAfter(null, early)).toBe(early);
  expect(consentAfter(early, late)).toBe(late);
  expect(consentAfter(late, early)).toBe(late);
});

it("of two words at one instant the one that came later to the server counts", () => {
  const [out, back] = [consent("opted-out", 1), consent("opted-in", 1)];
  expect(consentAfter(out, back)).toBe(back);
});

it("only who has opted in may be sent to, and others are refused alike", () => {
  expect(refuseWithoutConsent(consent("opted-in", 1))).toBeNull();
  const unknown = refuseWithoutConsent(null);
  expect(unknown).not.toBeNull();
  expect(refuseWithoutConsent(consent("opted-out", 1))).toEqual(unknown);
});
