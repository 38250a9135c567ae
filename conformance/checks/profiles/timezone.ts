import { inTwoSessions, lastingUser, userOf } from "../../context/caller-of.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { errorOf, isSuccess, objectOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked, NotApplicable } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { asTimePasses } from "../../steps/as-time-passes.ts";
import { refusesBody } from "../../steps/body-refusals.ts";
import {
  changeProfile,
  keepingTimezones,
  noTimezones,
  profileShowing,
  readProfile,
  shownFor,
  timezones,
} from "../../steps/profile.ts";
import { usersApart } from "../../steps/users-apart.ts";
import { withoutEffect } from "../../steps/without-effect.ts";

/** Timezones that a user takes, and texts that are none. */
export const timezone = check({
  id: "profiles.timezone",
  title: "A user takes timezones by their IANA names, and what is no such name is refused and changes nothing",
  rules: ["USR-01", "USR-02", "USR-03", "USR-08", "USR-20"],
  kind: "scenario",
  needs: ["session"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const user = await userOf(await t.tenant({ clock: "manual" }));
    await keepingTimezones(t, [user], () => judgeTimezones(t, user));
  },
});

/** A timezone that was taken long ago. */
export const kept = check({
  id: "profiles.kept",
  title: "A timezone that a user has taken is shown as long as they take no other",
  rules: ["USR-20"],
  kind: "scenario",
  needs: ["session", "manual-clock"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const { user, signedInAgain } = await lastingUser(tenant);
    for (const timezone of timezones.slice(0, 2)) {
      const exchange = t.control(await changeProfile(t, user, { timezone }), "changing the timezone");
      if ((await profileShowing(t, user, timezone)).timezone !== timezone) throw unshown();
      await asTimePasses(tenant, "a timezone", async () => {
        const shown = await readProfile(t, await signedInAgain());
        t.equal("USR-20", "timezone", shown.timezone, timezone, exchange, shown.exchange);
      });
    }
  },
});

/** Sets every timezone, then what is none. */
async function judgeTimezones(
  t: CheckContext<"USR-01" | "USR-02" | "USR-03" | "USR-08" | "USR-20">,
  user: Credential,
): Promise<void> {
  for (const name of timezones) {
    const exchange = await changeProfile(t, user, { timezone: name });
    const refused = answeredBy(exchange, "InvalidTimezone");
    // Any other refusal proves nothing of timezones, and blocks.
    if (!refused) t.control(exchange, `changing the timezone to ${name}`);
    const taken = t.verify("USR-03", !refused, {
      expected: `${name} taken as a timezone`,
      actual: summaryOf(exchange),
      exchanges: [exchange],
    });
    if (!taken) continue;
    const shown = await profileShowing(t, user, name);
    const wanted = shownFor(name, shown.timezone);
    t.equal("USR-20", "timezone", shown.timezone, wanted, exchange, shown.exchange);
  }
  const isShown = (await readProfile(t, user)).timezone !== undefined;
  // What the kit knows to be taken in the first place stands beside what is not, too.
  for (const bad of noTimezones) {
    for (const wish of [{ timezone: bad }, { name: `Kit ${bad.length}`, timezone: bad }]) {
      const before = await readProfile(t, user);
      const exchange = await changeProfile(t, user, wish);
      // Whether there is a name, and which it may be, is open: what is refused for it tells nothing of timezones.
      if ("name" in wish && refusesBody(exchange)) continue;
      if (t.refused("USR-01", exchange, "InvalidTimezone")) {
        const { timezone } = objectOf(errorOf(exchange)?.details) ?? {};
        t.verify("USR-02", typeof timezone === "string" && timezone !== "", {
          expected: "details that say something of timezone",
          actual: JSON.stringify(errorOf(exchange)?.details) ?? "none",
          exchanges: [exchange],
        });
        const after = await readProfile(t, user);
        if (isShown) t.equal("USR-08", "the profile", after.own, before.own, before.exchange, exchange, after.exchange);
      }
    }
  }
  const empty = await changeProfile(t, user, { timezone: "" });
  // Where texts must not be empty at all, that may be said in another way.
  t.verify("USR-01", !isSuccess(empty), {
    expected: "a refusal of an empty timezone",
    actual: summaryOf(empty),
    exchanges: [empty],
  });
  if (!isShown) throw unshown();
}

const unshown = (): Blocked =>
  new Blocked(
    "the profile does not show the timezone that was set",
    "see USR-20 first, or say where the timezone stands: shapes in the target file",
    "server",
  );

/** Decides whether what one user changes leaves another one's profile. */
async function judgeApart<Rule extends "USR-21" | "USR-22">(
  t: CheckContext<Rule>,
  rule: Rule,
  [user, other]: readonly [Credential, Credential],
): Promise<void> {
  await keepingTimezones(t, [user, other], async () => {
    for (const [index, timezone] of timezones.entries()) {
      const theirs = timezones[(index + 1) % timezones.length] ?? timezone;
      t.control(await changeProfile(t, other, { timezone: theirs }), "changing another user's timezone");
      const before = await profileShowing(t, other, theirs);
      if (typeof before.timezone !== "string") throw unshown();
      const exchange = t.control(await changeProfile(t, user, { timezone }), "changing the timezone");
      const after = await readProfile(t, other);
      t.equal(rule, "the other user's profile", after.own, before.own, before.exchange, exchange, after.exchange);
    }
    await judgeNamed(t, rule, [user, other]);
  });
}

/** The same of the name, where one is shown that can be changed: both are open. Gives users the one back that they had. */
async function judgeNamed<Rule extends "USR-21" | "USR-22">(
  t: CheckContext<Rule>,
  rule: Rule,
  [user, other]: readonly [Credential, Credential],
): Promise<void> {
  const { name } = (await readProfile(t, user)).own;
  if (name === undefined) return;
  const before = await readProfile(t, other);
  const exchange = await changeProfile(t, user, { name: "Kit" });
  if (!isSuccess(exchange)) return;
  const after = await readProfile(t, other);
  if (typeof name === "string") await changeProfile(t, user, { name });
  t.equal(rule, "the other user's profile", after.own, before.own, before.exchange, exchange, after.exchange);
}

/** Updates of one member of a profile, each beside another that is to stay. */
export const partial = check({
  id: "profiles.partial",
  title: "An update of the timezone leaves the name of a user, and one of the name leaves the timezone",
  rules: ["USR-23"],
  kind: "scenario",
  needs: ["session"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const user = await userOf(await t.tenant());
    await keepingTimezones(t, [user], async () => {
      const named = await changeProfile(t, user, { name: "Kit" });
      // Whether there is a name, and which it may be, is open.
      if (!isSuccess(named)) throw new NotApplicable(`to change the name was answered ${summaryOf(named)}`);
      const { own } = await readProfile(t, user);
      if (own.name !== "Kit") throw new NotApplicable("the profile shows no name that was set");
      for (const timezone of timezones.slice(0, 2)) {
        const before = await readProfile(t, user);
        const zoned = t.control(await changeProfile(t, user, { timezone }), "changing the timezone");
        const after = await profileShowing(t, user, timezone);
        t.equal("USR-23", "the name", after.own.name, before.own.name, before.exchange, zoned, after.exchange);
        const renamed = t.control(await changeProfile(t, user, { name: `Kit of ${timezone}` }), "changing the name");
        const last = await profileShowing(t, user, timezone);
        t.equal("USR-23", "the timezone", last.timezone, after.timezone, after.exchange, renamed, last.exchange);
      }
      // Whether an update of nothing is one is open.
      const before = await readProfile(t, user);
      const exchange = await changeProfile(t, user, {});
      const after = await readProfile(t, user);
      t.equal("USR-23", "the profile", after.own, before.own, before.exchange, exchange, after.exchange);
    });
  },
});

/** A user who has two sessions at once. */
export const twoSessions = check({
  id: "profiles.two-sessions",
  title: "A timezone that a user takes in one session shows in another one of theirs",
  rules: ["USR-20"],
  kind: "scenario",
  needs: ["session", "fresh-organization"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const [one, other] = await inTwoSessions(await t.tenant({ clock: "manual" }));
    // Both have read it before: who keeps what was read must not show it once it has changed.
    for (const session of [one, other]) await readProfile(t, session);
    for (const [index, [changing, reading]] of [[one, other] as const, [other, one] as const].entries()) {
      const timezone = timezones[index] ?? timezones[0];
      const exchange = t.control(await changeProfile(t, changing, { timezone }), "changing the timezone");
      const own = await profileShowing(t, changing, timezone);
      if (own.timezone !== timezone)
        throw new Blocked("the session that set it shows no such timezone", "see profiles.timezone first", "server");
      const shown = await profileShowing(t, reading, timezone);
      t.equal("USR-20", "timezone in the other session", shown.timezone, timezone, exchange, shown.exchange);
    }
  },
});

/** Users of two organizations, and of one. */
export const apart = usersApart({
  area: "profiles",
  none: "no profile",
  across: "USR-21",
  within: "USR-22",
  judge: judgeApart,
});

/** What else such a refusal may change than what the user is shown. */
export const refusedTimezone = withoutEffect({
  operation: "updateProfile",
  row: "InvalidTimezone",
  needs: ["session"],
  effects: ["creates"],
  draws: {},
  async begin(t) {
    const tenant = await t.tenant();
    const user = await userOf(tenant);
    await readProfile(t, user);
    const [timezone] = noTimezones;
    // Something that is sound stands beside it, where the target takes it for that.
    const isNamed = answeredBy(await changeProfile(t, user, { name: "Kit", timezone }), "InvalidTimezone");
    const wish = t.shapeRequest("updateProfile", isNamed ? { name: "Kits", timezone } : { timezone });
    const body = t.withExtra("updateProfile", wish, "second") ?? wish;
    return { tenant, send: () => t.call("updateProfile", { body }, user) };
  },
});
