import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** A small project of its own in a temporary folder, for tests that break it. */
export interface ScratchProject {
  readonly root: string;
  /** Entry file of the spec. */
  readonly entry: string;
  readonly write: (file: string, text: string) => void;
  readonly read: (file: string) => string;
  readonly remove: () => void;
}

const home = resolve(import.meta.dirname, "..");

/** A spec that nothing is wrong with: three operations, a bucket, a rule and an open question. */
export const soundSpec = `import "${home}/node_modules/@typespec/http";
import "${home}/spec/vocabulary/main.tsp";

using Bylaw;
using TypeSpec.Http;

@service(#{ title: "Widgets" })
@useAuth(BearerAuth)
@serviceName("api")
namespace Widgets;

@scopes
enum Scope {
  read: "widgets:read",
  write: "widgets:write",
}

enum Bucket {
  /** Making widgets. */
  @tokenBucket(#{ capacity: 5, periodSeconds: 60, unit: "request" })
  makes,
}

model Failure<Status extends int32, Code extends string> {
  @statusCode _: Status;
  success: false;
  error: { @envelope(EnvelopePart.code) code: Code, message: string, request_id: string };
}

@error @errorRow(#{ when: "the token is wrong" })
model Unknown is Failure<401, "UNKNOWN_CALLER">;

@error @errorRow(#{ when: "the scope is lacking" })
model Denied is Failure<403, "DENIED">;

@error @errorRow(#{ when: "there is no such widget" })
model Missing is Failure<404, "MISSING">;

@error @errorRow(#{ when: "the bucket is empty" })
model TooMany {
  ...Failure<429, "TOO_MANY">;
  @header("Retry-After") retryAfter: int32;
}

model Widget {
  @maxLength(40) id: string;

  @pattern("^[a-z]+$")
  @example("bolt")
  name: string;
}

model Answer<T> {
  @statusCode _: 200;
  success: true;
  @envelope(EnvelopePart.payload) data: T;
}

model Page<T> {
  @statusCode _: 200;
  success: true;
  @pageItems @envelope(EnvelopePart.payload) data: T[];
  @envelope(EnvelopePart.payload) meta: { total: int32 };
}

@route("/widgets")
interface WidgetStore {
  /** Lists widgets. */
  @get @list @scope(Scope.read)
  listWidgets(@query @pageSize @minValue(1) @maxValue(50) limit?: int32 = 10): Page<Widget> | Unknown | Denied;

  /** Makes a widget. */
  @post @scope(Scope.write) @draws(Bucket.makes)
  makeWidget(@body widget: Widget): Answer<Widget> | Unknown | Denied | TooMany;

  /** Gets a widget. */
  @get @route("{id}") @scope(Scope.read)
  getWidget(@path id: string): Answer<Widget> | Unknown | Denied | Missing;
}

@@rule(WidgetStore.getWidget, "WID-01", "A widget that does not exist gives {Missing}.", #{ open: #["Q1"] });

@@question(WidgetStore.getWidget, "Q1", #{
  asks: "Whether a deleted widget is missing.",
  kind: QuestionKind.observable,
  choice: "yes",
  alternatives: #["no"],
});
`;

export const soundLock = "WID-01  A widget that does not exist gives {Missing}.\n";

/** A project whose spec is `soundSpec` with the pieces replaced; a piece that is not there is a mistake of the test. */
export function scratchProject(
  replace: readonly (readonly [piece: string, by: string])[] = [],
  lock: string | null = soundLock,
): ScratchProject {
  const root = mkdtempSync(join(tmpdir(), "bylaw-scratch-"));
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  write("spec/main.tsp", withReplaced(soundSpec, replace));
  if (lock !== null) write("spec/rules.lock", lock);
  return {
    root,
    entry: join(root, "spec/main.tsp"),
    write,
    read: (file) => readFileSync(join(root, file), "utf8"),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

export function withReplaced(text: string, replace: readonly (readonly [piece: string, by: string])[]): string {
  return replace.reduce((changed, [piece, by]) => {
    if (!changed.includes(piece)) throw new Error(`The text does not hold "${piece}".`);
    return changed.replace(piece, () => by);
  }, text);
}
