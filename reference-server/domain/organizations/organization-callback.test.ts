import { expect, it } from "vitest";
import { validSecrets } from "./organization-callback.ts";

const secrets = {
  current: "c",
  previous: [
    { secret: "b", validUntil: 300 },
    { secret: "a", validUntil: 200 },
  ],
};

it("a callback is signed by every secret that is still valid, in the chosen order", () => {
  const at = (now: number, graceSignatures: "new-first" | "previous-first" = "new-first") =>
    validSecrets(secrets, now, { graceSignatures }).join("");
  expect([at(100), at(200), at(201), at(300), at(301)]).toEqual(["cba", "cba", "cb", "cb", "c"]);
  expect([at(100, "previous-first"), at(301, "previous-first")]).toEqual(["bac", "c"]);
});
