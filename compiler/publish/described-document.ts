import type { Contract, Json, OpenApiDocument, OpenApiOperation, Operation, ServiceName } from "../contract.ts";
import { mainService, serviceOf } from "../service-of.ts";
import { exactResponses } from "./exact-responses.ts";
import type { Statuses } from "./statuses.ts";
import { webhooksOf } from "./webhooks-of.ts";

/**
 * A service's document with what OpenAPI has words for and the contract knows: webhooks, and the scopes that operations
 * need, as roles. A contract that was read from a document adds nothing to it.
 */
export function describedDocument(contract: Contract, service: ServiceName, statuses: Statuses): OpenApiDocument {
  const { document } = serviceOf(contract, service);
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const methods = Object.entries(item).map(([method, described]) => {
      const ours = contract.operations.find((o) => o.service === service && o.path === path && o.method === method);
      return [method, ours ? describedOperation(contract, document, described, ours, statuses) : described] as const;
    });
    return [path, Object.fromEntries(methods)] as const;
  });
  const webhooks = mainService(contract).name === service ? webhooksOf(contract, statuses) : {};
  return {
    ...document,
    paths: Object.fromEntries(paths),
    ...(Object.keys(webhooks).length > 0 ? { webhooks } : {}),
  };
}

/** A contract whose documents say what is published: as such it is compared with a document. */
export const asPublished = (contract: Contract): Contract => ({
  ...contract,
  services: contract.services.map((service) => ({
    ...service,
    document: describedDocument(contract, service.name, "allowed"),
  })),
});

function describedOperation(
  contract: Contract,
  document: OpenApiDocument,
  described: OpenApiOperation,
  ours: Operation,
  statuses: Statuses,
): OpenApiOperation {
  const { responses } = described;
  const isKnown = ours.scope !== null && (ours.scopeQuestion === null || statuses === "reference");
  return {
    ...described,
    ...(isKnown ? { security: withRole(described.security ?? document.security, ours.scope) } : {}),
    responses: statuses === "allowed" ? responses : exactResponses(responses, ours, contract.errors),
  };
}

/** OpenAPI 3.1 names roles where OAuth has scopes: each scheme of each alternative needs the role. */
function withRole(security: unknown, role: string | null): readonly Json[] {
  const alternatives: readonly unknown[] = Array.isArray(security) ? security : [];
  return alternatives.map((alternative) =>
    Object.fromEntries(Object.keys(alternative ?? {}).map((scheme) => [scheme, role === null ? [] : [role]])),
  );
}
