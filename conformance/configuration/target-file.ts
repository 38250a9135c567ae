import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { isMap, isNode, isPair, isScalar, LineCounter, type Node, parseDocument } from "yaml";
import { didYouMean } from "../../compiler/text/nearest-name.ts";
import { operations } from "../../generated/operations.ts";
import type { TargetProblem } from "../target/target-problem.ts";
import { phonePattern, secretPattern, type TargetFile, targetSchema } from "./target-schema.ts";

/** A target file that was read: what it says and where it says it. */
export interface ParsedTargetFile {
  readonly settings: TargetFile;
  readonly problems: readonly TargetProblem[];
  /** `target.yaml:3:5` of the value at a path of keys, or of what is nearest to it. */
  readonly placeOf: (path: readonly string[]) => string;
}

/** Characters of a target file; nobody writes more by hand. */
const longest = 256 * 1024;

const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true, verbose: true });
let compiled: ValidateFunction<TargetFile> | null = null;

/** Compiled with the first file: most commands read none, and would wait for it at every start. */
function targetFileValidator(): ValidateFunction<TargetFile> {
  compiled ??= ajv.compile<TargetFile>(targetSchema);
  return compiled;
}

/** Reads the text of a target file, reporting every problem with its place. `name` is how places call the file. */
export function parseTargetFile(name: string, text: string): ParsedTargetFile {
  const lines = new LineCounter();
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  if (text.length > longest) {
    const fix = "Give the kit a YAML file of the form that conformance/examples/target.yaml shows.";
    const problem = { where: name, message: `The file is longer than ${longest / 1024} KiB.`, fix };
    return { settings: {}, problems: [problem], placeOf: () => name };
  }
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true });
  const [broken] = [...document.errors, ...document.warnings];
  if (broken !== undefined) {
    const fix = "Correct the YAML; indentation counts, and texts with special characters stand in quotes.";
    // The first only: what follows it is mostly its consequence.
    const problem = { where: at(broken.pos[0]), message: sentence(broken.message), fix };
    return { settings: {}, problems: [problem], placeOf: () => name };
  }
  const placeOf = (path: readonly string[]): string => at(offsetOf(document.contents, path));
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 20 }) ?? {};
  } catch {
    const fix = "Write the values out in place of YAML aliases.";
    return { settings: {}, problems: [{ where: name, message: "The file's aliases expand too far.", fix }], placeOf };
  }
  const isTargetFile = targetFileValidator();
  if (isTargetFile(value)) return { settings: value, problems: [], placeOf };
  return { settings: {}, problems: problemsOf(isTargetFile.errors ?? [], placeOf, document.contents, at), placeOf };
}

/** Offset of the value at a path, or of the last part of the path that exists. */
function offsetOf(root: unknown, path: readonly string[]): number {
  let node: unknown = root;
  let offset = isNode(root) ? (root.range?.[0] ?? 0) : 0;
  for (const key of path) {
    const next: unknown = isMap(node) || (isNode(node) && "get" in node) ? childOf(node, key) : undefined;
    if (!isNode(next)) return offset;
    offset = next.range?.[0] ?? offset;
    node = next;
  }
  return offset;
}

function childOf(node: Node, key: string): unknown {
  if (isMap(node)) return node.get(key, true);
  return "items" in node && Array.isArray(node.items) ? node.items[Number(key)] : undefined;
}

function offsetOfKey(root: unknown, path: readonly string[], key: string): number {
  let node: unknown = root;
  for (const part of path) node = isNode(node) ? childOf(node, part) : undefined;
  const pair = isMap(node) ? node.items.find((p) => isPair(p) && isScalar(p.key) && p.key.value === key) : undefined;
  return isScalar(pair?.key) ? (pair.key.range?.[0] ?? 0) : offsetOf(root, path);
}

function problemsOf(
  errors: readonly ErrorObject[],
  placeOf: (path: readonly string[]) => string,
  root: unknown,
  at: (offset: number) => string,
): TargetProblem[] {
  // What a branch of a choice lacks says less than the choice itself.
  const telling = errors.filter((error) => !error.schemaPath.includes("/oneOf/"));
  return telling.map((error) => {
    const path = error.instancePath.split("/").slice(1);
    const where =
      error.keyword === "additionalProperties"
        ? at(offsetOfKey(root, path, String(error.params.additionalProperty)))
        : placeOf(path);
    return { where, ...explained(error, path) };
  });
}

function explained(error: ErrorObject, path: readonly string[]): { readonly message: string; readonly fix: string } {
  const name = path.length === 0 ? "The file" : `"${path.join(".")}"`;
  const description = textOf(error.parentSchema?.description);
  switch (error.keyword) {
    case "additionalProperties": {
      const known = Object.keys(error.parentSchema?.properties ?? {});
      const key = String(error.params.additionalProperty).slice(0, 80);
      const inside = path.length === 0 ? "" : ` in ${name}`;
      if (path.length === 1 && path[0] === "shapes" && Object.hasOwn(operations, key)) {
        return {
          message: `The document shows what ${key} looks like; a server may not have it otherwise.`,
          fix: `Shapes can be given for ${known.join(", ")}.`,
        };
      }
      return {
        message: `"${key}" is no option${inside}.${didYouMean(key, known)}`,
        fix: `Options here: ${known.join(", ")}.`,
      };
    }
    case "pattern":
      if (error.parentSchema?.pattern === phonePattern) {
        const given = JSON.stringify(String(error.data).slice(0, 80));
        return {
          message: `${name} is ${given}, which is no phone number.`,
          fix: 'Write it as E.164, such as "+12025550123".',
        };
      }
      if (error.parentSchema?.pattern !== secretPattern) {
        const given = JSON.stringify(String(error.data).slice(0, 80));
        return { message: `${name} is ${given}, which is no path of names with dots between them.`, fix: description };
      }
      return {
        message: `${name} holds a secret in plain text.`,
        fix: `Put the secret into an environment variable and write \${NAME} here; then replace it where it was issued if this file was shared.`,
      };
    case "type":
      return {
        message: `${name} is ${kindOf(error.data)} and should be ${shapeOf(error.params.type)}.`,
        fix: description,
      };
    case "enum": {
      const allowed = Array.isArray(error.params.allowedValues) ? error.params.allowedValues.map(String) : [];
      const given = String(error.data).slice(0, 80);
      return {
        message: `"${given}" is not known here.${didYouMean(given, allowed)}`,
        fix: `Known: ${allowed.join(", ")}.`,
      };
    }
    case "oneOf":
      return {
        message: `${name} is not exactly one of a command, a url, or a module with its export.`,
        fix: `Write one of { command: [program, argument] }, { url: "http://…" }, { module: file.ts, export: name }.`,
      };
    default:
      return { message: `${name} ${error.message ?? "is not valid"}.`, fix: description };
  }
}

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : "See conformance/examples/target.yaml.";

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

function kindOf(value: unknown): string {
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "a group of options" : typeof value === "string" ? "a text" : `a ${typeof value}`;
}

function shapeOf(type: unknown): string {
  const names: Readonly<Record<string, string>> = {
    string: "a text",
    number: "a number",
    array: "a list",
    object: "a group of options",
  };
  return (Array.isArray(type) ? type : [type]).map((t) => names[String(t)] ?? String(t)).join(" or ");
}
