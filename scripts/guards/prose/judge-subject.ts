import { judgeProse } from "./judge-prose.ts";

const maxCharacters = 72;
const form = /^[a-z][\w./-]*(?:\([\w./-]+\))?!?: (\S.*)$/;

/** Problems of a commit's subject, such as "kit: report each warning once". */
export function judgeSubject(subject: string): readonly string[] {
  // Git itself writes this one.
  if (/^Revert "/.test(subject)) return [];
  const [, change = null] = form.exec(subject) ?? [];
  const problems = judgeProse({ line: 1, text: change ?? subject, isParagraph: false });
  return [
    ...(change === null ? ['begin with an area and a colon, as in "kit: report each warning once"'] : []),
    ...(subject.length > maxCharacters ? [`${subject.length} characters; at most ${maxCharacters}`] : []),
    ...problems.filter(({ kind }) => kind === "word" || kind === "clause").map(({ advice }) => advice),
  ];
}
