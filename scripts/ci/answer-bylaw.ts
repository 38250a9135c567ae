import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { callBylaw } from "../call-bylaw.ts";

/** A command that does what bylaw does, without starting it. */
export interface AnsweringBylaw {
  /** The command, as words. */
  readonly command: string;
  close(): Promise<void>;
}

/** What the command does: tells its folder and its arguments, and ends as it is told. */
const asking = (socket: string): string => `
  import { connect } from "node:net";
  import { json } from "node:stream/consumers";
  const connection = connect(${JSON.stringify(socket)});
  connection.end(JSON.stringify({ folder: process.cwd(), args: process.argv.slice(2) }));
  const { code, stdout, stderr } = await json(connection);
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = code;
`;

/** Answers a command, which is written into that folder, within this process. Of its environment nothing is known here. */
export async function answerBylaw(folder: string): Promise<AnsweringBylaw> {
  const socket = join(folder, "bylaw.socket");
  const server = createServer({ allowHalfOpen: true }, async (connection) => {
    const asked = (await json(connection)) as { readonly folder: string; readonly args: readonly string[] };
    connection.end(JSON.stringify(await callBylaw(asked.folder, asked.args)));
  });
  await new Promise<void>((listening) => server.listen(socket, listening));
  const program = join(folder, "bylaw.mjs");
  writeFileSync(program, asking(socket));
  return {
    command: `node ${program}`,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}
