import { ForeignFolder } from "../../compiler/output-folder.ts";
import { CannotRun } from "./cannot-run.ts";
import { shownPath } from "./project.ts";

/** Does work on files; what the file system refuses becomes a message for the user. */
export async function onFiles<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (problem) {
    if (problem instanceof ForeignFolder) {
      throw new CannotRun(
        `${problem.message}\n  Choose an empty folder, or one that an earlier run wrote, with --out.`,
      );
    }
    if (problem instanceof Error && "code" in problem && "syscall" in problem) {
      const path = "path" in problem && typeof problem.path === "string" ? shownPath(problem.path) : "a file";
      throw new CannotRun(`${sentences[String(problem.code)] ?? problem.message}: ${path}`);
    }
    throw problem;
  }
}

const sentences: Readonly<Record<string, string>> = {
  EACCES: "Access is denied",
  EPERM: "Access is denied",
  EROFS: "The disk cannot be written to",
  ENOSPC: "The disk is full",
  ENOENT: "There is no such file",
  ENOTDIR: "This is a file, where a folder is needed",
  EISDIR: "This is a folder, where a file is needed",
};
