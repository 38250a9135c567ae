import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type KeptList, listBanner } from "./kept-list.ts";

const folder = "conformance/arrangements";

/** What a target cannot do without comes first, then what organizations are made with, then what is done to them. */
const kinds = ["requirement", "organizationSetting", "arrangement"];

/** Every arrangement: the constant of its file that one of the three makers makes. */
export function arrangementList(root: string): KeptList {
  const found = globSync(`${folder}/*.ts`, { cwd: root })
    .filter((path) => !path.endsWith(".test.ts"))
    .sort()
    .flatMap((path) => {
      const text = readFileSync(join(root, path), "utf8");
      return [...text.matchAll(/^export const (\w+) = (requirement|organizationSetting|arrangement)\(/gm)].map(
        ([, name = "", kind = ""]) => ({ name, kind, file: basename(path) }),
      );
    });
  const imports = found.map(({ name, file }) => `import { ${name} } from "./${file}";\n`);
  const entries = kinds.flatMap((kind) => found.filter((one) => one.kind === kind)).map(({ name }) => `  ${name},\n`);
  return {
    file: `${folder}/listed.ts`,
    text: `${listBanner}${imports.join("")}
/** Every arrangement of the folder, in the order in which guides tell of them. */
export const listed = [
${entries.join("")}] as const;
`,
  };
}
