import { describe, expect, it } from "vitest";
import { changedNotifications, type NotificationChange, usualNotifications } from "./notification-settings.ts";

const change = (body: NotificationChange) => changedNotifications(usualNotifications, body);

describe("a change of notification settings", () => {
  it("sets what it names, and leaves the others", () => {
    expect(change({ email: { billing: false } })).toEqual({ email: { ...usualNotifications.email, billing: false } });
    expect(change({})).toEqual(usualNotifications);
    expect(change({ email: {} })).toEqual(usualNotifications);
  });

  it.each([
    ["sms", { sms: { billing: true } }, "sms"],
    ["constructor", { constructor: {} }, "constructor"],
    ["a toggle inside email", { email: { billing: true, weather: true } }, "email.weather"],
    ["toString inside email", { email: { toString: true } }, "email.toString"],
    ["the immutable one elsewhere", { sms: { security_alerts: true } }, "sms"],
  ] as const)("is refused for the unknown %s", (_, body, key) => {
    expect(change(body as unknown as NotificationChange)).toMatchObject({
      row: "UnknownNotificationKey",
      details: { [key]: expect.any(String) },
    });
  });

  it("is refused for a channel that is called as the prototype is", () => {
    const refused = change(JSON.parse('{"__proto__":{"billing":true}}'));
    expect("row" in refused && [refused.row, Object.keys(refused.details ?? {})]).toEqual([
      "UnknownNotificationKey",
      ["__proto__"],
    ]);
  });

  it.each([true, false])("is refused for security alerts set to %s", (value) => {
    expect(change({ email: { billing: true, security_alerts: value } })).toMatchObject({
      row: "ImmutableNotificationKey",
      details: { "email.security_alerts": expect.any(String) },
    });
  });
});
