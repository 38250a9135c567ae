import { execFile } from "node:child_process";
import { relative, sep } from "node:path";
import { promisify } from "node:util";
import { CannotRun } from "../commands/cannot-run.ts";

const run = promisify(execFile);

/** Bytes of a committed contract that are read at most. */
const maxBytes = 50 * 1024 * 1024;

/** Whether git knows the name as a commit here. */
export async function isGitRef(name: string, folder: string): Promise<boolean> {
  return (await git(folder, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`])) !== null;
}

/** A side by its name, a git ref or `REF:PATH`, with the merge base of that commit and HEAD in place of the ref. */
export async function atMergeBase(name: string, folder: string): Promise<string> {
  const [, ref = "", path = ""] = /^([^:]*)(:.+)?$/s.exec(name) ?? [];
  if (ref === "" || !(await isGitRef(ref, folder))) {
    throw new CannotRun(
      `--merge-base: ${name.slice(0, 200)} names no commit.\n  Name a git ref, or a document of one, such as origin/main:openapi.yaml.`,
    );
  }
  const commit = await git(folder, ["merge-base", ref, "HEAD"]);
  if (commit !== null) return `${commit.trim()}${path}`;
  throw new CannotRun(
    `--merge-base: ${ref} and HEAD have no common commit in this clone.\n  Fetch the whole history: git fetch --unshallow`,
  );
}

/** The text of a file as it was committed; `path` is absolute. */
export async function committedText(ref: string, path: string, folder: string): Promise<string> {
  const root = await repositoryRoot(folder);
  if (root === null) throw new CannotRun(`${ref}: This is no git repository, so there is no committed contract.`);
  const text = await committedTextIfAny(ref, path, folder);
  if (text !== null) return text;
  const inside = relative(root, path).split(sep).join("/");
  throw new CannotRun(
    `${ref}: This commit has no readable ${inside}.\n  Compare with a commit that has one, or name another file or folder.`,
  );
}

/** The same; null when the commit has no such file, or this is no repository. */
export async function committedTextIfAny(ref: string, path: string, folder: string): Promise<string | null> {
  const root = await repositoryRoot(folder);
  if (root === null) return null;
  const inside = relative(root, path).split(sep).join("/");
  return git(folder, ["show", "--end-of-options", `${ref}:${inside}`]);
}

/** The folder of the repository that holds a folder; null where there is none. */
export async function repositoryRoot(folder: string): Promise<string | null> {
  const root = await git(folder, ["rev-parse", "--show-toplevel"]);
  return root === null ? null : root.replace(/\r?\n$/, "");
}

/** Why a name that is neither a file nor a known ref can't be used, and what to do. */
export async function unknownSide(name: string, folder: string): Promise<CannotRun> {
  const shown = name.slice(0, 200);
  const inside = await git(folder, ["rev-parse", "--is-shallow-repository"]);
  if (inside === null) {
    return new CannotRun(
      `${shown}: There is no such file or folder, and this is no git repository.\n  Name a folder, a .tsp file, a contract.json or an OpenAPI document.`,
    );
  }
  if (inside.trim() === "true") {
    return new CannotRun(
      `${shown}: There is no such file or folder, and this shallow clone has no such commit.\n  Fetch it: git fetch --unshallow, or for a branch: git fetch --depth=1 origin ${branchIn(shown)} (then name FETCH_HEAD).\n  With actions/checkout, set fetch-depth: 0.`,
    );
  }
  return new CannotRun(
    `${shown}: There is no such file or folder, and git knows no such commit.\n  Correct the name, or fetch it: git fetch origin ${branchIn(shown)}`,
  );
}

const branchIn = (name: string): string => name.replace(/^origin\//, "").replace(/[~^].*$/, "");

async function git(folder: string, args: readonly string[]): Promise<string | null> {
  try {
    const { stdout } = await run("git", args, { cwd: folder, maxBuffer: maxBytes, encoding: "utf8" });
    return stdout;
  } catch (problem) {
    if (problem instanceof Error && "code" in problem) {
      if (problem.code === "ENOENT") {
        throw new CannotRun("git is not installed, so no commit can be read.\n  Install it, or name files.");
      }
      if (problem.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") {
        throw new CannotRun("The committed contract is larger than 50 MB.\n  Name a smaller document.");
      }
    }
    return null;
  }
}
