import { check } from "../../context/check.ts";
import { rowNamed, rowsWithCode } from "../../exchange/admits.ts";
import { codeOf, errorOf, isSuccess, statusOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked, NotApplicable } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { pictureUpload } from "../../steps/media.ts";

/** An upload where nobody may be there to carry what is uploaded. */
export const mediaUpload = check({
  id: "messages.media-upload",
  title: "An upload says so while multimedia messages are unavailable",
  rules: ["MSG-50", "AUTH-01"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant()).main();
    const exchange = await t.call("uploadMedia", pictureUpload, main);
    if (isSuccess(exchange)) throw new NotApplicable("the target takes multimedia messages");
    // What an upload sends is open, and this one may be refused for what it is.
    if (statusOf(exchange) !== rowNamed("MmsDisabled").referenceStatus)
      throw new Blocked(
        `an upload was answered ${summaryOf(exchange)}`,
        "see how the target wants uploads: the contract does not show it",
      );
    t.verify("MSG-50", answeredBy(exchange, "MmsDisabled") && errorOf(exchange)?.details === undefined, {
      expected: `${rowNamed("MmsDisabled").code} without details, where no upload is taken`,
      admits: ["MmsDisabled"],
      actual: `${summaryOf(exchange)}${errorOf(exchange)?.details === undefined ? "" : " with details"}`,
      exchanges: [exchange],
      // The server may be unavailable for another reason, of which it tells by a code that was added.
      warnOnly: codeOf(exchange) !== null && rowsWithCode(codeOf(exchange) ?? "").length === 0,
    });
    // Whether it says so before it looks at what a key may do is open; who has none is nobody, whatever is offered.
    t.refused("AUTH-01", await t.attempt("uploadMedia", pictureUpload, null), "Unauthorized");
  },
});
