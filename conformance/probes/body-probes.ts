import { headerOf } from "../exchange/exchange.ts";
import { exchangeIn, type Probe } from "./probe.ts";

/** A body of JSON that ends before it is whole. */
export const cutShort: Probe = {
  id: "cut-short",
  says(seen) {
    const exchange = exchangeIn(seen);
    if (exchange === null || exchange.outcome.kind === "lost") return null;
    const { json, text, truncated } = exchange.outcome;
    if (json !== undefined || truncated || !isUnfinished(text)) return null;
    const what = `the body of answer ${exchange.number} ends before it is whole`;
    const declared = headerOf(exchange, "content-length");
    const more = Buffer.byteLength(text) - text.length;
    const told = declared === null ? what : `${what}, after the ${declared} bytes that its Content-Length tells`;
    return more === 0 ? told : `${told}: it may be measured in characters, of which it has ${more} fewer than bytes`;
  },
};

/** Whether JSON begins there and does not end: a text, a list or an object is open where it stops. */
function isUnfinished(text: string): boolean {
  const open: string[] = [];
  let isText = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? "";
    if (isText) {
      if (character === "\\") index += 1;
      else if (character === '"') isText = false;
    } else if (character === '"') isText = true;
    else if (character === "{" || character === "[") open.push(character === "{" ? "}" : "]");
    else if ((character === "}" || character === "]") && open.pop() !== character) return false;
  }
  return /^\s*[[{]/.test(text) && (isText || open.length > 0);
}
