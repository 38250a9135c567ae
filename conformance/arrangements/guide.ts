import { settingSchema } from "./hook-schemas.ts";
import { waysToMeet } from "./offers.ts";
import type { HookDefinition, MemberSchema, Members, OrganizationSetting, Requirement } from "./requirement.ts";

/** What the kit can be given, as Markdown: what each need takes, and what each hook is asked and answers. */
export function arrangementsGuide(requirements: readonly Requirement[], hooks: readonly HookDefinition[]): string {
  const needs = requirements.map((one) => `| ${one.need} | ${waysToMeet(one).replace("give the kit ", "")} |`);
  const sections = hooks.map(({ name, says, unlocks, input, settings = [], answer }) =>
    [
      `### ${name}`,
      `${says} It unlocks ${unlocks}.`,
      list("Gets", input),
      ...(settings.length === 0 ? [] : [settingsList(settings)]),
      list("Answers", answer),
    ].join("\n\n"),
  );
  return `${[
    "# What the kit can be given",
    "Made of `conformance/arrangements`; [for implementers](for-implementers.md) tells how to use it.",
    "## What checks need",
    ["| need | one of these gives it, to a kit that has a key |", "| --- | --- |", ...needs].join("\n"),
    "## Hooks",
    "Each gets `hook`, its name, and `base_url` besides what is listed here.",
    ...sections,
  ].join("\n\n")}\n`;
}

function list(head: string, { properties, optional = [] }: Members): string {
  const members = Object.entries(properties).map(
    ([name, schema]) =>
      `- \`${name}\` (${typeText(schema)}${optional.includes(name) ? ", may be left out" : ""}): ${schema.description}`,
  );
  return members.length === 0 ? `${head}: nothing.` : [`${head}:`, "", ...members].join("\n");
}

const settingsList = (settings: readonly OrganizationSetting[]): string =>
  [
    "Settings, each of which it may be asked for together with others:",
    "",
    ...settings.map(({ name }) => `- \`${name}\`: ${String(settingSchema(name).description)}`),
  ].join("\n");

const typeText = ({ type, enum: values }: MemberSchema): string =>
  values === undefined ? [type].flat().join(" or ") : values.map((value) => JSON.stringify(value)).join(" or ");
