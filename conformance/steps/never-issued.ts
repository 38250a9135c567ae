/** A UUID that no record has, of the version of a real one: servers may tell versions apart before they look. */
export function neverIssued(like: string, random: () => number): string {
  const node = Array.from({ length: 12 }, () => Math.floor(random() * 16).toString(16)).join("");
  return like.slice(0, -12) + node;
}
