/** A path, and perhaps a query, in which nothing is to be mended. */
const usual = /^\/[^%#]*$/;

/**
 * The target of a request as a path that can be routed, whatever a client sent. The absolute form (RFC 9112, 3.2.2)
 * loses its scheme and host. A percent sign that begins no valid escape stands for itself, so that a path which cannot
 * be decoded goes the way of every other: it is an unknown path, or a malformed parameter of a known one.
 */
export function routableUrl(target: string): string {
  if (usual.test(target)) return target;
  const [path = "", ...query] = target
    .replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, "")
    .replace(/#.*$/s, "")
    .split("?");
  const rooted = path.startsWith("/") ? path : `/${path}`;
  return [rooted.split("/").map(decodable).join("/"), ...query].join("?");
}

function decodable(segment: string): string {
  try {
    decodeURIComponent(segment);
    return segment;
  } catch {
    return segment.replaceAll("%", "%25");
  }
}
