import type { Target } from "../target/target.ts";
import { type OrganizationSetting, offersNo, type Requirement, requirement } from "./requirement.ts";

/** An organization as the sandbox is asked to make it, or a hook that says it can. */
export const organizationSetting = <const Need extends string>(declared: {
  readonly need: Need;
  /** What a target without it does not offer. */
  readonly what: string;
  readonly setting: OrganizationSetting;
}): Requirement<Need> =>
  requirement({
    need: declared.need,
    lacking: offersNo(declared.what),
    setting: declared.setting,
    isMet: (target) => target.sandbox !== null || canSet(target, declared.setting),
  });

/** Whether a hook of the target makes organizations with that setting. */
export const canSet = ({ hooks }: Pick<Target, "hooks">, { name }: Pick<OrganizationSetting, "name">): boolean =>
  Object.values(hooks).some(({ settings = [] }) => settings.includes(name));
