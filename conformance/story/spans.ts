const second = 1000;

/** What spans are told in, the longest first. */
const units = [
  { name: "d", size: 86_400 * second },
  { name: "h", size: 3600 * second },
  { name: "min", size: 60 * second },
  { name: "s", size: second },
] as const;

/** A span of time in its two longest units, such as "1 d 2 h" or "30 s"; below a second in milliseconds. */
export function spanText(milliseconds: number): string {
  const length = Math.abs(milliseconds);
  if (length < second) return `${length} ms`;
  const first = units.findIndex(({ size }) => length >= size);
  let rest = length;
  const parts = units.slice(first, first + 2).flatMap(({ name, size }) => {
    const times = Math.floor(rest / size);
    rest -= times * size;
    return times === 0 ? [] : [`${times} ${name}`];
  });
  return parts.join(" ");
}

/** A moment as what it is beside another that has a name, such as "next_send_at" or "now + 1 h". */
export function besideText(name: string, milliseconds: number): string {
  return milliseconds === 0 ? name : `${name} ${milliseconds < 0 ? "-" : "+"} ${spanText(milliseconds)}`;
}

/** Milliseconds since the epoch of a moment as the API writes it; null for anything else. */
export function momentOf(value: unknown): number | null {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\dT\d\d:/.test(value)) return null;
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : time;
}
