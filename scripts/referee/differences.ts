/** A request that the referee cannot judge, so that it goes to the server itself. */
export interface Difference {
  readonly id: string;
  readonly reason: string;
  readonly applies: (request: { readonly contentType: string | undefined; readonly body: string }) => boolean;
}

/** All that Prism does otherwise than a proxy should. Nothing else is kept from it. */
export const differences: readonly Difference[] = [
  {
    id: "broken-json",
    reason:
      "Prism reads a body that is declared as JSON before it forwards the request, and never answers when that fails: it waits for the end of a request that has ended already.",
    applies: ({ contentType, body }) => isDeclaredJson(contentType) && body !== "" && !isJson(body),
  },
  {
    id: "json-without-members",
    reason:
      "Prism forwards a JSON text without its quotes, and no body at all where the JSON is an empty text, 0, false or null.",
    applies: ({ body }) => isJson(body) && !/^\s*[[{]/.test(body),
  },
  {
    id: "no-media-type",
    reason: "Prism answers 500 itself where the content type isn't a type and a subtype, and forwards nothing.",
    applies: ({ contentType }) => contentType !== undefined && !contentType.includes("/"),
  },
];

/** As Prism tells them. */
function isDeclaredJson(contentType = ""): boolean {
  return /^application\/([^;]+\+)?json\s*(;|$)/i.test(contentType.trim());
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
