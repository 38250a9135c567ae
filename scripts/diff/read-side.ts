import { existsSync, statSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { Contract } from "../../compiler/contract.ts";
import type { SourceLine } from "../../compiler/openapi/source-line.ts";
import type { Problem } from "../../compiler/problem.ts";
import { readOpenApi } from "../../compiler/read-openapi.ts";
import { paintWith } from "../../conformance/reports/paint.ts";
import { CannotRun } from "../commands/cannot-run.ts";
import { onFiles } from "../commands/on-files.ts";
import { problemsText } from "../commands/problem-text.ts";
import { type Project, projectFrom, shownPath } from "../commands/project.ts";
import { committedText, isGitRef, unknownSide } from "./committed-contract.ts";
import { withCommittedPlaces } from "./committed-places.ts";
import { withCommittedTree } from "./committed-tree.ts";
import { contractFromJson, isContractLike } from "./contract-from-json.ts";

/** One side of a comparison, and what is known of it. */
export interface Side {
  readonly contract: Contract;
  /** `document`: read from an OpenAPI document, which can't say what a contract says beyond it. */
  readonly extent: "contract" | "document";
  /** How the report names the side. */
  readonly shown: string;
  /** The commit that it was read from, as it was named; null when it was not. */
  readonly ref: string | null;
  /** What could not be read, each with its place; empty but for references that lead nowhere. */
  readonly unread: readonly string[];
  /** The line of a document in which what a change's edit is about stands; null where there is none, or it is not known. */
  readonly lineOf: (pointer: string, keywords: readonly string[]) => SourceLine | null;
}

const noLines = (): null => null;

const unreadText = ({ place, message }: Problem): string =>
  `${place === null ? "" : `${place.file}:${place.line}:${place.column}  `}${message} What uses it was not compared.`;

/** Where each kind of contract lies in a folder, the source before what is made of it. */
const inFolder: readonly string[] = [
  ...[join("spec", "main.tsp"), "main.tsp", "contract.json", join("generated", "contract.json")],
  ...["openapi.yaml", "openapi.yml", "openapi.json"],
];

/** The side that a name means: a file or folder, a URL where the network is allowed, else a git ref. */
export async function readSide(name: string, allowNetwork: boolean): Promise<Side> {
  if (/^https?:\/\//i.test(name)) return readAddress(name, allowNetwork);
  const path = resolve(name);
  if (!existsSync(path)) return readRef(name);
  // A path that says it is one is not taken for a ref; no ref begins with a dot or a slash.
  const isPlain = !/^[./]|[\\/]|\.(tsp|json|ya?ml)$/.test(name);
  if (isPlain && (await isGitRef(name, process.cwd()))) {
    throw new CannotRun(
      `${name} is a file or folder here, and a git ref too.\n  Say which: ./${name}, or refs/heads/${name}.`,
    );
  }
  return onFiles(() => readPath(path));
}

async function readAddress(address: string, allowNetwork: boolean): Promise<Side> {
  if (!allowNetwork) {
    throw new CannotRun(
      `${address.slice(0, 200)}: A URL is read with --allow-network only.\n  Add it, or fetch the document first and name the file: curl -fsSL -o openapi.yaml URL`,
    );
  }
  const { fetchDocument } = await import("./fetch-document.ts");
  const text = await fetchDocument(address);
  const folder = await mkdtemp(join(tmpdir(), "bylaw-fetched-"));
  try {
    const path = join(folder, "document");
    await writeFile(path, text);
    const { contract, problems, lineOf } = await onFiles(() => readOpenApi(path, folder));
    if (contract === null) throw unreadable(address, problems.map(at(address)), folder);
    const fetchedLine: Side["lineOf"] = (pointer, keywords) => {
      const found = lineOf(pointer, keywords);
      return found === null ? null : { ...found, file: address };
    };
    return {
      contract: placedAt(contract, address),
      extent: "document",
      shown: address,
      ref: null,
      unread: problems.map(at(address)).map(unreadText),
      lineOf: fetchedLine,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const at =
  (file: string) =>
  (problem: Problem): Problem => ({ ...problem, place: problem.place && { ...problem.place, file } });

/** Places in what was fetched name its address: the folder is gone when they are read. */
const placedAt = (contract: Contract, address: string): Contract => ({
  ...contract,
  operations: contract.operations.map((one) => ({ ...one, place: { ...one.place, file: address } })),
});

/** The spec of the working tree, as it is now. */
export const readWorkingTree = (project: Project): Promise<Side> => readSpec(project.entry, project.root);

async function readPath(path: string): Promise<Side> {
  if (statSync(path).isDirectory()) {
    const found = inFolder.map((file) => join(path, file)).find((file) => existsSync(file));
    if (found === undefined) {
      throw new CannotRun(`${shownPath(path)}: This folder holds no contract.\n  Looked for ${inFolder.join(", ")}.`);
    }
    return readPath(found);
  }
  if (path.endsWith(".tsp")) return readSpec(path, rootOf(path));
  const isContract = path.endsWith(".json") && (await looksLikeContract(path));
  if (isContract) {
    const shown = shownPath(path);
    return {
      contract: contractFromJson(parsed(await readFile(path, "utf8"), shown), shown),
      extent: "contract",
      shown,
      ref: null,
      unread: [],
      lineOf: noLines,
    };
  }
  const { contract, problems, lineOf } = await readOpenApi(path, process.cwd());
  if (contract === null) throw unreadable(shownPath(path), problems, process.cwd());
  return {
    ...{ contract, extent: "document", shown: shownPath(path), ref: null, lineOf },
    unread: problems.map(unreadText),
  };
}

/** Bytes of a contract that are read at most. */
const maxBytes = 50 * 1024 * 1024;

async function looksLikeContract(path: string): Promise<boolean> {
  if (statSync(path).size > maxBytes) {
    throw new CannotRun(`${shownPath(path)} is larger than 50 MB.\n  Name a smaller document.`);
  }
  try {
    return isContractLike(JSON.parse(await readFile(path, "utf8")));
  } catch {
    // What is wrong with it is told by who reads it as an OpenAPI document.
    return false;
  }
}

const rootOf = (entry: string): string => dirname(dirname(entry));

async function readSpec(entry: string, root: string): Promise<Side> {
  // The TypeSpec compiler takes longer to load than a comparison of two documents takes.
  const { readTypeSpec } = await import("../../compiler/read-typespec.ts");
  const { contract, problems } = await onFiles(() => readTypeSpec(entry, root));
  if (contract === null) throw unreadable(shownPath(entry), problems, root);
  return {
    contract: fromWorkingFolder(contract, root),
    extent: "contract",
    shown: shownPath(entry),
    ref: null,
    unread: [],
    lineOf: noLines,
  };
}

const unreadable = (shown: string, problems: readonly Problem[], root: string): CannotRun =>
  new CannotRun(`${shown} cannot be read.\n\n${problemsText(problems, root, paintWith(false))}`);

/** Places as the user sees them from the working folder, where annotations look for files. */
function fromWorkingFolder(contract: Contract, root: string): Contract {
  const shift = relative(process.cwd(), root);
  if (shift === "") return contract;
  const moved = <T extends { readonly place: { readonly file: string } }>(items: readonly T[]): readonly T[] =>
    items.map((item) => ({ ...item, place: { ...item.place, file: join(shift, item.place.file) } }));
  const { operations, errors, buckets, rules, questions } = contract;
  return {
    ...contract,
    operations: moved(operations),
    errors: moved(errors),
    buckets: moved(buckets),
    rules: moved(rules),
    questions: moved(questions),
  };
}

async function readRef(name: string): Promise<Side> {
  const folder = process.cwd();
  const committed = await readCommittedFile(name, folder);
  if (committed !== null) return committed;
  if (!(await isGitRef(name, folder))) throw await unknownSide(name, folder);
  const { root, outDir } = projectFrom({});
  const path = join(outDir, "contract.json");
  const shown = `${name}:${shownPath(path)}`;
  const printed = contractFromJson(parsed(await committedText(name, path, folder), shown), shown);
  const contract = fromWorkingFolder(await withCommittedPlaces(printed, name, root), root);
  return { contract, extent: "contract", shown, ref: name, unread: [], lineOf: noLines };
}

/** `REF:PATH`, as git writes it: a document of a commit, from the repository's root; null for what is no such name. */
async function readCommittedFile(name: string, folder: string): Promise<Side | null> {
  const [, ref, file] = /^([^:]+):(.+)$/s.exec(name) ?? [];
  if (ref === undefined || file === undefined || !(await isGitRef(ref, folder))) return null;
  if (file.endsWith(".tsp")) {
    throw new CannotRun(`${name}: A spec is not compiled from a commit.\n  Name the commit alone: ${ref}`);
  }
  return withCommittedTree(ref, async (tree) => {
    const path = resolve(tree, file);
    if (!path.startsWith(tree + sep) || !existsSync(path) || !statSync(path).isFile()) {
      throw new CannotRun(
        `${name}: This commit has no ${file}.\n  Write the path from the root of the repository, such as ${ref}:docs/openapi.yaml.`,
      );
    }
    const side = await onFiles(() => readPath(path)).catch((problem: unknown) => {
      if (!(problem instanceof CannotRun)) throw problem;
      // The folder is gone when this is read.
      throw new CannotRun(problem.message.replaceAll(shownPath(path), name).replaceAll(tree + sep, `${ref}:`));
    });
    const lineOf: Side["lineOf"] = (pointer, keywords) => {
      const found = side.lineOf(pointer, keywords);
      return found === null ? null : { ...found, file: `${ref}:${relative(tree, resolve(found.file))}` };
    };
    const unread = side.unread.map((one) => one.replaceAll(shownPath(path), name).replaceAll(tree + sep, `${ref}:`));
    return { ...side, shown: name, ref, unread, lineOf };
  });
}

function parsed(text: string, shown: string): unknown {
  try {
    return JSON.parse(text);
  } catch (problem) {
    const reason = problem instanceof Error ? problem.message : String(problem);
    throw new CannotRun(`${shown} is no JSON: ${reason}\n  Compile it again.`);
  }
}
