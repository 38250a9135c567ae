/**
 * The pattern as JSON Schema's validators read it, with the flag `u`. Many documents have patterns that engines take without
 * the flag only (`[\w-.]`, `\_`): they are said anew, in the same meaning. Null where no engine of ECMA-262 takes the pattern,
 * or where it takes for a letter what its author means otherwise (`\A`, `\z`, `\h`).
 */
export function portablePattern(pattern: string): string | null {
  if (isTaken(pattern, "u")) return pattern;
  const rewritten = isTaken(pattern, "") ? saidAnew(pattern) : null;
  return rewritten !== null && isTaken(rewritten, "u") ? rewritten : null;
}

function isTaken(pattern: string, flags: string): boolean {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}

const tokens = /\\[\s\S]|\[\^?|[\s\S]/gu;
const quantifier = /^\{\d+(?:,\d*)?\}/;
const classEscape = /^\\[dDwWsS]$/;

function saidAnew(pattern: string): string | null {
  const all = [...pattern.matchAll(tokens)].map(([text]) => text);
  let isInClass = false;
  let isInCount = false;
  const said: string[] = [];
  for (const [at, token] of all.entries()) {
    if (token.startsWith("\\")) {
      const escaped = escapeSaid(token, isInClass);
      if (escaped === null) return null;
      said.push(escaped);
    } else if (isInClass) {
      // Beside an escape for many characters a hyphen is one, and no range.
      const isLone = token === "-" && [all[at - 1], all[at + 1]].some((other) => classEscape.test(other ?? ""));
      said.push(isLone ? "\\-" : /^\[/.test(token) ? token.replace("[", "\\[") : token);
      isInClass = token !== "]";
    } else {
      isInClass = token.startsWith("[");
      const isCount = token === "{" && quantifier.test(all.slice(at).join(""));
      const isLiteral = (token === "{" && !isCount) || (token === "}" && !isInCount) || token === "]";
      said.push(isLiteral ? `\\${token}` : token);
      isInCount = isCount || (isInCount && token !== "}");
    }
  }
  return said.join("");
}

/** An escape as it reads with the flag; null where it would be a letter without, or a code that stands for more. */
function escapeSaid(token: string, isInClass: boolean): string | null {
  const name = token.slice(1);
  if (/[dDwWsSbBfnrtv1-9]/.test(name)) return token;
  if (/[\^$\\.*+?()[\]{}|/]/.test(name) || (name === "-" && isInClass)) return token;
  return /[A-Za-z0-9]/.test(name) ? null : name;
}
