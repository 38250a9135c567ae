import { describe, expect, it } from "vitest";
import { expiredPage, openPage, plainPage, submittedPage } from "./hosted-form-page.ts";

const form = { senderName: `Tom & <script>alert("1")</script> 'Co'`, phoneNumber: "+12025550130" };
const pages = [openPage(form, false), openPage(form, true), submittedPage(form), expiredPage(form)];

describe("a page of a hosted form", () => {
  it("shows the sender's name as text", () => {
    for (const page of pages) {
      expect(page).toContain("Tom &amp; &lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &#39;Co&#39;");
      expect(page).not.toContain("<script");
    }
    expect(plainPage("<b>", "&")).toMatch(/<h1>&lt;b&gt;<\/h1>\s*<p>&amp;<\/p>/);
  });

  it("shows the last digits of the number and no more of it", () => {
    for (const page of pages.slice(0, 3)) expect(page).toContain("<strong>0130</strong>");
    for (const page of pages) expect(page).not.toContain("202555");
  });

  it("wants a tick, and says so to who has sent it without one", () => {
    const [open = "", incomplete = ""] = pages;
    expect(open).toMatch(/<label><input type="checkbox" name="agree" value="yes" required>/);
    expect(open).not.toContain('role="alert"');
    expect(incomplete).toContain('role="alert"');
    expect(incomplete).toContain('aria-describedby="error"');
  });

  it("names its language, its title and the width of the screen", () => {
    for (const page of pages) {
      expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
      expect(page).toMatch(/<title>[^<]+<\/title>/);
      expect(page).toContain('content="width=device-width, initial-scale=1"');
    }
  });
});
