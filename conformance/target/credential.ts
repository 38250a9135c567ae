/** What keeps a text from being a bearer token, as a sentence that does not show it; null when nothing does. */
export function tokenDefect(token: string): { readonly message: string; readonly fix: string } | null {
  if (token.length > 4096)
    return { message: "The secret is longer than 4096 characters.", fix: "Give the secret alone." };
  if (/^bearer\s/i.test(token)) {
    return { message: 'The secret begins with "Bearer".', fix: "Leave that word out; the kit writes it." };
  }
  if (/^(["']).*\1$/.test(token)) {
    return { message: "The secret stands in quotation marks.", fix: "Leave them out." };
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    const message = "The secret holds spaces, line breaks or characters that no HTTP header can carry.";
    return { message, fix: "Copy it again, the secret alone." };
  }
  return null;
}
