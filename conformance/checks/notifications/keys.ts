import { constants } from "../../../generated/constants.ts";
import { userOf } from "../../context/caller-of.ts";
import { check } from "../../context/check.ts";
import type { CheckContext, Evidence } from "../../context/context.ts";
import { type Exchange, errorOf, isSuccess, objectOf, summaryOf } from "../../exchange/exchange.ts";
import type { Credential } from "../../provision/tenant.ts";
import {
  changeChannels,
  changeNotifications,
  emailChange,
  immutableToggle,
  keepingNotifications,
  readNotifications,
  settableToggle,
  type Toggles,
} from "../../steps/notifications.ts";
import { withoutEffect } from "../../steps/without-effect.ts";

/** The channel of the toggles in the API document. */
const [emailChannel = ""] = constants.immutableNotification.split(".");

/** Names that no channel and no toggle has; JavaScript knows some of them of every object. */
const unknownNames = ["bylaw", "constructor", "toString", "email_bylaw"] as const;

/** Notification settings that there are not. */
export const unknownKeys = check({
  id: "notifications.unknown-keys",
  title: "A channel or toggle that does not exist is refused by its name, and nothing is changed",
  rules: ["USR-04", "USR-05", "USR-06", "USR-08"],
  kind: "scenario",
  needs: ["session"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const user = await userOf(await t.tenant());
    await keepingNotifications(t, [user], async () => {
      const [toggle, value] = await settableToggle(t, user);
      const judge = async (rule: "USR-04" | "USR-05", name: string, change: () => Promise<Exchange>) => {
        const before = await readNotifications(t, user);
        const exchange = await change();
        if (!t.refused(rule, exchange, "UnknownNotificationKey")) return;
        t.verify("USR-06", ...reasonFor(rule === "USR-05" ? [emailChannel, name] : [name], exchange));
        await judgeUnchanged(t, user, before, exchange);
      };
      for (const name of unknownNames) {
        const unknown = { [name]: { [toggle]: value } };
        const change = (toggles: Toggles) => () => changeNotifications(t, user, emailChange(toggles));
        await judge("USR-04", name, () => changeChannels(t, user, unknown));
        await judge("USR-04", name, () => changeChannels(t, user, unknown, { toggles: { [toggle]: !value } }));
        await judge("USR-05", name, change({ [name]: true }));
        await judge("USR-05", name, change({ [name]: false, [toggle]: !value }));
      }
      // Names of JSON are told apart by every character (RFC 8259, 8.3).
      const channel = (Object.keys(Object(emailChange({})))[0] ?? "").toUpperCase();
      await judge("USR-04", channel, () => changeChannels(t, user, { [channel]: { [toggle]: value } }));
      const upper = toggle.toUpperCase();
      await judge("USR-05", upper, () => changeNotifications(t, user, emailChange({ [upper]: value })));
      // What an unknown channel is set to may be wrong as well, and how that is refused first is open.
      const [name] = unknownNames;
      for (const nothing of [null, {}]) {
        const exchange = await changeChannels(t, user, { [name]: nothing });
        t.verify("USR-04", !isSuccess(exchange), {
          expected: `a refusal of the unknown channel ${name}, set to ${JSON.stringify(nothing)}`,
          actual: summaryOf(exchange),
          exchanges: [exchange],
        });
      }
      const email = { [name]: null, [toggle]: value };
      const exchange = await changeNotifications(t, user, emailChange(email));
      t.verify("USR-05", !isSuccess(exchange), {
        expected: `a refusal of the unknown toggle ${name}, set to null`,
        actual: summaryOf(exchange),
        exchanges: [exchange],
      });
    });
  },
});

/** The notification that nobody can set. */
export const immutableKey = check({
  id: "notifications.immutable-key",
  title: `${constants.immutableNotification} is set by nobody, to whatever, and nothing beside it`,
  rules: ["USR-07", "USR-08"],
  kind: "scenario",
  needs: ["session"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const user = await userOf(await t.tenant());
    await keepingNotifications(t, [user], async () => {
      const [toggle, value] = await settableToggle(t, user);
      for (const immutable of [false, true])
        for (const beside of [{}, { [toggle]: !value }]) {
          const before = await readNotifications(t, user);
          const change = emailChange({ ...beside, [immutableToggle]: immutable });
          const exchange = await changeNotifications(t, user, change);
          if (!t.refused("USR-07", exchange, "ImmutableNotificationKey")) continue;
          t.verify("USR-07", ...reasonFor(constants.immutableNotification.split("."), exchange));
          await judgeUnchanged(t, user, before, exchange);
        }
    });
  },
});

/** Whether the details of a refusal say something of the key, and what shows it. */
function reasonFor(names: readonly string[], exchange: Exchange): readonly [holds: boolean, evidence: Evidence] {
  const details = errorOf(exchange)?.details;
  // The notation of a key path is open: it contains the name of each key on the way.
  const reasons = Object.entries(objectOf(details) ?? {}).filter(([path]) =>
    names.every((name) => path.includes(name)),
  );
  return [
    reasons.some(([, reason]) => typeof reason === "string" && reason !== ""),
    {
      expected: `details that map a key path with ${names.join(" and ")} to a reason`,
      actual: JSON.stringify(details) ?? "none",
      exchanges: [exchange],
    },
  ];
}

async function judgeUnchanged(
  t: CheckContext<"USR-08">,
  user: Credential,
  before: Awaited<ReturnType<typeof readNotifications>>,
  refusal: Exchange,
): Promise<void> {
  const after = await readNotifications(t, user);
  t.equal("USR-08", "the notifications", after.toggles, before.toggles, before.exchange, refusal, after.exchange);
}

/** What else such refusals may change than what the user is shown. */
export const refusedKeys = (
  [
    ["UnknownNotificationKey", unknownNames[0]],
    ["ImmutableNotificationKey", immutableToggle],
  ] as const
).map(([row, name]) =>
  withoutEffect({
    operation: "updateNotifications",
    row,
    needs: ["session"],
    effects: ["creates"],
    draws: {},
    async begin(t) {
      const tenant = await t.tenant();
      const user = await userOf(tenant);
      const [toggle, value] = await settableToggle(t, user);
      const change = t.shapeRequest("updateNotifications", emailChange({ [toggle]: !value, [name]: false }));
      const body = t.withExtra("updateNotifications", change, "second") ?? change;
      return { tenant, send: () => t.call("updateNotifications", { body }, user) };
    },
  }),
);
