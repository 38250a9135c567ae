import { operations } from "../../../generated/operations.ts";
import type { Change, Mutant } from "../edit.ts";
import { mutant, mutantOf } from "./mutant.ts";

const routes = "routes/webhooks.ts";
const endpoints = "store/sql-endpoints.ts";
const authorize = "http/authorize.ts";

const missed = "if (rotated === null) return endpointNotFound();";
const malformed = 'malformedId(operation, choices) === "ValidationFailed"';
const holdsScope = "if (wanted === null || holds(callerOf(exchange), wanted)) return null;";
const owned = '.where("organization_id", "=", organizationId)';
const notDeleted = '.where("deleted_at", "is", null)';
/** The change of an endpoint that meets the conditions. */
const changing = (...conditions: readonly string[]): string =>
  `db.updateTable("webhook_endpoints").set(changes).where("id", "=", id)${conditions.join("")}.returningAll().executeTakeFirst()`;

/** Lets callers rotate an endpoint's secret of whom the condition holds. */
const alsoIf = (condition: string): string =>
  `const rotates = routeOf(exchange).operation.id === "rotateEndpointSecret";\n  if (rotates && (${condition})) return null;\n  ${holdsScope}`;

/** The store tells of every organization's endpoints whether they exist. */
const anyOwner: Change = {
  file: endpoints,
  find: 'db\n        .selectFrom("webhook_endpoints")\n        .select("id")\n        .where("id", "=", id)\n        .where("organization_id", "=", organizationId)\n        .executeTakeFirst()',
  replace:
    'db\n        .selectFrom("webhook_endpoints")\n        .select("id")\n        .where("id", "=", id)\n        .executeTakeFirst()',
};

const withCatalog: Change = {
  file: routes,
  find: 'import { bounds } from "../../generated/limits.ts";',
  replace:
    'import { refuse } from "../../generated/error-rows.ts";\nimport { bounds } from "../../generated/limits.ts";',
};

const unlessThere = (is: string) =>
  `(await webhooks.endpointExists(caller.organization.id, path.id)) ? ${is} : endpointNotFound()`;
const forbidden = unlessThere('refuse.Forbidden("That endpoint is not yours.")');

/** Servers that let the wrong callers, or none, at endpoints, or find what is not there. */
export const endpointAccessMutants: readonly Mutant[] = [
  mutant(
    "WHR-15",
    "made",
    "makes an endpoint of an unknown id",
    routes,
    missed,
    'if (rotated === null) {\n        const wanted = { organizationId: caller.organization.id, url: "https://example.com/", events: [], createdAt: nowOf(caller) };\n        const made = { ...newEndpoint(wanted, world, choices), id: path.id };\n        return { ...wireEndpoint(made, precision), secret, secret_displayed_once: true };\n      }',
  ),
  mutant(
    "WHR-15",
    "beginning",
    "compares all but the last digits of an endpoint's id",
    endpoints,
    'db\n    .updateTable("webhook_endpoints")\n    .set(changes)\n    .where("id", "=", id)',
    `db
    .updateTable("webhook_endpoints")
    .set(changes)\n    .where("id", "like", \`\${id.slice(0, 30)}%\`)`,
  ),
  mutant(
    "WHR-15",
    "conflict",
    "answers an unknown id with a conflict",
    routes,
    missed,
    missed.replace("endpointNotFound()", "endpointInactive() as never"),
  ),
  mutant(
    "WHR-16",
    "soft",
    "rotates a deleted endpoint's secret",
    endpoints,
    changing(owned, notDeleted),
    changing(owned),
  ),
  mutant(
    "WHR-16",
    "conflict",
    "answers for a deleted endpoint with a conflict",
    routes,
    missed,
    `if (rotated === null) return ${unlessThere("(endpointInactive() as never)")};`,
  ),
  mutant(
    "WHR-17",
    "not-found",
    "does not find a malformed id",
    "http/service-rows.ts",
    malformed,
    `operation.id === "rotateEndpointSecret" ? refuse.NotFound(unknownPathMessage) : ${malformed}`,
  ),
  mutant(
    "WHR-17",
    "unanchored",
    "takes for a UUID what begins like one",
    "http/validate-request.ts",
    "const violations = validators.path(values);",
    'const begins = operation.id === "rotateEndpointSecret" && /[0-9a-f-]{36}/.test(String(values.id));\n    const violations = begins ? [] : validators.path(values);',
  ),
  mutant("WHR-18", "open", "lets every key rotate", authorize, holdsScope, alsoIf("true")),
  mutant(
    "WHR-18",
    "reader",
    "lets readers rotate",
    authorize,
    holdsScope,
    alsoIf(`holds(callerOf(exchange), "${operations.listDeliveryAttempts.scope}")`),
  ),
  mutant(
    "WHR-18",
    "writer",
    "lets whoever may write something rotate",
    authorize,
    holdsScope,
    alsoIf('[...Object(callerOf(exchange)).scopes].some((held) => held.endsWith(":write"))'),
  ),
  mutant(
    "TEN-02",
    "rotates",
    "rotates the secret of any organization's endpoint",
    endpoints,
    changing(owned, notDeleted),
    changing(notDeleted),
  ),
  mutantOf("TEN-02", "forbidden", "tells whose secret may not be rotated", [
    withCatalog,
    anyOwner,
    { file: routes, find: missed, replace: `if (rotated === null) return ${forbidden};` },
  ]),
  mutant(
    "TEN-12",
    "deletes",
    "deletes any organization's endpoint",
    endpoints,
    changing(owned, notDeleted),
    changing(notDeleted),
  ),
  mutantOf("TEN-20", "deleted", "deletes any organization's endpoint and says that there is none", [
    {
      file: endpoints,
      find: changing(owned, notDeleted),
      replace: changing(notDeleted),
    },
    {
      file: routes,
      find: "return deleted === null\n        ? endpointNotFound()\n        : afterDeletion(wireEndpoint(deleted, precision), choices.deletedData);",
      replace:
        "return deleted?.organizationId !== caller.organization.id\n        ? endpointNotFound()\n        : afterDeletion(wireEndpoint(deleted, precision), choices.deletedData);",
    },
  ]),
  mutant(
    "TEN-12",
    "tests",
    "finds any organization's endpoint to test",
    endpoints,
    `db.selectFrom("webhook_endpoints").where("id", "=", id)${owned}${notDeleted}`,
    `db.selectFrom("webhook_endpoints").where("id", "=", id)${notDeleted}`,
  ),
  mutantOf("TEN-12", "forbidden", "tells whose endpoint may not be tested", [
    withCatalog,
    anyOwner,
    {
      file: routes,
      find: "if (endpoint === null) return endpointNotFound();",
      replace: `if (endpoint === null) return ${forbidden};`,
    },
  ]),
];
