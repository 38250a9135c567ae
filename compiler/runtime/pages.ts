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
 * page; without one, or with an empty one, the page was the last. Throws `PageRefused`.
 */
export async function* pages<Page, Refused extends AnswerError>(
  ask: (cursor: string | undefined) => Promise<Answer<Page, Refused>>,
  next: string,
): AsyncGenerator<Page, void, undefined> {
  let cursor: string | undefined;
  do {
    const answer = await ask(cursor);
    if (!answer.ok) throw new PageRefused<Refused>(answer);
    yield answer.data;
    const found = at(answer.data, next);
    cursor = typeof found === "string" && found !== "" ? found : undefined;
  } while (cursor !== undefined);
}
