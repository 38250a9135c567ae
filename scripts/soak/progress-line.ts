/** One line on a terminal that tells how far a run is; nothing where the stream is no terminal. */
export interface ProgressLine {
  say(text: string): void;
  /** Removes the line. */
  end(): void;
}

type Terminal = Pick<NodeJS.WriteStream, "columns" | "isTTY"> & { write(text: string): boolean };

export function progressLine(stream: Terminal): ProgressLine {
  const start = performance.now();
  const clear = "\r\u001b[2K";
  const write = (text: string): void => void (stream.isTTY === true && stream.write(text));
  return {
    say(text) {
      const seconds = Math.round((performance.now() - start) / 1000);
      write(clear + `${text} · ${seconds} s`.slice(0, Math.max(20, (stream.columns ?? 80) - 1)));
    },
    end: () => write(clear),
  };
}
