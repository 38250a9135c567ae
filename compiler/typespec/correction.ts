import { type Diagnostic, getSourceLocation, NoTarget, type Program } from "@typespec/compiler";
import { declarationsIn } from "../lint/declarations.ts";
import { nearestName } from "../text/nearest-name.ts";

/** "Write Scope.webhooksRead." for a name that nothing has and that is near one; null for any other diagnostic. */
export function correction({ code, target, message }: Diagnostic, program: Program): string | null {
  if (code !== "invalid-ref" || target === NoTarget) return null;
  const wrong =
    /(?:Unknown identifier|doesn't have member|doesn't have a? ?(?:property|operation)(?: named)?) '?(\w+)'?$/.exec(
      message,
    )?.[1];
  const location = getSourceLocation(target);
  if (wrong === undefined || location === undefined) return null;
  const written = /^[\w.]+/.exec(location.file.text.slice(location.pos))?.[0] ?? wrong;
  const holder = written.endsWith(`.${wrong}`) ? written.slice(0, -wrong.length) : "";
  const sources = [...program.sourceFiles.values()].map(({ file }) => ({ file: file.path, text: file.text }));
  const names = [...declarationsIn(sources).keys()].filter((name) => isOfOneKind(name.split(".").at(-1) ?? "", wrong));
  const members = names.filter((name) => name.startsWith(holder) && !name.slice(holder.length).includes("."));
  // What an interface holds is known by its own name.
  const [known, prefix] = members.length > 0 ? [members, ""] : [names.filter((name) => !name.includes(".")), holder];
  const nearest = nearestName(members.length > 0 ? holder + wrong : wrong, known);
  return nearest === null ? null : `Did you mean ${prefix}${nearest}?`;
}

/** Types begin with a capital, operations and values do not; who meant the same name may have forgotten that. */
function isOfOneKind(name: string, other: string): boolean {
  const isCapital = (text: string): boolean => /^[A-Z]/.test(text);
  return isCapital(name) === isCapital(other) || name.toLowerCase() === other.toLowerCase();
}
