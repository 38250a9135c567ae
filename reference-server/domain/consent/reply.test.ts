import { expect, it } from "vitest";
import type { Consent } from "./consent.ts";
import { consentAfterReply } from "./reply.ts";

const [organizationId, from] = ["org", "+12025550130"];
const known = (state: Consent["state"]): Consent => ({
  organizationId,
  phoneNumber: from,
  state,
  source: "form",
  capturedAt: 1,
});
const after = (before: Consent | null, text: string) =>
  consentAfterReply(before, { organizationId, from, text, at: 5 });

it.each(["STOP", "stop", " Stop. ", "UNSUBSCRIBE", "quit!", "OptOut", "REVOKE", "stopall", "CANCEL", "end"])(
  "%j withdraws consent, also of who never gave it",
  (text) => {
    const out = { ...known("opted-out"), source: "reply", capturedAt: 5 };
    expect([after(known("opted-in"), text), after(null, text)]).toEqual([out, out]);
  },
);

it.each(["START", "yes", "Unstop"])("%j restores what was withdrawn, and gives no consent by itself", (text) => {
  expect(after(known("opted-out"), text)).toMatchObject({ state: "opted-in", source: "reply" });
  expect([after(null, text), after(known("opted-in"), text)]).toEqual([null, null]);
});

it.each(["Please stop", "STOP it", "", "restart", "S T O P"])("%j changes nothing", (text) => {
  expect([after(known("opted-in"), text), after(known("opted-out"), text)]).toEqual([null, null]);
});
