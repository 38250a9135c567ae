import { formatTypeSpec } from "@typespec/compiler";
import type { Operation } from "../../compiler/contract.ts";
import { didYouMean } from "../../compiler/text/nearest-name.ts";
import { CannotRun } from "../commands/cannot-run.ts";
import { type Addition, insertedAt } from "./addition.ts";
import { beginResource, filesOf, type ResourceFiles } from "./begin-resource.ts";
import { type Holder, insertMember } from "./insert-member.ts";
import { interfacesIn, type SpecInterface } from "./spec-interface.ts";
import { unwritten } from "./unwritten.ts";
import { needed, placeText, type Workshop } from "./workshop.ts";

/** An operation as its author names it. */
export interface NewOperation {
  readonly id: string;
  readonly method: string;
  /** With the base path of the service: `/v1/webhooks/{id}`. */
  readonly path: string;
  readonly resource: string | null;
  readonly scope: string | null;
  readonly answer: string | null;
  readonly body: string | null;
}

/** What is written of an operation: its declaration, a handler and a sound input that say that they are not written. */
export async function newOperation(
  wanted: NewOperation,
  workshop: Workshop,
): Promise<{
  readonly operation: Pick<Operation, "id" | "method" | "path" | "resource">;
  readonly additions: readonly Addition[];
}> {
  const { id, method, path } = wanted;
  const { contract, declarations } = workshop;
  const declared = declarations.get(id);
  if (declared !== undefined)
    throw new CannotRun(
      `${id} is declared already: ${placeText(declared)}.\n  npx bylaw explain ${id} tells what it lacks.`,
    );
  const taken = contract.operations.find((one) => one.method.toLowerCase() === method && one.path === path);
  if (taken !== undefined)
    throw new CannotRun(`${method.toUpperCase()} ${path} is ${taken.id} already: ${taken.place.file}.`);
  const resource = wanted.resource ?? resourceOf(path, workshop);
  const { spec, handlers, soundInputs } =
    workshop.read(filesOf(resource).spec) === null
      ? beginResource(resource, path.split("/")[2] ?? "", workshop)
      : presentFiles(resource, workshop);
  const [home, ...others] = interfacesIn(spec.text);
  if (home === undefined || others.length > 0)
    throw new CannotRun(
      `${spec.file} declares ${others.length === 0 ? "no interface" : "several interfaces"}.\n  Put the operation into it by hand.`,
    );
  const inserted = insertedAt(spec.text, home.end, `\n${declarationOf({ ...wanted, resource }, home, workshop)}`);
  const declaration = {
    ...{ file: spec.file, text: await formatTypeSpec(inserted.text), line: inserted.line, what: "its declaration" },
  };
  const additions = [
    declaration,
    member(handlers, "a handler, which throws", {
      holder: { returnedBy: /Handlers$/ },
      code: `${home.operations.length === 0 ? "" : "\n"}async ${id}() {\n  throw new Error("${unwritten(id)}");\n},`,
    }),
    member(soundInputs, "a sound input, which throws", {
      holder: { constant: /^soundInputs$/ },
      code: `${id}: {\n  async make() {\n    throw new Error("${unwritten(id)}");\n  },\n},`,
    }),
  ];
  return { operation: { id, method: wanted.method as Operation["method"], path, resource }, additions };
}

/** The resource of the operations with which the path has most in common. */
function resourceOf(path: string, { contract }: Workshop): string {
  const parts = path.split("/");
  const scored = contract.operations
    .filter(({ service }) => service === "api")
    .map(({ resource, path: other }) => {
      const own = other.split("/");
      const differs = parts.findIndex((part, at) => part !== own[at]);
      return { resource, shared: differs < 0 ? parts.length : differs };
    })
    .sort((one, other) => other.shared - one.shared);
  const [best] = scored;
  // "", the base path and a part of its own.
  if (best !== undefined && best.shared > 2) return best.resource;
  const known = [...new Set(scored.map(({ resource }) => resource))].sort();
  throw new CannotRun(
    `No operation has a path like ${path}.\n  Say to which resource it belongs: --resource ${known.join(", --resource ")}, or --resource and a name of your own for a new one.`,
  );
}

function declarationOf(
  wanted: NewOperation & { readonly resource: string },
  { route }: SpecInterface,
  { contract }: Workshop,
): string {
  const { id, method, path, scope, answer, body, resource: own } = wanted;
  const others = contract.operations.filter(({ service }) => service === "api");
  const like = others.find(({ resource }) => resource === own) ?? others[0];
  const base = basePathOf(others.map((one) => one.path));
  const within = `${base}${route === "" ? "" : `/${route}`}`;
  if (!path.startsWith(`${within}/`) && path !== within)
    throw new CannotRun(
      `The paths of ${own} begin with ${within}, and ${path} does not.\n  Name the resource that it belongs to with --resource.`,
    );
  const rest = path.slice(within.length + 1);
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `@path ${name}: Uuid`);
  const taken = body === null ? [] : [`@body ${camel(body)}: ${body}`];
  const question = like?.success.question;
  const words = id.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return [
    `/** ${sentence(words)}. */`,
    `@summary("${sentence(words)}")`,
    `@${method}`,
    ...(rest === "" ? [] : [`@route("${rest}")`]),
    ...(scope === null ? [] : [`@scope(Scope.${scopeName(scope, contract.scopes)})`]),
    ...(question == null ? [] : [`@referenceStatus("${question}", 200)`]),
    `${id}(${[...parameters, ...taken].join(", ")}):`,
    `| Success<${answer ?? `${id.charAt(0).toUpperCase()}${id.slice(1)}Answer`}>`,
    ...(body === null ? (parameters.length > 0 ? ["| ValidationFailed400"] : []) : ["| InvalidBody"]),
    ...(parameters.length > 0 ? ["| NotFound"] : []),
    "| Always;",
  ].join("\n");
}

function scopeName(given: string, scopes: Workshop["contract"]["scopes"]): string {
  const found = scopes.find(({ value, name }) => value === given || name === given);
  if (found !== undefined) return found.name;
  const values = scopes.map(({ value }) => value);
  throw new CannotRun(
    `--scope ${given}: The spec declares no such scope.${didYouMean(given, values)}\n  It declares ${values.join(", ")}.`,
  );
}

/** The files of a resource as they are. */
function presentFiles(resource: string, workshop: Workshop): ResourceFiles {
  const { spec, handlers, soundInputs } = filesOf(resource);
  const present = (file: string) => ({ file, text: needed(workshop, file) });
  return { spec: present(spec), handlers: present(handlers), soundInputs: present(soundInputs) };
}

function member(
  { file, text }: { readonly file: string; readonly text: string },
  what: string,
  { holder, code }: { readonly holder: Holder; readonly code: string },
): Addition {
  const inserted = insertMember(text, holder, code);
  if (inserted === null)
    throw new CannotRun(`${file} has another form than those beside it: nothing can be put into it.`);
  return { file, ...inserted, what };
}

/** What all paths of the API begin with: `/v1`. */
const basePathOf = (paths: readonly string[]): string => `/${paths[0]?.split("/")[1] ?? ""}`;

const camel = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);
const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
