/** UUIDs that differ from this one in one digit each, in every group once; version and variant stay as they are. */
export const nearIds = (id: string): readonly string[] =>
  id.split("-").map((group, index, groups) => groups.with(index, withOtherEnd(group)).join("-"));

const withOtherEnd = (group: string): string =>
  `${group.slice(0, -1)}${((Number.parseInt(group.slice(-1), 16) + 1) % 16).toString(16)}`;
