import { describe, expect, it } from "vitest";
import { referenceChoices } from "../../../generated/choices.ts";
import type { Consent } from "./consent.ts";
import { type DoubleOptIn, newDoubleOptIn } from "./double-opt-in.ts";
import { afterReply } from "./reply.ts";

const [organizationId, from] = ["org", "+12025550130"];
const known = (state: Consent["state"]): Consent => ({
  organizationId,
  phoneNumber: from,
  state,
  source: "form",
  capturedAt: 1,
});
const nothing = { consent: null, doubleOptIn: null };
const reply = (text: string, at = 5) => ({ organizationId, from, text, at });
const replied = (consent: Consent | null, text: string) => afterReply({ consent, doubleOptIn: null }, reply(text));

describe("a reply of a recipient who was not asked", () => {
  it.each(["STOP", "stop", " Stop. ", "UNSUBSCRIBE", "quit!", "OptOut", "REVOKE", "stopall", "CANCEL", "end"])(
    "withdraws consent by %j, also of who never gave it",
    (text) => {
      const out = { consent: { ...known("opted-out"), source: "reply", capturedAt: 5 }, doubleOptIn: null };
      expect([replied(known("opted-in"), text), replied(null, text)]).toEqual([out, out]);
    },
  );

  it.each(["START", "yes", "Unstop"])("restores what was withdrawn by %j, and gives no consent by itself", (text) => {
    expect(replied(known("opted-out"), text)).toMatchObject({ consent: { state: "opted-in", source: "reply" } });
    expect([replied(null, text), replied(known("opted-in"), text)]).toEqual([nothing, nothing]);
  });

  it.each(["Please stop", "STOP it", "", "restart", "S T O P"])("changes nothing by %j", (text) => {
    expect([replied(known("opted-in"), text), replied(known("opted-out"), text)]).toEqual([nothing, nothing]);
  });
});

describe("an answer to a double opt-in", () => {
  const wish = { id: "1", organizationId, phoneNumber: from, source: "web form", now: 2 };
  const asked = newDoubleOptIn(wish, { ...referenceChoices, doubleOptInHours: "1" });
  const last = asked.expiresAt - 1;
  const answer = (doubleOptIn: DoubleOptIn, text: string, at: number, consent: Consent | null = null) =>
    afterReply({ consent, doubleOptIn }, reply(text, at));

  it.each(["YES", " yes! ", "START"])("confirms it by %j until it expires, where the organization said", (text) => {
    const consent = { ...known("opted-in"), source: "web form", capturedAt: last };
    expect(answer(asked, text, last)).toEqual({ consent, doubleOptIn: { ...asked, state: "confirmed" } });
    expect(answer(asked, text, asked.expiresAt)).toEqual(nothing);
  });

  it("confirms it once only", () => {
    for (const state of ["confirmed", "expired"] as const)
      expect(answer({ ...asked, state }, "YES", 5)).toEqual(nothing);
  });

  it("leaves it open by whatever else it says, and ends it by STOP, which withdraws consent too", () => {
    expect(answer(asked, "Who is this?", 5)).toEqual(nothing);
    const ended = { ...asked, state: "expired" };
    expect(answer(asked, "STOP", 5)).toMatchObject({ consent: { state: "opted-out" }, doubleOptIn: ended });
  });

  it("brings back who has opted out meanwhile", () => {
    expect(answer(asked, "YES", 5, known("opted-out")).consent).toMatchObject({ state: "opted-in", capturedAt: 5 });
  });
});
