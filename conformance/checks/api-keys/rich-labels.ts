import { check } from "../../context/check.ts";
import { dataOf, type Exchange, isSuccess, objectOf } from "../../exchange/exchange.ts";
import { NotApplicable } from "../../outcome/verdict.ts";
import { newLabel } from "../../provision/new-label.ts";
import { readScope } from "../../steps/grantable.ts";
import { wide } from "./valid-creations.ts";

/** What a label ends with, by what is special about it. Whether it is admitted is the target's choice. */
const richEndings: Readonly<Record<string, string>> = {
  "letters beyond ASCII": "Grüße, 東京 & Ελλάδα",
  "letters from right to left": "שלום مرحبا",
  "characters beyond the first plane": "𝒷𝓎𝓁𝒶𝓌 🏳️‍🌈 👩‍👩‍👧",
  "letters that look like others": "арi-kеy",
  "combining characters": "e\u0301 a\u030a",
  "characters that compatibility joins": "ﬁ ① Ⅳ ﬀ",
  "characters that JSON escapes": `"quoted" back\\slash / tab`,
  "a tab and a line break within": "a\tb\nc",
  "characters of markup": "<b>bold</b> &amp; &#39; <!-- -->",
  "characters of addresses": "%41+%2B ?a=1#b;c",
  "characters of templates": "{{7*7}} #{x} %s {0}",
  "a line separator and a zero-width joiner": "a\u2028b\u200dc",
  "several blanks within": "a   b",
  "blanks at its end": "blank  ",
  "what reads as a number": "007e3",
  "a line break within": "a\nb",
  "a NUL within": "a\u0000b",
  "an escape within": "a\u001b[31mb",
};

/** Labels that are special as a whole. */
const whole: Readonly<Record<string, string>> = {
  "one character": "x",
  "a digit": "0",
  "the word null": "null",
  "the word true": "true",
  "blanks at both ends": "  bylaw  ",
  "100 characters": "bylaw-".padEnd(100, "0123456789"),
  "100 characters beyond ASCII": "ß".repeat(100),
  "255 characters": "bylaw-".padEnd(255, "abc"),
};

/** Labels of every kind, created and read back. */
export const richLabels = check({
  id: "api-keys.rich-labels",
  title: "Whatever label is accepted comes back as it was sent, at once and later",
  rules: ["KEYC-11", "KEYC-38", "KEYG-04"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 1 + Object.keys(richEndings).length + Object.keys(whole).length },
  async run(t) {
    const main = await (await t.tenant({ limits: wide })).main();
    await t.createKey(main, [readScope]);
    const labels = [
      ...Object.entries(richEndings).map(([what, ending]) => [what, `${newLabel()} ${ending}`] as const),
      ...Object.entries(whole),
    ];
    const accepted: Accepted[] = [];
    for (const [what, label] of labels) {
      const created = await t.call("createApiKey", { body: { label, scopes: [readScope] } }, main);
      if (!isSuccess(created)) continue;
      const key = objectOf(dataOf(created)) ?? {};
      accepted.push({ what, label, created, shown: key.label });
      const read = t.control(await t.call("getApiKey", { path: { id: String(key.id) } }, main), "reading an own key");
      const own = { ...main, name: `key whose label is ${what}`, token: String(key.plaintext) };
      t.accepted("KEYC-11", await t.call("getApiKey", { path: { id: String(key.id) } }, own));
      t.equal("KEYG-04", `label with ${what}`, objectOf(dataOf(read))?.label, key.label, created, read);
    }
    const unchanged = accepted.filter(({ label, shown }) => shown === label).map(({ label }) => label);
    // A rule for labels is an open question (Q24): it may drop blanks or cut a long label.
    for (const { what, label, created, shown } of accepted)
      if (shown !== label && (isTidied(shown, label) || isCutByLength(shown, label, unchanged)))
        t.observe("KEYC-38", `a label with ${what} reads ${JSON.stringify(shown)}`, created);
      else
        t.verify("KEYC-38", shown === label, {
          expected: `a label with ${what} as it was sent: ${JSON.stringify(label)}`,
          actual: JSON.stringify(shown) ?? "none",
          exchanges: [created],
        });
    if (accepted.length === 0) throw new NotApplicable("the target accepts none but plain labels");
  },
});

/** A label that was accepted, and the one that the response shows. */
interface Accepted {
  readonly what: string;
  readonly label: string;
  readonly created: Exchange;
  readonly shown: unknown;
}

/** Removes differences that a rule for labels may cause: blanks at the ends, normal forms, control characters. */
const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .replaceAll(/\p{Cc}/gu, (character) => (/\s/.test(character) ? " " : ""))
    .trim()
    .replaceAll(/\s+/g, " ");

/** Returns true if a label differs in the blanks at its ends or in its normal form alone. */
function isTidied(shown: unknown, sent: string): boolean {
  if (typeof shown !== "string" || shown === "") return false;
  const tidied = (text: string): string => text.normalize("NFC").trim();
  return tidied(sent) === tidied(shown);
}

/** Units in which a server may count the length of a label. */
const lengths: readonly ((text: string) => number)[] = [
  (text) => text.length,
  (text) => [...text].length,
  (text) => graphemesOf(text).length,
  (text) => Buffer.byteLength(text),
];

const graphemesOf = (text: string): readonly string[] =>
  [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);

/** Returns true if a maximum length explains the cut: it must admit every label that the server returned whole. */
function isCutByLength(shown: unknown, sent: string, whole: readonly string[]): boolean {
  if (typeof shown !== "string" || shown === "" || !plain(sent).startsWith(plain(shown))) return false;
  const graphemes = graphemesOf(plain(sent).slice(plain(shown).length));
  const end = graphemes.findIndex((grapheme) => grapheme.trim() !== "");
  const longer = plain(shown) + graphemes.slice(0, end + 1).join("");
  return lengths.some((lengthOf) => whole.every((label) => lengthOf(label) < lengthOf(longer)));
}
