import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import type { NotificationsByChannel } from "../../domain/notifications/notification-settings.ts";
import type { Mutant } from "../edit.ts";
import { storing } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { working } from "../unit-changes.ts";
import { inPlaceOf, isRefusal, onAnswer, onData, onRequest, parsed, refusedWith, withBody } from "../wire.ts";
import { bodyOf, withRequestBody } from "../wire-requests.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const settings = "domain/notifications/notification-settings.ts";

/** Changes the details of a refusal. */
const onDetails = (row: "UnknownNotificationKey" | "ImmutableNotificationKey", change: (details: object) => object) =>
  onAnswer("updateNotifications", (answer) => {
    if (!isRefusal(answer, row)) return answer;
    const { error, ...others } = Object(parsed(answer.bytes));
    return withBody(answer, { ...others, error: { ...error, details: change(Object(error.details)) } });
  });

/** Does what it can of a change, and then refuses it. */
const halfOf = (isRefused: string, kept: string) => `if ("row" in changed) {
          if (${isRefused}) await tx.notifications.put(user, { email: { ...known.email, ...${kept} } });
          return changed;
        }`;

/** Servers that know settings that there are not, set what nobody can, or mix users up. */
export const notificationMutants: readonly Mutant[] = [
  mutant(
    "USR-04",
    "any",
    "overlooks channels that it does not know",
    settings,
    'unknown[channel] = "is no channel"',
    "void channel",
  ),
  mutant(
    "USR-04",
    "alone",
    "overlooks unknown channels beside one that it knows",
    settings,
    'unknown[channel] = "is no channel"',
    'void (change.email ?? (unknown[channel] = "is no channel"))',
  ),
  wireMutant(
    "USR-04",
    "invalid",
    "calls an unknown channel an invalid field",
    onAnswer("updateNotifications", (answer, request) =>
      isRefusal(answer, "UnknownNotificationKey") && !("email" in Object(bodyOf(request)))
        ? refusedWith(answer, refuse.ValidationFailed("It is not valid.", { body: "has a field too many" }))
        : answer,
    ),
  ),
  mutant(
    "USR-05",
    "any",
    "keeps whatever toggle it is sent",
    settings,
    "!Object.hasOwn(usualNotifications[channel], toggle)",
    "false",
  ),
  mutant(
    "USR-05",
    "inherited",
    "knows toggles that every object has",
    settings,
    "!Object.hasOwn(usualNotifications[channel], toggle)",
    "!(toggle in usualNotifications[channel])",
  ),
  mutant(
    "USR-05",
    "off",
    "overlooks that an unknown toggle is turned off",
    settings,
    "!Object.hasOwn(usualNotifications[channel], toggle)",
    "!Object.hasOwn(usualNotifications[channel], toggle) && toggles[toggle]",
  ),
  wireMutant(
    "USR-05",
    "immutable",
    "says that an unknown toggle cannot be changed",
    inPlaceOf(
      "updateNotifications",
      "UnknownNotificationKey",
      refuse.ImmutableNotificationKey("It cannot be changed.", { "email.bylaw": "cannot be changed" }),
    ),
  ),
  wireMutant(
    "USR-06",
    "toggle",
    "names the toggle without its channel",
    onDetails("UnknownNotificationKey", (details) =>
      Object.fromEntries(Object.entries(details).map(([key, why]) => [key.split(".").at(-1), why])),
    ),
  ),
  wireMutant(
    "USR-06",
    "channel",
    "names the channel of an unknown toggle alone",
    onDetails("UnknownNotificationKey", (details) =>
      Object.fromEntries(Object.entries(details).map(([key, why]) => [key.split(".")[0], why])),
    ),
  ),
  wireMutant(
    "USR-06",
    "list",
    "lists unknown keys under one name",
    onDetails("UnknownNotificationKey", (details) => ({ unknown: Object.keys(details).join(", ") })),
  ),
  wireMutant(
    "USR-06",
    "no-reason",
    "gives no reason",
    onDetails("UnknownNotificationKey", (details) => Object.fromEntries(Object.keys(details).map((key) => [key, ""]))),
  ),
  mutant("USR-07", "settable", "lets everything be set", settings, "key === constants.immutableNotification", "false"),
  mutant(
    "USR-07",
    "on",
    "minds security alerts only where they are turned off",
    settings,
    "key === constants.immutableNotification",
    "key === constants.immutableNotification && !toggles[toggle]",
  ),
  mutant(
    "USR-07",
    "same",
    "minds security alerts only where they are to be another than they are",
    settings,
    "key === constants.immutableNotification",
    "key === constants.immutableNotification && toggles[toggle] !== settings[channel][toggle]",
  ),
  mutant(
    "USR-07",
    "beside",
    "minds security alerts only where nothing else is set",
    settings,
    "key === constants.immutableNotification",
    "key === constants.immutableNotification && Object.keys(toggles).length === 1",
  ),
  wireMutant(
    "USR-07",
    "silent",
    "leaves security alerts out of a change, and says nothing",
    onRequest("updateNotifications", (request) => {
      const { email, ...others } = Object(bodyOf(request));
      const { security_alerts: left, ...toggles } = Object(email);
      return left === undefined ? request : withRequestBody(request, { ...others, email: toggles });
    }),
  ),
  wireMutant(
    "USR-07",
    "unknown",
    "says that there are no security alerts",
    inPlaceOf(
      "updateNotifications",
      "ImmutableNotificationKey",
      refuse.UnknownNotificationKey("There is no such notification.", { [constants.immutableNotification]: "is none" }),
    ),
  ),
  wireMutant(
    "USR-07",
    "toggle",
    "names the toggle without its channel",
    onDetails("ImmutableNotificationKey", (details) =>
      Object.fromEntries(Object.entries(details).map(([key, why]) => [key.split(".").at(-1), why])),
    ),
  ),
  wireMutant(
    "USR-07",
    "channel",
    "names the channel alone",
    onDetails("ImmutableNotificationKey", () => ({ email: "cannot be changed" })),
  ),
  mutant(
    "USR-08",
    "beside-unknown",
    "sets what it knows beside what it refuses",
    "routes/notifications.ts",
    'if ("row" in changed) return changed;',
    halfOf(
      'changed.row === "UnknownNotificationKey" && body.email !== undefined',
      "Object.fromEntries(Object.entries(body.email ?? {}).filter(([name]) => Object.hasOwn(usualNotifications.email, name) && name !== 'security_alerts'))",
    ),
  ),
  mutant(
    "USR-08",
    "beside-immutable",
    "sets what stands beside security alerts, and refuses then",
    "routes/notifications.ts",
    'if ("row" in changed) return changed;',
    halfOf(
      'changed.row === "ImmutableNotificationKey"',
      "Object.fromEntries(Object.entries(body.email ?? {}).filter(([name]) => name !== 'security_alerts'))",
    ),
  ),
  mutant(
    "USR-08",
    "usual-notifications",
    "takes the usual settings in place of those that it refuses",
    "routes/notifications.ts",
    'if ("row" in changed) return changed;',
    'if ("row" in changed) { await tx.notifications.put(user, { email: { ...usualNotifications.email, billing: !known.email.billing } }); return changed; }',
  ),
  mutant(
    "USR-08",
    "refused-all-the-same",
    "sets security alerts, and refuses then",
    "routes/notifications.ts",
    'if ("row" in changed) return changed;',
    halfOf('changed.row === "ImmutableNotificationKey"', "body.email"),
  ),
  wireMutant("USR-05", "null", "overlooks toggles that are set to null", (serve) => (request) => {
    const { email, ...others } = Object(bodyOf(request));
    if (request.operation !== "updateNotifications" || typeof email !== "object" || email === null)
      return serve(request);
    const set = Object.fromEntries(Object.entries(email).filter(([, value]) => value !== null));
    return serve(withRequestBody(request, { ...others, email: set }));
  }),
  mutantOf("USR-30", "forgotten", "keeps no change", [
    working(() => (tx) => ({ notifications: withMembers(tx.notifications, { put: async () => {} }) })),
  ]),
  wireMutant(
    "USR-30",
    "usual",
    "shows every notification as on",
    onData("getNotifications", (data) => ({
      ...data,
      email: Object.fromEntries(Object.keys(Object(data.email)).map((name) => [name, true])),
    })),
  ),
  mutantOf("USR-30", "all", "turns all notifications over with one", [
    working(() => (tx) => ({
      notifications: withMembers(tx.notifications, {
        put(user, { email }) {
          const { security_alerts, ...own } = email;
          const isOff = Object.values(own).includes(false);
          const all = Object.fromEntries(Object.keys(own).map((name) => [name, !isOff]));
          return tx.notifications.put(user, { email: { ...email, ...all } });
        },
      }),
    })),
  ]),
  mutantOf("USR-31", "shared", "has one set of notifications for everybody", [
    {
      ports(ports) {
        let last: NotificationsByChannel | null = null;
        const noting = working(() => (tx) => ({
          notifications: withMembers(tx.notifications, {
            async put(user, changed) {
              await tx.notifications.put(user, changed);
              last = changed;
            },
          }),
        }));
        const showing = storing((store) => ({
          notifications: async (organizationId, id) => last ?? store.notifications(organizationId, id),
        }));
        return noting.ports(showing.ports(ports));
      },
    },
  ]),
  ...(["USR-31", "USR-32"] as const).map((rule) =>
    mutant(
      rule,
      "usual",
      "sets what a user sets in the settings that everybody begins with",
      settings,
      "return { email: { ...settings.email, ...change.email } };",
      "return { email: Object.assign(settings.email, change.email) };",
    ),
  ),
];
