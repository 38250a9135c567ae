import type { RuleId } from "../../generated/rules.ts";
import { userOf } from "../context/caller-of.ts";
import { type Check, check } from "../context/check.ts";
import type { CheckContext } from "../context/context.ts";
import type { Credential } from "../provision/tenant.ts";
import { differentUsers, twoUsersOf } from "./profile.ts";

/** What each user has of their own. */
export interface UsersOwn<Across extends RuleId, Within extends RuleId> {
  /** Of the checks, such as "profiles". */
  readonly area: string;
  /** What is changed, in titles: "no profile". */
  readonly none: string;
  /** That a user changes nothing in another organization. */
  readonly across: Across;
  /** That a user changes nothing of another one of the organization. */
  readonly within: Within;
  /** Decides whether what the first changes leaves what the other has. */
  readonly judge: <Rule extends Across | Within>(
    t: CheckContext<Rule>,
    rule: Rule,
    users: readonly [Credential, Credential],
  ) => Promise<void>;
}

/** What one user changes leaves alone what users of another organization have, and another one of the same. */
export const usersApart = <Across extends RuleId, Within extends RuleId>({
  area,
  none,
  across,
  within,
  judge,
}: UsersOwn<Across, Within>): readonly Check[] => [
  check({
    id: `${area}.apart`,
    title: `What a user changes changes ${none} in another organization`,
    rules: [across],
    kind: "scenario",
    needs: ["session", "other-organization", "fresh-organization"],
    effects: ["creates"],
    draws: {},
    async run(t) {
      const user = await userOf(await t.tenant());
      const stranger = await userOf(await t.otherTenant());
      await differentUsers(t, user, stranger);
      await judge(t, across, [user, stranger]);
    },
  }),
  check({
    id: `${area}.apart-within`,
    title: `What a user changes changes ${none} of another user of the organization`,
    rules: [within],
    kind: "scenario",
    needs: ["session", "fresh-organization"],
    effects: ["creates"],
    draws: {},
    async run(t) {
      await judge(t, within, await twoUsersOf(t, await t.tenant()));
    },
  }),
];
