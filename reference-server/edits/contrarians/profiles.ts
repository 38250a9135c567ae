import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import { operations } from "../../../generated/operations.ts";
import type { Contrarian } from "../edit.ts";
import { onAnswer, onData, onRequest, refused, refusedWith } from "../wire.ts";
import { bodyOf, withRequestBody } from "../wire-requests.ts";

const isKey = (authorization: string | undefined): boolean =>
  authorization?.includes(` ${constants.liveKeyPrefix}`) === true;

/** A profile with the one name that Node lists of several of its zone; one under other names is left as it is. */
const listed: Parameters<typeof onData>[1] = (data) => {
  const { timezone } = data;
  if (typeof timezone !== "string") return data;
  return { ...data, timezone: new Intl.DateTimeFormat("en", { timeZone: timezone }).resolvedOptions().timeZone };
};

/** A profile under other names. */
const renamed = { id: "user", name: "full_name", timezone: "settings.tz" };

/** Servers that answer the questions on profiles in other ways. */
export const profileContrarians: readonly Contrarian[] = [
  {
    id: "Q37-users-only",
    does: "shows and changes profiles of users who are signed in, and of no key",
    answers: "Q37",
    changes: [
      {
        wire: (serve) => async (request) => {
          const isMeant = request.operation === "getProfile" || request.operation === "updateProfile";
          if (!isMeant || !isKey(request.headers.authorization)) return serve(request);
          // Whose key it is comes first.
          const { method, path } = operations.getProfile;
          const answer = await serve({ ...request, method, path, operation: "getProfile", bytes: Buffer.alloc(0) });
          return answer.status < 300 ? refusedWith(answer, refuse.UserRequired("Sign in first.")) : answer;
        },
      },
    ],
  },
  {
    id: "Q37-users-first",
    does: "lets no key at profiles, and says so before anything behind that can fail",
    answers: "Q37",
    changes: [
      {
        file: "http/outage.ts",
        find: `import { callerOf, type Step } from "./exchange.ts";`,
        replace: `import { refuse } from "../../generated/error-rows.ts";
import { callerOf, routeOf, type Step } from "./exchange.ts";`,
      },
      {
        file: "http/outage.ts",
        find: `const { organization } = callerOf(exchange);`,
        replace: `const { organization, kind } = callerOf(exchange);
    if (kind === "key" && routeOf(exchange).operation.errors.includes("UserRequired"))
      return refuse.UserRequired("Only a signed-in user may do this.");`,
      },
    ],
  },
  {
    id: "Q126-strict",
    does: "knows timezones in their usual case alone",
    answers: "Q126",
    changes: [
      {
        wire: onAnswer("updateProfile", (answer, request) => {
          const { timezone } = Object(bodyOf(request));
          return answer.status < 300 && typeof timezone === "string" && !/^[A-Z]/.test(timezone)
            ? refusedWith(answer, refuse.InvalidTimezone("There is no such timezone.", { timezone: "is none" }))
            : answer;
        }),
      },
    ],
  },
  {
    id: "Q126-listed",
    does: "shows a timezone under the name that libraries list its zone under, though it is an older one",
    answers: "Q126",
    changes: [{ wire: onData("getProfile", listed) }, { wire: onData("updateProfile", listed) }],
  },
  {
    id: "Q206-last-seen",
    does: "shows when a user was last seen",
    answers: "Q206",
    changes: [
      {
        wire: (serve) => {
          let calls = 0;
          const later = onData("getProfile", (data) => ({ ...data, last_seen: `call ${++calls}` }));
          return later(serve);
        },
      },
    ],
  },
  {
    id: "Q206-nameless",
    does: "knows no names of users",
    answers: "Q206",
    changes: [
      {
        wire: (serve) => async (request) => {
          const names = request.operation === "updateProfile" && "name" in Object(bodyOf(request));
          return names ? refused(refuse.ValidationFailed("Unknown field.", { name: "is not known" })) : serve(request);
        },
      },
      ...(["getProfile", "updateProfile"] as const).map((id) => ({
        wire: onData(id, ({ name: _, ...others }) => others),
      })),
    ],
  },
  {
    id: "Q206-shape",
    does: "takes and shows profiles under other names",
    answers: "Q206",
    shapes: {
      getProfile: { request: {}, response: renamed },
      updateProfile: { request: { timezone: "settings.tz", name: "full_name" }, response: renamed },
    },
    changes: [
      {
        wire: onRequest("updateProfile", (request) => {
          const body = bodyOf(request);
          // What has neither of them stays as wrong as it is.
          if (typeof body !== "object" || body === null || !("settings" in body || "full_name" in body)) return request;
          const { settings, full_name: name } = Object(body);
          return withRequestBody(request, { name, timezone: Object(settings).tz });
        }),
      },
      ...(["getProfile", "updateProfile"] as const).map((id) => ({
        wire: onData(id, ({ id: user, name, timezone }) => ({ user, full_name: name, settings: { tz: timezone } })),
      })),
    ],
  },
];
