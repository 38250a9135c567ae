import { check } from "../../context/check.ts";
import { respond } from "../../exchange/answer.ts";
import { Blocked, NotApplicable } from "../../outcome/verdict.ts";
import { deliverOne, eventIdOf } from "../../steps/deliver-one.ts";
import { createEndpoint } from "../../steps/endpoint.ts";
import type { AttemptRecord } from "../../steps/feed.ts";
import { attemptsAt, isSameId } from "../../steps/settle.ts";
import { isEmptyExcerpt, judgeExcerpt } from "./judge-excerpt.ts";

/** Text with no character that a format or an encoding treats in a special way. */
const plain = "plain text ".repeat(16).trim();

/** Short texts, each with one kind of character in its middle. */
const texts: Readonly<Record<string, string>> = {
  "a line break": "one\ntwo",
  "a carriage return and a line break": "one\r\ntwo",
  "a tab": "one\ttwo",
  "a quotation mark": 'one"two',
  "an apostrophe": "one'two",
  "a backslash": "one\\two",
  "the start of a tag": "one<two",
  "the end of a tag": "one>two",
  "an ampersand": "one&two",
  "a semicolon": "one;two",
  "a comma": "one,two",
  "a brace": "one}two",
  "a percent sign": "one%two",
  "several blanks": "one   two",
  "a letter beyond ASCII": "one\u00e4two",
  "a character of three bytes": "one\u65e5two",
  "a character beyond the first plane": "one\u{1f642}two",
  "a line separator": "one\u2028two",
};

/** Status of each response. */
const answered = 200;

/** Length to which an escaped form may grow each character, such as `\u00e4`. */
const escapedLength = 6;

/** Excerpts of bodies that are much shorter than the longest excerpt of the server. */
export const excerptText = check({
  id: "deliveries.excerpt-text",
  title: "The excerpt of a short response body is complete, for every kind of character",
  rules: ["WHL-13"],
  kind: "scenario",
  needs: ["receiver"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const owner = await (await t.tenant({ clock: "manual" })).main();
    const inbox = t.inbox();
    const endpoint = await createEndpoint(t, owner, { inbox });
    const headers = { "content-type": "text/plain; charset=utf-8" };
    const excerptOf = async (body: string): Promise<unknown> => {
      inbox.answer(respond(answered, { body, headers }));
      const delivery = await deliverOne(t, endpoint, inbox);
      const id = eventIdOf(delivery);
      const isOfEvent = ({ event_id, response_status: status }: AttemptRecord): boolean =>
        isSameId(event_id, id) && status === answered;
      const feed = await attemptsAt(t, endpoint, (records) => records.some(isOfEvent));
      const record = feed.records.find(isOfEvent);
      if (record === undefined) throw new Blocked("no record shows the response", "see WHL-09 first", "server");
      const excerpt = record.response_body_excerpt;
      if (body === plain && isEmptyExcerpt(excerpt)) return excerpt;
      // Blanks at the end may be cut.
      const isWhole = typeof excerpt === "string" && excerpt.trimEnd() === body.trimEnd();
      if (!judgeExcerpt(t, excerpt, body, delivery, feed) || body === plain) return excerpt;
      t.verify("WHL-13", isWhole, {
        expected: `the whole of ${JSON.stringify(body)}, which is shorter than another excerpt`,
        actual: JSON.stringify(excerpt) ?? "none",
        exchanges: feed.pages,
        deliveries: [delivery],
      });
      return excerpt;
    };
    const longest = await excerptOf(plain);
    const shown = typeof longest === "string" && plain.startsWith(longest) ? longest.length : 0;
    const short = Object.values(texts).filter((text) => Buffer.byteLength(text) * escapedLength <= shown);
    if (short.length === 0) throw new NotApplicable(`an excerpt of ${plain.length} characters has ${shown}`);
    for (const text of short) await excerptOf(text);
  },
});
