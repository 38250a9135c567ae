import { spawn } from "node:child_process";

/** A server in a process of its own. */
export interface ChildServer {
  readonly url: string;
  /** Writes a line to the process and gives the rest of the line that it answers, which begins with the same words. */
  ask(words: string): Promise<string>;
  close(): Promise<void>;
}

/** Milliseconds for a server to say where it listens, or to answer a question. */
const patience = 20_000;

/** Runs a script under this Node and waits until it prints `announcement` and the address behind it. */
export async function startChildServer(args: readonly string[], announcement: string): Promise<ChildServer> {
  const child = spawn(process.execPath, args, {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" },
  });
  let said = "";
  let isOver = false;
  const ended = new Promise<void>((resolve) =>
    child.once("close", () => {
      isOver = true;
      resolve();
    }),
  );
  const listeners = new Set<() => void>();
  const read = (chunk: Buffer): void => {
    // What lies far back is of no use, and there can be much of it.
    said = (said + chunk.toString()).slice(-64 * 1024);
    for (const listener of listeners) listener();
  };
  child.stdout.on("data", read);
  child.stderr.on("data", read);
  child.stdin.on("error", () => undefined);
  void ended.then(() => read(Buffer.alloc(0)));

  const line = (after: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const late = setTimeout(
        () => settle(() => reject(new Error(`${args.join(" ")} did not say "${after}".`))),
        patience,
      );
      const settle = (act: () => void): void => {
        clearTimeout(late);
        listeners.delete(look);
        act();
      };
      const look = (): void => {
        const [, rest] = new RegExp(`${after} (.*)\\n`).exec(said) ?? [];
        if (rest !== undefined) settle(() => resolve(rest.trim()));
        else if (isOver) settle(() => reject(new Error(`${args.join(" ")} has ended:\n${said.slice(-2_000)}`)));
      };
      listeners.add(look);
      look();
    });
  const close = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  try {
    return {
      url: await line(announcement),
      ask(words) {
        said = "";
        child.stdin.write(`${words}\n`);
        return line(words);
      },
      close,
    };
  } catch (problem) {
    await close();
    throw problem;
  }
}
