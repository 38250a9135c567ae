import { relative } from "node:path";
import type { Json, JsonSchema } from "../contract.ts";
import { type JsonObject, jsonAt, pointerOf } from "../diff/json-at.ts";
import type { Problem } from "../problem.ts";
import { sameJson } from "../schema/canonical-json.ts";
import { mapSubschemas } from "../schema/keywords.ts";
import { isList, isObject, schemaFrom } from "../schema/schema-node.ts";
import { type Dialect, toJsonSchema, unreadReference, unreadType } from "./dialect.ts";
import { atPointer, begin, type Position, UnreadableDocument } from "./load-document.ts";
import { decoded, fileOf, type LoadedFiles } from "./load-files.ts";

/** A part of a document with the place where it stands. */
export interface Located {
  readonly json: Json;
  readonly file: string;
  readonly names: readonly string[];
}

const keyOf = ({ file, names }: Located): string => `${file}#${pointerOf(...names)}`;

/** A schema that is all of its file is called as the file is. */
const nameOf = ({ file, names }: Located): string => names.at(-1) ?? file.replace(/^.*[\\/]|\.[^.]*$/g, "");

/** References on the way of each other that are followed. */
const maxDepth = 20;

/** Problems of references that lead nowhere: the rest of a document can be read. */
export const isOfReference = ({ code }: Problem): boolean => code === "broken-reference" || code === "reference-cycle";

/** Problems that are told; a document that is wrong throughout says no more after them. */
const maxProblems = 50;

/**
 * Brings a document of several files into one: schemas that are referred to become components of it, everything else
 * is followed to where it stands. Collects what leads nowhere.
 */
export class Bundle {
  readonly problems: Problem[] = [];
  readonly schemas: Record<string, JsonSchema> = {};
  /** Where what each component was made of stands. */
  readonly places = new Map<string, Located>();
  /** References that are followed on the way of another one. */
  private depth = 0;
  private readonly pending: (readonly [name: string, schema: Located])[] = [];
  private readonly names = new Map<string, string>();
  private readonly files: LoadedFiles;
  private readonly entry: string;
  private readonly dialect: Dialect;
  private readonly root: string;

  /** Places of problems are relative to `root`. */
  constructor(files: LoadedFiles, entry: string, dialect: Dialect, root: string) {
    this.files = files;
    this.entry = entry;
    this.dialect = dialect;
    this.root = root;
  }

  /** The schema with its references leading to components of the bundle. */
  schema({ json, file, names }: Located): JsonSchema {
    const whole = this.withProperties(schemaFrom(json), file, names);
    return this.rewritten(toJsonSchema(whole, this.dialect), file, names);
  }

  /** Refers to each property by itself where all of them stand elsewhere, under one `$ref` that no dialect has. */
  private withProperties(schema: JsonSchema, file: string, names: readonly string[]): JsonSchema {
    const inner = mapSubschemas(schema, (part, keyword, name) =>
      this.withProperties(part, file, name === null ? [...names, keyword] : [...names, keyword, name]),
    );
    if (this.isContrary(inner, file, names)) return { ...inner, [unreadType]: inner.type ?? null };
    const reference = jsonAt(inner.properties, "$ref");
    if (inner.properties === undefined || typeof reference !== "string") return inner;
    const at: Located = { json: inner.properties, file, names: [...names, "properties"] };
    const found = this.part(at);
    if (found === null) return inner;
    if (!isObject(found.json)) {
      this.fault("broken-reference", `$ref "${reference}" leads to no properties.`, "Correct the reference.", at);
      return inner;
    }
    const properties = Object.keys(found.json).map((name) => [
      name,
      { $ref: `${encodeURIComponent(found.file)}#${encodeURIComponent(pointerOf(...found.names, name))}` },
    ]);
    return { ...inner, properties: Object.fromEntries(properties) };
  }

  /** Whether a type stands beside a reference to a schema of another: by the letter of OpenAPI 3.0 it says nothing there. */
  private isContrary(schema: JsonSchema, file: string, names: readonly string[]): boolean {
    if (this.dialect !== "3.0" || typeof schema.$ref !== "string" || schema.type === undefined) return false;
    const told = this.problems.length;
    const type = jsonAt(this.part({ json: schema, file, names })?.json, "type");
    // What leads nowhere is told where it is followed.
    this.problems.length = told;
    return type !== undefined && !sameJson(type, schema.type);
  }

  /** The part itself, or what it refers to; null when that leads nowhere or round in a circle. */
  part(located: Located): Located | null {
    let at = located;
    const seen = new Set<string>();
    for (;;) {
      const reference = jsonAt(at.json, "$ref");
      if (typeof reference !== "string") return at;
      const key = `${at.file}#${at.names.join("/")}`;
      if (seen.has(key)) {
        this.fault(
          "reference-cycle",
          `$ref "${reference}" leads back to itself.`,
          "Let one of them stand for itself.",
          at,
        );
        return null;
      }
      seen.add(key);
      const target = this.target(reference, at);
      if (target === null) return null;
      at = target;
    }
  }

  fault(code: string, message: string, fix: string | null, at: Pick<Located, "file" | "names">): void {
    if (this.problems.length >= maxProblems) return;
    const place = { file: relative(this.root, at.file), ...this.positionOf(at) };
    this.problems.push({ code, severity: "error", message: `${message}${atPointer(at.names)}`, fix, place });
  }

  /** Of the part, or of the nearest one around it that is written so. */
  private positionOf({ file, names }: Pick<Located, "file" | "names">): Position {
    const document = this.files.get(file);
    if (document === undefined || document instanceof UnreadableDocument) return begin;
    for (let length = names.length; length > 0; length -= 1) {
      const position = document.locate(names.slice(0, length));
      if (position !== null) return position;
    }
    return begin;
  }

  /** Makes the components that schemas have asked for, and those that they ask for in turn. */
  complete(): void {
    for (let next = this.pending.shift(); next !== undefined; next = this.pending.shift()) {
      const [name, located] = next;
      this.schemas[name] = this.schema(located);
    }
  }

  private rewritten(schema: JsonSchema, file: string, names: readonly string[]): JsonSchema {
    const inner = mapSubschemas(schema, (part, keyword, name) =>
      this.rewritten(part, file, name === null ? [...names, keyword] : [...names, keyword, name]),
    );
    if (typeof inner.$ref !== "string") return inner;
    const component = this.component(inner.$ref, { json: inner, file, names });
    const { $ref: written, ...beside } = inner;
    // A reference is a URI: its percent signs are escapes.
    const pointer = component === null ? "" : pointerOf(component).replaceAll("%", "%25");
    return component === null
      ? { ...beside, [unreadReference]: written }
      : { ...inner, $ref: `#/components/schemas${pointer}` };
  }

  /** Name of the component that holds what a reference leads to; it is made on first sight. */
  private component(reference: string, from: Located): string | null {
    const found = this.target(reference, from);
    if (found === null) return null;
    const target = this.settled(found);
    const key = keyOf(target);
    const known = this.names.get(key);
    if (known !== undefined) return known;
    if (!isObject(target.json) && typeof target.json !== "boolean") {
      this.fault("broken-reference", `$ref "${reference}" leads to what is no schema.`, "Correct the reference.", from);
      return null;
    }
    const name = this.nameFor(target);
    this.names.set(key, name);
    this.places.set(name, target);
    // Made later, whatever the length of the chain: it may lead back here.
    this.schemas[name] = {};
    this.pending.push([name, target]);
    return name;
  }

  private nameFor(located: Located): string {
    const { file, names } = located;
    const [first, second, third] = names;
    const isComponent = file === this.entry && names.length === 3 && first === "components" && second === "schemas";
    const wanted = isComponent ? (third ?? "Schema") : nameOf(located);
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? wanted : `${wanted}-${count}`;
      const isTaken = Object.hasOwn(this.schemas, name) || (!isComponent && this.isOwnComponent(name, located));
      if (!isTaken) return name;
    }
  }

  /** Whether the document has such a component that is another schema. */
  private isOwnComponent(name: string, located: Located): boolean {
    const document = this.files.get(this.entry);
    if (document === undefined || !("json" in document)) return false;
    const names = ["components", "schemas", name];
    const json = jsonAt(document.json, ...names);
    return json !== undefined && keyOf(this.settled({ json, file: this.entry, names })) !== keyOf(located);
  }

  /** What stands behind a place that only refers to another file's schema of the same name, as indexes of schemas do. */
  private settled(located: Located): Located {
    const told = this.problems.length;
    let at = located;
    for (let steps = 0; steps < maxDepth; steps += 1) {
      const reference = isObject(at.json) && Object.keys(at.json).length === 1 ? at.json.$ref : undefined;
      const next = typeof reference === "string" ? this.target(reference, at) : null;
      if (next === null || next.file === at.file || nameOf(next) !== nameOf(at)) break;
      at = next;
    }
    // What leads nowhere is told where it is followed.
    this.problems.length = told;
    return at;
  }

  private target(reference: string, from: Located): Located | null {
    const broken = (why: string, fix: string): null => {
      this.fault("broken-reference", `$ref "${reference.slice(0, 200)}" ${why}.`, fix, from);
      return null;
    };
    const file = fileOf(reference, from.file);
    if (file === null)
      return broken("leads to another machine, which is not asked", "Download it and refer to the file.");
    const document = this.files.get(file);
    const shown = relative(this.root, file);
    if (document === undefined) return broken(`leads to ${shown}, which was not read`, "Correct the reference.");
    if (document instanceof UnreadableDocument) {
      return broken(
        `leads to ${shown}, which cannot be read: ${placedText(document)}`,
        "Correct the reference or the file.",
      );
    }
    const fragment = decoded(reference.includes("#") ? reference.slice(reference.indexOf("#") + 1) : "");
    if (fragment !== "" && !fragment.startsWith("/")) {
      return broken("names an anchor, which is not supported", "Refer to the place by a JSON Pointer.");
    }
    const names = fragment === "" ? [] : fragment.slice(1).split("/").map(unescaped);
    const found = this.walked({ json: document.json, file, names: [] }, names);
    const meant = found ?? (reference.startsWith("#") ? this.inWhole(names) : null);
    return meant ?? broken("leads nowhere", "Correct the reference, or add what it names.");
  }

  /** What a part in a file of its own refers to as if it stood in the whole document, as tools put such parts together. */
  private inWhole(names: readonly string[]): Located | null {
    const document = this.files.get(this.entry);
    if (document === undefined || document instanceof UnreadableDocument) return null;
    return this.walked({ json: document.json, file: this.entry, names: [] }, names);
  }

  /** What names lead to; where what holds them stands elsewhere, on from there. */
  private walked(from: Located, names: readonly string[]): Located | null {
    let at = from;
    for (const name of names) {
      const isElsewhere = memberOf(at.json, name) === undefined && typeof jsonAt(at.json, "$ref") === "string";
      const owner = isElsewhere && this.depth < maxDepth ? this.partWithin(at) : at;
      const json = owner === null ? undefined : memberOf(owner.json, name);
      if (owner === null || json === undefined) return null;
      at = { json, file: owner.file, names: [...owner.names, name] };
    }
    return at;
  }

  private partWithin(at: Located): Located | null {
    this.depth += 1;
    const found = this.part(at);
    this.depth -= 1;
    return found;
  }

  /** A bundled document may hold components that nothing refers to; they are kept, as ours are. */
  ownSchemas(document: JsonObject): void {
    const names = ["components", "schemas"];
    const written = jsonAt(document, ...names);
    const schemas = written === undefined ? null : this.part({ json: written, file: this.entry, names });
    for (const name of isObject(schemas?.json) ? Object.keys(schemas.json) : []) {
      const at: Located = { json: document, file: this.entry, names: [...names, name] };
      this.component(`#/components/schemas${pointerOf(name)}`, at);
    }
  }
}

/** What is wrong with a file, with the line where it is known. */
const placedText = ({ message, line, column }: UnreadableDocument): string =>
  `${line === 1 && column === 1 ? "" : `at line ${line}, column ${column}: `}${message.replace(/\.$/, "")}`;

function memberOf(json: Json | undefined, name: string): Json | undefined {
  if (isList(json)) return /^\d+$/.test(name) ? json[Number(name)] : undefined;
  return jsonAt(json, name);
}

const unescaped = (token: string): string => token.replaceAll("~1", "/").replaceAll("~0", "~");
