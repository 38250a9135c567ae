import type { SentRequest } from "../exchange/exchange.ts";
import { shellQuoted } from "./shell-quoted.ts";

/** The request as a command for a POSIX shell. Redacted secrets appear as variables that the shell fills in. */
export function curlOf(request: SentRequest): string {
  const { piped, words } = curlWords(request, { named: expanded, other: shellQuoted });
  const command = `curl --include ${words.join(" \\\n  ")}`;
  return piped === null ? command : `${piped} | ${command}`;
}

/** How the parts of a request are written for a shell. */
export interface Quoting {
  /** Address and credential, which may hold the names of secrets. */
  readonly named: (text: string) => string;
  readonly other: (text: string) => string;
}

/** What curl is called with for a request, and the command whose output is the body where no word can hold that. */
export function curlWords(
  request: SentRequest,
  quoting: Quoting,
): { readonly words: readonly string[]; readonly piped: string | null } {
  const { method, url, headers, repeatedHeaders = [], body, bodyBase64 } = request;
  const piped = pipedBody(body, bodyBase64);
  const words = [
    method === "HEAD" ? "--head" : method === "GET" && body === null ? null : `--request ${shellQuoted(method)}`,
    /[[\]{}]/.test(url.replace(placeholder, "")) ? "--globoff" : null,
    /\/\.{1,2}(\/|$)/.test(url) ? "--path-as-is" : null,
    quoting.named(url),
    ...[...Object.entries(headers), ...repeatedHeaders].flatMap(([name, value]) =>
      isImplied(name) ? [] : [`--header ${header(name, value, quoting)}`],
    ),
    body !== null && !Object.keys(headers).some((name) => name.toLowerCase() === "content-type")
      ? "--header 'content-type:'"
      : null,
    body === null ? null : piped !== null ? "--data-binary @-" : `--data-raw ${quoting.other(body)}`,
  ];
  return { words: words.filter((word) => word !== null), piped };
}

/** Blanks behind a body that are told by their number. */
const manyBlanks = 1000;

/** The command that writes a body which cannot stand in an argument; null for one that can. */
function pipedBody(body: string | null, bodyBase64: string | undefined): string | null {
  if (bodyBase64 !== undefined) return `printf '%s' ${shellQuoted(bodyBase64)} | base64 -d`;
  if (body === null) return null;
  const text = body.trimEnd();
  const blanks = body.length - text.length;
  // No shell takes an argument as long as that.
  if (blanks > manyBlanks && !hasControls(body) && body.endsWith(" ".repeat(blanks)))
    return `printf '%s%${blanks}s' ${shellQuoted(text)} ''`;
  return hasControls(body) ? `printf '%b' ${shellQuoted(escaped(body))}` : null;
}

/** How redaction writes the name of a secret. */
const placeholder = /\$\{\w+\}/g;

/** Headers that curl writes by itself. */
const isImplied = (name: string): boolean => /^(host|connection|content-length)$/i.test(name);

function header(name: string, value: string, { named, other }: Quoting): string {
  if (value === "") return shellQuoted(`${name};`);
  return (name.toLowerCase() === "authorization" ? named : other)(`${name}: ${value}`);
}

/** Quoted, but for the names of secrets, which the shell replaces; of `names` alone where they are given. */
export function expanded(text: string, names?: ReadonlySet<string>): string {
  const isName = (part: string): boolean => /^\$\{\w+\}$/.test(part) && (names?.has(part.slice(2, -1)) ?? true);
  const parts = text.split(/(\$\{\w+\})/).filter((part) => part !== "");
  if (parts.length > 1 && names === undefined && /^[\w./:@%+,=\- ]*$/.test(text.replace(placeholder, "")))
    return `"${text}"`;
  return parts.map((part) => (isName(part) ? `"${part}"` : shellQuoted(part))).join("");
}

const hasControls = (text: string): boolean => /[^\P{Cc}\n\t]/u.test(text);

/** As the format %b of printf reads it; zero bytes cannot stand in an argument. */
const escaped = (text: string): string =>
  text
    .replaceAll("\\", "\\\\")
    .replace(/\p{Cc}/gu, (c) =>
      [...new TextEncoder().encode(c)].map((byte) => `\\0${byte.toString(8).padStart(3, "0")}`).join(""),
    );
