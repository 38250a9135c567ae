import { inTwoSessions, lastingUser, userOf } from "../../context/caller-of.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked, NotApplicable } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { asTimePasses } from "../../steps/as-time-passes.ts";
import {
  changeNotifications,
  emailChange,
  keepingNotifications,
  notificationsShowing,
  ownToggles,
  readNotifications,
  settableToggle,
} from "../../steps/notifications.ts";
import { usersApart } from "../../steps/users-apart.ts";

/** Each notification that a user is shown, turned over. */
export const setting = check({
  id: "notifications.setting",
  title: "A user sets the notifications that are shown, one by one, and sees what was set",
  rules: ["USR-30"],
  kind: "scenario",
  needs: ["session"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const user = await userOf(await t.tenant());
    const { toggles } = await readNotifications(t, user);
    const own = ownToggles(toggles);
    if (own.length === 0) throw new NotApplicable("the target shows no notification that a user may set");
    await keepingNotifications(t, [user], async () => {
      for (const [name, value] of own) {
        const wanted = { [name]: !value };
        const before = await readNotifications(t, user);
        const exchange = await changeNotifications(t, user, emailChange(wanted));
        t.verify("USR-30", isSuccess(exchange), {
          expected: `${name} set`,
          actual: summaryOf(exchange),
          exchanges: [exchange],
        });
        if (!isSuccess(exchange)) continue;
        const after = await notificationsShowing(t, user, wanted);
        const expected = { ...before.toggles, ...wanted };
        t.equal("USR-30", "the notifications", after.toggles, expected, before.exchange, exchange, after.exchange);
      }
      // All at once, and then once more, as they are: what is set is what was asked for, not what it was before.
      for (const wanted of [Object.fromEntries(own), Object.fromEntries(own)]) {
        const before = await readNotifications(t, user);
        const exchange = await changeNotifications(t, user, emailChange(wanted));
        if (!isSuccess(exchange)) throw new Blocked("toggles are not set together", "see USR-30 first", "server");
        const after = await notificationsShowing(t, user, wanted);
        const expected = { ...before.toggles, ...wanted };
        t.equal("USR-30", "the notifications", after.toggles, expected, before.exchange, exchange, after.exchange);
      }
    });
  },
});

/** Notifications that were set long ago. */
export const kept = check({
  id: "notifications.kept",
  title: "A notification that a user has set stays so as long as they set no other",
  rules: ["USR-30"],
  kind: "scenario",
  needs: ["session", "manual-clock"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const { user, signedInAgain } = await lastingUser(tenant);
    const [name, value] = await settableToggle(t, user);
    const wanted = { [name]: !value };
    const exchange = await changeNotifications(t, user, emailChange(wanted));
    t.control(exchange, "setting a notification");
    const { toggles } = await notificationsShowing(t, user, wanted);
    if (toggles[name] !== !value)
      throw new Blocked("what is set is not shown", "see notifications.setting first", "server");
    await asTimePasses(tenant, "a notification", async () => {
      const shown = await readNotifications(t, await signedInAgain());
      t.equal("USR-30", "the notifications", shown.toggles, toggles, exchange, shown.exchange);
    });
  },
});

/** A user who has two sessions at once. */
export const twoSessions = check({
  id: "notifications.two-sessions",
  title: "What a user sets in one session shows in another one of theirs",
  rules: ["USR-30"],
  kind: "scenario",
  needs: ["session", "fresh-organization"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const [one, other] = await inTwoSessions(await t.tenant());
    const [name, value] = await settableToggle(t, one);
    // Who keeps what was read must not show it once it has changed.
    await readNotifications(t, other);
    for (const [changing, reading, wanted] of [[one, other, !value] as const, [other, one, value] as const]) {
      const exchange = await changeNotifications(t, changing, emailChange({ [name]: wanted }));
      t.control(exchange, "setting a notification");
      const own = await notificationsShowing(t, changing, { [name]: wanted });
      if (own.toggles[name] !== wanted)
        throw new Blocked("the session that set it does not show it", "see notifications.setting first", "server");
      const shown = await notificationsShowing(t, reading, { [name]: wanted });
      t.equal("USR-30", `${name} in the other session`, shown.toggles[name], wanted, exchange, shown.exchange);
    }
  },
});

/** Decides whether what one user sets leaves another one's settings. */
async function judgeApart<Rule extends "USR-31" | "USR-32">(
  t: CheckContext<Rule>,
  rule: Rule,
  [user, other]: readonly [Credential, Credential],
): Promise<void> {
  await keepingNotifications(t, [user, other], async () => {
    await judgeFirst(t, rule, [user, other]);
    const [name, value] = await settableToggle(t, user);
    for (const wanted of [!value, value]) {
      const theirs = { [name]: !wanted };
      t.control(await changeNotifications(t, other, emailChange(theirs)), "setting another user's notification");
      const before = await notificationsShowing(t, other, theirs);
      const change = await changeNotifications(t, user, emailChange({ [name]: wanted }));
      t.control(change, "setting a notification");
      await notificationsShowing(t, user, { [name]: wanted });
      const after = await readNotifications(t, other);
      const shown = [before.exchange, change, after.exchange];
      t.equal(rule, "the other user's notifications", after.toggles, before.toggles, ...shown);
    }
  });
}

/** The same where neither has set anything: both are shown what users begin with. */
async function judgeFirst<Rule extends "USR-31" | "USR-32">(
  t: CheckContext<Rule>,
  rule: Rule,
  [user, other]: readonly [Credential, Credential],
): Promise<void> {
  const before = await readNotifications(t, other);
  for (const [name, value] of ownToggles((await readNotifications(t, user)).toggles)) {
    const wanted = { [name]: !value };
    const change = await changeNotifications(t, user, emailChange(wanted));
    if (!isSuccess(change)) continue;
    await notificationsShowing(t, user, wanted);
    const after = await readNotifications(t, other);
    const shown = [before.exchange, change, after.exchange];
    t.equal(rule, "the other user's notifications", after.toggles, before.toggles, ...shown);
    return;
  }
}

/** Users of two organizations, and of one. */
export const apart = usersApart({
  area: "notifications",
  none: "no notifications",
  across: "USR-31",
  within: "USR-32",
  judge: judgeApart,
});
