/** Characters that are encoded at a time. */
const most = 2 ** 20;

/** Writes a text that may be long: written as one it would be held three times, as it was made, as one string and as bytes. */
export function writeInPieces(out: Pick<NodeJS.WritableStream, "write">, text: string): void {
  for (let start = 0; start < text.length; ) {
    const end = start + most;
    // A pair that stands for one character stays together.
    const isWithinPair = /[\ud800-\udbff]/.test(text.charAt(end - 1));
    const piece = text.slice(start, isWithinPair ? end + 1 : end);
    out.write(piece);
    start += piece.length;
  }
}
