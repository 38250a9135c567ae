import { namesListed } from "../schema/inclusion/naming.ts";
import { schemaMapAt } from "../schema/schema-node.ts";
import type { Edit } from "./change.ts";
import type { Meant } from "./meant.ts";
import { schemasAtPlace } from "./schema-walk.ts";

const sayOfFurther = ["additionalProperties", "unevaluatedProperties"];

/**
 * Whether all that an edit refuses is members that nobody has named: it closes an object of which nothing was said of
 * further members, and each member that was named may still be sent. `place` is where such a member stands.
 */
export function refusesOnlyUnnamed({ keyword, before }: Edit, place: string, base: Meant, head: Meant): boolean {
  if (!sayOfFurther.includes(keyword) || before.length > 0) return false;
  const owner = place.slice(0, Math.max(0, place.lastIndexOf("/")));
  const speakingIn = ({ schema, components }: Meant) => schemasAtPlace(schema, components, owner);
  const were = speakingIn(base);
  const names = were.flatMap(namesListed);
  const declared = new Set(speakingIn(head).flatMap((one) => [...schemaMapAt(one, "properties").keys()]));
  const isExpress = were.some((one) =>
    [...sayOfFurther, "patternProperties", "propertyNames"].some((name) => one[name] !== undefined),
  );
  return names.length > 0 && !isExpress && names.every((name) => declared.has(name));
}
