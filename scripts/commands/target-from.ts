import { readFile } from "node:fs/promises";
import { readTarget } from "../../conformance/configuration/read-target.ts";
import type { TargetSources } from "../../conformance/configuration/target-sources.ts";
import type { Target } from "../../conformance/target/target.ts";
import { problemText } from "../../conformance/target/target-problem.ts";
import { CannotRun } from "./cannot-run.ts";
import { flagsOf, type TargetOptions } from "./target-options.ts";

/** The target that flags, environment and file describe. */
export async function targetFrom(options: TargetOptions, purpose: "run" | "clean" = "run"): Promise<Target> {
  const file = options.target === undefined ? null : await fileAt(options.target);
  const key = options.keyStdin === true ? await keyFrom(process.stdin) : undefined;
  const sources: TargetSources = {
    file,
    environment: process.env,
    flags: { ...flagsOf(options), "--key-stdin": key },
  };
  const read = readTarget(sources, purpose);
  if (read.ok) return read.target;
  throw new CannotRun(read.problems.map(problemText).join("\n"));
}

async function fileAt(name: string): Promise<{ readonly name: string; readonly text: string }> {
  try {
    return { name, text: await readFile(name, "utf8") };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const why =
      code === "ENOENT" ? "There is no such file" : code === "EISDIR" ? "It is a folder" : "The file cannot be read";
    throw new CannotRun(`${name}: ${why}.\n  Give --target the path of a YAML file.`);
  }
}

/** Characters of a key that are read; no key is longer. */
const longestKey = 8192;

async function keyFrom(input: NodeJS.ReadStream): Promise<string> {
  if (input.isTTY) {
    throw new CannotRun(
      "--key-stdin: Nothing is piped in.\n  Pipe the key in, such as: printenv KEY | npx bylaw … --key-stdin",
    );
  }
  let text = "";
  for await (const chunk of input) {
    text += String(chunk);
    if (text.length > longestKey) break;
  }
  const key = text.trim();
  if (key === "") throw new CannotRun("--key-stdin: Standard input was empty.\n  Pipe the key in, the secret alone.");
  return key;
}
