import { namesListed } from "../schema/inclusion/naming.ts";
import { isAnything, schemaAt } from "../schema/schema-node.ts";
import type { Meant } from "./meant.ts";
import { schemasAtPlace } from "./schema-walk.ts";

/** Whether the objects at a place of a schema's values may have any members, and none is named: what is sent in them nobody knows. */
export function namesNothing({ schema, components }: Meant, place: string): boolean {
  const speaking = schemasAtPlace(schema, components, place);
  return (
    speaking.length > 0 &&
    speaking.every(
      (one) =>
        namesListed(one).length === 0 &&
        one.patternProperties === undefined &&
        ["additionalProperties", "unevaluatedProperties"].every((keyword) => {
          const others = schemaAt(one, keyword);
          return others === undefined || isAnything(others);
        }),
    )
  );
}
