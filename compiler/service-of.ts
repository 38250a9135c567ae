import type { Contract, OpenApiDocument, OpenApiOperation, Operation, Service, ServiceName } from "./contract.ts";

/** The service that clients rely on, whose document and version stand for the contract. */
export function mainService({ services }: Pick<Contract, "services">): Service {
  const first = services.find(({ testing }) => !testing) ?? services[0];
  if (first === undefined) throw new Error("The contract has no service.");
  return first;
}

/** A service of the contract by name. */
export function serviceOf({ services }: Pick<Contract, "services">, name: ServiceName): Service {
  const found = services.find((service) => service.name === name);
  if (found === undefined) throw new Error(`The contract has no service ${name}.`);
  return found;
}

/** The OpenAPI document that describes an operation. */
export const documentOf = (contract: Contract, { service }: Pick<Operation, "service">): OpenApiDocument =>
  serviceOf(contract, service).document;

/** An operation's entry in its document. */
export const describedBy = (contract: Contract, operation: Operation): OpenApiOperation | undefined =>
  documentOf(contract, operation).paths[operation.path]?.[operation.method];
