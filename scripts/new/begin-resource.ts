import { basename } from "node:path";
import { didYouMean } from "../../compiler/text/nearest-name.ts";
import { CannotRun } from "../commands/cannot-run.ts";
import type { Workshop } from "./workshop.ts";

/** The files of a resource that bear its name, with their texts while it has no operation. */
export type ResourceFiles = Readonly<
  Record<"spec" | "handlers" | "soundInputs", { readonly file: string; readonly text: string }>
>;

/** Where the operations of a resource stand. */
export const filesOf = (resource: string) => ({
  spec: `spec/${resource}.tsp`,
  handlers: `reference-server/routes/${resource}.ts`,
  soundInputs: `conformance/steps/sound-inputs/${resource}.ts`,
});

/** Files for a resource that nobody has begun. Its paths begin with the route; refuses what may be a slip of the pen. */
export function beginResource(resource: string, route: string, workshop: Workshop): ResourceFiles {
  if (!/^[a-z][a-z\d]*(-[a-z\d]+)*$/.test(resource))
    throw new CannotRun(`--resource ${resource.slice(0, 80)}: A resource is small letters, such as phone-numbers.`);
  const { contract, declarations, read } = workshop;
  const known = new Set([...declarations.values()].map(({ file }) => basename(file, ".tsp")));
  const near = didYouMean(resource, known);
  if (near !== "")
    throw new CannotRun(
      `--resource ${resource}: There is no such resource.${near}\n  Give a new one a name that no other resembles.`,
    );
  const files = filesOf(resource);
  const pascal = resource.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1);
  const words = resource.replaceAll("-", " ");
  const [, namespace = ""] = /^namespace (\S+);$/m.exec(read(contract.operations[0]?.place.file ?? "") ?? "") ?? [];
  return {
    spec: {
      file: files.spec,
      text: `import "@typespec/http";
import "./envelope.tsp";
import "./errors.tsp";
import "./limits.tsp";
import "./scopes.tsp";

using Bylaw;
using TypeSpec.Http;

namespace ${namespace};

/** What there is to do with ${words}. */
@route("${route}")
@tag("${resource}")
interface ${pascal} {
}
`,
    },
    handlers: {
      file: files.handlers,
      text: `import type { ${pascal}Handlers } from "../../generated/server/${resource}.ts";
import type { Caller } from "../domain/organizations/caller.ts";
import type { Store } from "../store/store.ts";

export interface ${pascal}Parts {
  readonly store: Store;
}

export function ${camel}Handlers(_: ${pascal}Parts): ${pascal}Handlers<Caller> {
  return {};
}
`,
    },
    soundInputs: {
      file: files.soundInputs,
      text: `import type { SoundInputs } from "../input-maker.ts";

export const soundInputs: SoundInputs<"${resource}"> = {};
`,
    },
  };
}
