import type { Contract, ErrorRow, Rule } from "../contract.ts";
import type { Edit, PlainChange } from "./change.ts";
import { pointerOf } from "./json-at.ts";

/**
 * The changes, those that follow from an edit of a fact with that edit in place of their own: the sentences that quote a
 * limit, the schemas that bear it, the answers that hold an error. An edit of the schema that is no fact's stays.
 */
export function withFactEdits(changes: readonly PlainChange[], base: Contract, head: Contract): readonly PlainChange[] {
  const sources = sourcesOf(changes, base, head);
  if (sources.length === 0) return changes;
  const rules = new Map([...base.rules, ...head.rules].map((rule) => [rule.id, rule]));
  const questions = pairedTexts(base, head);
  return changes.map((change) => {
    const source = sources.find(
      (one) => one.edit !== change.edit && (one.isOwn(change) || isQuoted(one, change, rules, questions)),
    );
    return source === undefined ? change : { ...change, edit: source.edit };
  });
}

/** A fact that was edited. */
interface Source {
  readonly name: string;
  readonly edit: Edit;
  /** What was written where it is quoted, and what is. */
  readonly texts: readonly (readonly [before: string, after: string])[];
  /** Whether the change tells the same edit, at another place. */
  readonly isOwn: (change: PlainChange) => boolean;
}

function sourcesOf(changes: readonly PlainChange[], base: Contract, head: Contract): readonly Source[] {
  const edits = new Map(changes.map(({ edit }) => [edit.at, edit] as const).toReversed());
  const source = (
    at: string,
    name: string,
    texts: Source["texts"],
    isOwn: Source["isOwn"] = () => false,
  ): readonly Source[] => {
    const edit = edits.get(at);
    return edit === undefined ? [] : [{ name, edit, texts, isOwn: (change) => change.edit.at === at || isOwn(change) }];
  };
  return [
    ...[...base.buckets, ...head.buckets].flatMap(({ name }) =>
      source(pointerOf("buckets", name), name, [], ({ edit }) => edit.at.endsWith(pointerOf("draws", name))),
    ),
    ...head.bounds.flatMap(({ name, value }) => {
      const old = base.bounds.find((one) => one.name === name)?.value;
      return source(
        pointerOf("bounds", name),
        name,
        old === undefined ? [] : [[String(old), String(value)]],
        (change) => isEditOf(change.edit, old, value) && quotes(change, name, head),
      );
    }),
    ...head.constants.flatMap(({ name, value }) => {
      const old = base.constants.find((one) => one.name === name)?.value;
      const texts = old === undefined || old === "" ? [] : [[old, value] as const];
      return source(pointerOf("constants", name), name, texts, ({ edit, id }) => {
        const [[before = null], [after = null]] = [edit.before, edit.after];
        if (typeof before === "string" && typeof after === "string") return isRewritten(before, after, texts);
        const header = old === undefined ? null : [old, value].map((text) => text.toLowerCase());
        return id.startsWith("delivery-header-") && header?.some((text) => text === (before ?? after)) === true;
      });
    }),
    ...[...base.errors, ...head.errors].flatMap((row) => errorSource(row, base, head, source)),
    ...changes.flatMap((change) => errorListed(change, base, head)),
    ...[...base.operations, ...head.operations].flatMap(({ id, service, method, path }) =>
      changes
        .filter((change) => change.service === service && change.operation === `${method.toUpperCase()} ${path}`)
        .filter((change) => change.id === "operation-removed" || change.id === "operation-added")
        .map(({ edit }) => ({ name: id, edit, texts: [], isOwn: () => false })),
    ),
  ];
}

function errorSource(
  { name, service }: ErrorRow,
  base: Contract,
  head: Contract,
  source: (at: string, name: string, texts: Source["texts"], isOwn: Source["isOwn"]) => readonly Source[],
): readonly Source[] {
  const [before, after] = [base, head].map(({ errors }) =>
    errors.find((row) => row.name === name && row.service === service),
  );
  const textsOf = (row: ErrorRow | undefined): readonly string[] =>
    row === undefined ? [] : [`${statusOf(row)} \`${row.code}\``, row.code, statusOf(row)];
  const texts = textsOf(before).map((text, index) => [text, textsOf(after)[index] ?? ""] as const);
  const statuses = [before, after].map((row) => (row === undefined ? "" : statusOf(row)));
  const component = pointerOf("components", "schemas", name);
  return source(pointerOf("errors", name), name, texts, (change) => {
    if (change.service !== service) return false;
    const { at } = change.edit;
    if (at === component || at.startsWith(`${component}/`) || at.endsWith(pointerOf("errors", name))) return true;
    // Of an answer with the row's status, in an operation that lists the row: where nothing named was edited.
    const [, status] = /\/responses\/([^/]+)/.exec(at) ?? [];
    if (status === undefined || !statuses.includes(status) || statuses[0] === statuses[1]) return false;
    return [base, head].some(({ operations }) =>
      operations.some(
        (one) => `${one.method.toUpperCase()} ${one.path}` === change.operation && one.errors.includes(name),
      ),
    );
  });
}

/** That an operation lists an error anew, or no longer, shows in its answers of the error's status. */
function errorListed({ id, edit, service, operation }: PlainChange, base: Contract, head: Contract): readonly Source[] {
  if (id !== "operation-error-added" && id !== "operation-error-removed") return [];
  const name = edit.at.slice(edit.at.lastIndexOf("/") + 1);
  const row = [...head.errors, ...base.errors].find((one) => one.name === name && one.service === service);
  if (row === undefined) return [];
  const isOwn = (change: PlainChange): boolean =>
    change.operation === operation &&
    change.service === service &&
    change.edit.at.endsWith(`/responses/${statusOf(row)}`);
  return [{ name, edit, texts: [], isOwn }];
}

const statusOf = ({ status }: ErrorRow): string => (typeof status === "number" ? String(status) : `${status.from}`);

const isEditOf = ({ before, after }: Edit, old: unknown, now: unknown): boolean =>
  before.length === 1 && after.length === 1 && before[0] === old && after[0] === now;

/** A rule that names the fact speaks about what the change is about: a rule of it, or of a part that is called the same. */
const quotes = ({ rules, pointer }: PlainChange, name: string, { rules: all }: Contract): boolean =>
  all.some((rule) => {
    if (!namesIn(rule).includes(name)) return false;
    const [, part] = /\.(\w+)$/.exec(rule.about) ?? [];
    return rules.includes(rule.id) || (part !== undefined && pointer.split(/[/:]/).includes(part));
  });

const namesIn = ({ template }: Rule): readonly string[] =>
  [...template.matchAll(/\{(?:[a-z]+\.)?(\w+)/g)].flatMap(([, name]) => name ?? []);

/** Sentences of questions that came and went, by the question. */
type Sentences = ReadonlyMap<string, { readonly gone: readonly string[]; readonly come: readonly string[] }>;

function pairedTexts(base: Contract, head: Contract): Sentences {
  const texts = ({ questions }: Contract) =>
    new Map(questions.map((one) => [one.id, [one.asks, one.choice, one.tolerates ?? "", ...one.alternatives]]));
  const [before, after] = [texts(base), texts(head)];
  return new Map(
    [...before].map(([id, old]) => {
      const now = after.get(id) ?? [];
      return [
        id,
        { gone: old.filter((one) => !now.includes(one)), come: now.filter((one) => !old.includes(one)) },
      ] as const;
    }),
  );
}

/** A sentence that says the same with another value of the fact. */
function isQuoted(
  source: Source,
  change: PlainChange,
  rules: ReadonlyMap<string, Rule>,
  sentences: Sentences,
): boolean {
  const [, list, id] = /^\/(rules|questions)\/([^/]+)/.exec(change.edit.at) ?? [];
  if (id === undefined) return false;
  if (list === "rules") {
    const isOfValue = change.id === "rule-value-changed";
    // With an operation its rules come and go.
    const isOfWhole = change.id === "rule-added" || change.id === "rule-removed";
    const rule = rules.get(id);
    if (rule === undefined) return false;
    if (isOfWhole) return source.edit.keyword.startsWith("operation-") && rule.about === source.name;
    return isOfValue && namesIn(rule).includes(source.name);
  }
  const { gone = [], come = [] } = sentences.get(id) ?? {};
  return gone.length > 0 && gone.every((one) => come.some((other) => isRewritten(one, other, source.texts)));
}

const isRewritten = (before: string, after: string, texts: Source["texts"]): boolean =>
  before !== after && texts.some(([old, now]) => old !== "" && before.replaceAll(old, now) === after);
