import { refuse } from "../../../generated/error-rows.ts";
import { type OperationId, operations } from "../../../generated/operations.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { Mutant } from "../edit.ts";
import { inPlaceOf, isRefusal, onAnswer, parsed, withBody } from "../wire.ts";
import { mutant, wireMutant } from "./mutant.ts";

const authorize = "http/authorize.ts";
const find = 'caller.kind === "session" ? null : refuse.UserRequired("Only a signed-in user may do this.")';

/** Asks for a user unless this holds. */
const unless = (condition: string): string => `${condition} ? null : ${find}`;

const rules: readonly (readonly [RuleId, OperationId])[] = [
  ["AUTH-16", operations.getNotifications.id],
  ["AUTH-17", operations.updateNotifications.id],
  ["AUTH-18", operations.createLegalAcceptance.id],
];

/** Servers that take keys where a signed-in user is wanted, or refuse them otherwise than they should. */
export const usersOnlyMutants: readonly Mutant[] = [
  ...rules.flatMap(([rule, id]) => [
    mutant(rule, "any", "serves keys", authorize, find, unless(`routeOf(exchange).operation.id === "${id}"`)),
    mutant(
      rule,
      "wide",
      "serves keys that hold many scopes",
      authorize,
      find,
      unless(`routeOf(exchange).operation.id === "${id}" && caller.kind === "key" && caller.scopes.size > 6`),
    ),
    wireMutant(
      rule,
      "forbidden",
      "says of a key that it lacks a scope",
      inPlaceOf(id, "UserRequired", refuse.Forbidden("A scope is missing.")),
    ),
    wireMutant(
      rule,
      "unauthorized",
      "knows no keys",
      inPlaceOf(
        id,
        "UserRequired",
        refuse.Unauthorized('Authentication failed. Send a valid key as "Authorization: Bearer <key>".'),
      ),
    ),
    wireMutant(
      rule,
      "platform",
      "asks for staff",
      inPlaceOf(id, "UserRequired", refuse.PlatformRequired("Only platform staff may do this.")),
    ),
    wireMutant(
      rule,
      "missing",
      "finds nothing there for a key",
      inPlaceOf(id, "UserRequired", refuse.NotFound("There is nothing at this path.")),
    ),
    wireMutant(
      "AUTH-19",
      `details-${id}`,
      "details the refusal of a key",
      onAnswer(id, (answer) => {
        if (!isRefusal(answer, "UserRequired")) return answer;
        const { error, ...others } = Object(parsed(answer.bytes));
        return withBody(answer, { ...others, error: { ...error, details: { authorization: "is a key" } } });
      }),
    ),
  ]),
  mutant(
    "AUTH-20",
    "staff",
    "takes nobody for a user but staff",
    authorize,
    find,
    find.replace('caller.kind === "session"', "isStaff(caller)"),
  ),
];
