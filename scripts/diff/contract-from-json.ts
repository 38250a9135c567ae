import { type Contract, contractFormat } from "../../compiler/contract.ts";
import { CannotRun } from "../commands/cannot-run.ts";
import { fromOlderFormat } from "./older-contract.ts";

const lists: readonly (keyof Contract)[] = [
  ...([
    "services",
    "callers",
    "operations",
    "errors",
    "reservedCodes",
    "scopes",
    "buckets",
    "bounds",
    "constants",
  ] as const),
  ...(["eventTypes", "deliveryHeaders", "entities", "rules", "questions"] as const),
];

/** Whether a value says that it is a contract, of whatever format. */
export const isContractLike = (value: unknown): value is { readonly contractFormat: unknown } =>
  typeof value === "object" && value !== null && "contractFormat" in value;

/** A contract that was printed as JSON; `shown` names where it comes from. */
export function contractFromJson(read: unknown, shown: string): Contract {
  if (!isContractLike(read)) {
    throw new CannotRun(
      `${shown} is no contract: it has no "contractFormat".\n  Name a contract.json that bylaw compiled.`,
    );
  }
  const value = fromOlderFormat(read);
  if (!isContractLike(value) || value.contractFormat !== contractFormat) {
    throw new CannotRun(
      `${shown} has contract format ${JSON.stringify(read.contractFormat)}; this bylaw reads format ${contractFormat} and the one before.\n  Compile it again with this version, or compare the OpenAPI document beside it: for a commit, bylaw diff REF:generated/openapi.yaml generated/openapi.yaml.`,
    );
  }
  const wrong = isContract(value) ? null : missingPart(value);
  if (wrong === null && isContract(value)) return value;
  throw new CannotRun(
    `${shown} is no whole contract: "${wrong}" is missing or of the wrong kind.\n  Compile it again.`,
  );
}

/** The compiler wrote the file: its format number and its parts tell whether it is whole. */
const isContract = (value: object): value is Contract => missingPart(value) === null;

function missingPart(value: object): string | null {
  const members: Partial<Record<string, unknown>> = { ...value };
  const list = lists.find((name) => !Array.isArray(members[name]));
  if (list !== undefined) return list;
  const services: readonly unknown[] = Array.isArray(members.services) ? members.services : [];
  return services.length > 0 && services.every(isService) ? null : "services";
}

const isService = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "document" in value && isOpenApi(value.document);

const isOpenApi = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "paths" in value && "components" in value;
