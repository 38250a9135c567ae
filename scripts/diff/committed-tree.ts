import { execFile, spawn } from "node:child_process";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { promisify } from "node:util";
import { CannotRun } from "../commands/cannot-run.ts";

const run = promisify(execFile);

/** Bytes of the list of files in a commit that are read at most. */
const maxListing = 64 * 1024 * 1024;

/**
 * Does work on the documents of a commit, written into a temporary folder: every YAML and JSON file, as a document may
 * refer to any. The repository stays as it is: files go through an index of their own.
 */
export async function withCommittedTree<T>(ref: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "bylaw-tree-")));
  try {
    const root = (await run("git", ["rev-parse", "--show-toplevel"])).stdout.replace(/\r?\n$/, "");
    const git = { cwd: root, env: { ...process.env, GIT_INDEX_FILE: join(folder, ".index") } };
    await run("git", ["read-tree", "--end-of-options", `${ref}^{tree}`], git);
    const { stdout } = await run("git", ["ls-files", "-z", "--cached", "*.yaml", "*.yml", "*.json"], {
      ...git,
      maxBuffer: maxListing,
    });
    await checkOut(stdout, folder, git);
    return await work(folder);
  } catch (problem) {
    if (problem instanceof CannotRun) throw problem;
    const reason = problem instanceof Error ? (problem.message.split("\n")[1] ?? problem.message) : String(problem);
    throw new CannotRun(`${ref}: The files of this commit cannot be read: ${reason.slice(0, 500)}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the files of a list, each ended by a zero byte. */
const checkOut = (list: string, folder: string, git: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }) =>
  new Promise<void>((done, failed) => {
    const child = spawn("git", ["checkout-index", "-z", "--stdin", "--force", `--prefix=${folder}${sep}`], {
      ...git,
      stdio: ["pipe", "ignore", "pipe"],
    });
    let told = "";
    child.stderr.on("data", (data) => {
      told += String(data).slice(0, 1000);
    });
    child.on("error", failed);
    child.on("close", (code) => (code === 0 ? done() : failed(new Error(`git checkout-index\n${told.trim()}`))));
    child.stdin.on("error", failed);
    child.stdin.end(list);
  });
