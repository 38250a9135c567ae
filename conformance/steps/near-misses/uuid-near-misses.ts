import { arguableMiss, changesOf, miss, type NearMiss } from "./near-miss.ts";

/**
 * Near misses of a UUID that are none themselves. Other ways to write one that some parsers read (RFC 9562 shows but the
 * one with hyphens) are arguable; its case is no near miss at all. `random` gives numbers from 0 up to 1.
 */
export function uuidNearMisses(uuid: string, random: () => number): readonly NearMiss[] {
  const groups = uuid.split("-");
  const within = (text: string): number => Math.floor(random() * text.length);
  const inGroup = (at: number, change: (group: string) => string): string =>
    groups.map((group, index) => (index === at ? change(group) : group)).join("-");
  const letters = "ghijklmnopqrstuvwxyzGHIJKLMNOPQRSTUVWXYZ";
  const bare = groups.join("");
  return changesOf(uuid, [
    ...groups.map((group, at) => {
      const [place, letter] = [within(group), letters.charAt(within(letters))];
      const change = () => group.slice(0, place) + letter + group.slice(place + 1);
      return miss(`the letter ${letter} in its group ${at + 1}`, inGroup(at, change));
    }),
    miss("its last digit left out", uuid.slice(0, -1)),
    miss("its first digit left out", uuid.slice(1)),
    miss("a digit more at its end", `${uuid}0`),
    miss("a digit more at its start", `0${uuid}`),
    miss("its last group left out", groups.slice(0, -1).join("-")),
    miss("a group more", `${uuid}-${groups.at(-1)}`),
    miss("another UUID right behind it", `${uuid}${uuid}`),
    arguableMiss("a digit moved from one end to the other", uuid.slice(1) + uuid.charAt(0)),
    arguableMiss("no hyphens", bare),
    arguableMiss("a hyphen left out", uuid.replace("-", "")),
    arguableMiss("braces around it", `{${uuid}}`),
    arguableMiss("a blank behind it", `${uuid} `),
    arguableMiss("a blank before it", ` ${uuid}`),
    arguableMiss("a line break behind it", `${uuid}\n`),
  ]);
}
