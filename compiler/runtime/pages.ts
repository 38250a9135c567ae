import { type Answer, type AnswerError, at } from "./transport.ts";

/** A page of a list was refused; what was said about it is in `answer`. */
export class PageRefused<Refused extends AnswerError = AnswerError> extends Error {
  readonly answer: Extract<Answer<never, Refused>, { readonly ok: false }>;

  constructor(answer: Extract<Answer<never, Refused>, { readonly ok: false }>) {
    super(`A page was refused: ${answer.status} ${answer.error.code}. ${answer.error.message}`);
    this.name = "PageRefused";
    this.answer = answer;
  }
}

/**
 * The pages of a list, each asked for when the one before is done with. `next` is the JSON Pointer of the cursor in a
 * page; without one, or with an empty one, the page was the last. Throws `PageRefused`, and an error where the server
 * gives a cursor that it gave before: its pages would never end.
 */
export async function* pages<Page, Refused extends AnswerError>(
  ask: (cursor: string | undefined) => Promise<Answer<Page, Refused>>,
  next: string,
): AsyncGenerator<Page, void, undefined> {
  const asked = new Set<string>();
  let cursor: string | undefined;
  for (;;) {
    const answer = await ask(cursor);
    if (!answer.ok) throw new PageRefused<Refused>(answer);
    yield answer.data;
    const found = at(answer.data, next);
    cursor = typeof found === "string" && found !== "" ? found : undefined;
    if (cursor === undefined) return;
    if (asked.has(cursor)) throw new Error(`The server gave the cursor ${JSON.stringify(cursor)} a second time.`);
    asked.add(cursor);
  }
}
