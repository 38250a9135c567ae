import { arguableMiss, changesOf, miss, type NearMiss } from "./near-miss.ts";

/**
 * Near misses of a name of two parts or more, such as a scope or an event type, that no server has among its own. A
 * separator is a colon or a dot. Other cases and blanks at the ends are arguable, as a server may overlook them.
 */
export function nameNearMisses(name: string): readonly NearMiss[] {
  const [separator = ""] = /[:.]/.exec(name) ?? [];
  const at = name.indexOf(separator);
  const [area, action] = [name.slice(0, at), name.slice(at + 1)];
  return changesOf(name, [
    miss("its last character left out", name.slice(0, -1)),
    miss("its first character left out", name.slice(1)),
    miss("a character more at its end", `${name}x`),
    miss("a character more at its start", `x${name}`),
    miss("a character within changed", `${name.charAt(0)}${name.charAt(1) === "q" ? "z" : "q"}${name.slice(2)}`),
    miss("its first part alone", area),
    miss("its first part and the separator alone", area + separator),
    miss("its last part and the separator alone", separator + action),
    miss("another separator", `${area}${separator === ":" ? "." : ":"}${action}`),
    miss("the separator twice", `${area}${separator}${separator}${action}`),
    miss("a blank within", `${area}${separator} ${action}`),
    miss("itself once more behind a blank", `${name} ${name}`),
    miss("itself once more behind a comma", `${name},${name}`),
    arguableMiss("all in upper case", name.toUpperCase()),
    arguableMiss("its first letter in upper case", name.charAt(0).toUpperCase() + name.slice(1)),
    arguableMiss("a blank behind it", `${name} `),
    arguableMiss("a blank before it", ` ${name}`),
    arguableMiss("a line break behind it", `${name}\n`),
    arguableMiss("a joker for its last part", `${area}${separator}*`),
  ]);
}
