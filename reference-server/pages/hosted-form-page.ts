import { createHash } from "node:crypto";
import type { HostedForm } from "../domain/consent/hosted-form.ts";

/** What a page shows of its form. */
export type ShownForm = Pick<HostedForm, "senderName" | "phoneNumber">;

/** The name of the box that a recipient ticks, and its value. */
export const agreement = { name: "agree", value: "yes" } as const;

const style = `
:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5; }
body { margin: 0; padding: 1.5rem; }
main { max-width: 34rem; margin: 2rem auto; }
h1 { font-size: 1.6rem; line-height: 1.25; overflow-wrap: anywhere; }
p, label { overflow-wrap: anywhere; }
label { display: grid; grid-template-columns: auto 1fr; gap: 0.75rem; align-items: start; padding: 0.75rem 0; }
input { width: 1.5rem; height: 1.5rem; margin: 0; }
button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: 0.5rem 1.5rem; border: 0; border-radius: 0.375rem;
  color: #fff; background: #0b57d0; cursor: pointer; }
button:focus-visible, input:focus-visible { outline: 3px solid #f9ab00; outline-offset: 2px; }
.error { padding: 0.75rem; border-left: 4px solid #b3261e; background: light-dark(#fbe9e7, #3c1512); }
`;

/** Lets nothing but the page's own style in, and nothing else show the page within itself. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

/** The question itself. `isIncomplete` tells a recipient who has sent it without a tick. */
export function openPage({ senderName, phoneNumber }: ShownForm, isIncomplete: boolean): string {
  const sender = escaped(senderName);
  const error = isIncomplete
    ? '<p class="error" id="error" role="alert">Tick the box if you agree, or close this page if you do not.</p>'
    : "";
  const described = isIncomplete ? ' aria-describedby="error" aria-invalid="true"' : "";
  return page(
    `Text messages from ${sender}`,
    `<p>${sender} would like to send text messages to your number that ends with <strong>${lastDigits(phoneNumber)}</strong>.</p>
${error}<form method="post">
<label><input type="checkbox" name="${agreement.name}" value="${agreement.value}" required${described}>
<span>I agree to get text messages from ${sender} at this number.</span></label>
<p>Your carrier may charge you for messages. You can reply STOP to any of them to get no more.</p>
<button type="submit">Agree</button>
</form>`,
  );
}

export const submittedPage = ({ senderName, phoneNumber }: ShownForm): string =>
  page(
    "Thank you",
    `<p>You have agreed to get text messages from ${escaped(senderName)} at your number that ends with
<strong>${lastDigits(phoneNumber)}</strong>. Reply STOP to any of them to get no more.</p>`,
  );

export const expiredPage = ({ senderName }: ShownForm): string =>
  page("This page has expired", `<p>Ask ${escaped(senderName)} for a new one if you want to get text messages.</p>`);

/** A page that says why there is nothing to do. */
export const plainPage = (title: string, text: string): string => page(escaped(title), `<p>${escaped(text)}</p>`);

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;

/** Whoever gets hold of the page does not learn the number by it. */
const lastDigits = (phoneNumber: string): string => escaped(phoneNumber.slice(-4));

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** The text as HTML shows it, in content and in quoted attributes. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (one) => entities[one] ?? one);
