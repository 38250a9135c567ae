import { operations } from "../../generated/operations.ts";
import type { Exchange } from "./exchange.ts";

const endpointSecret = "ENDPOINT_SECRET_";

/** The name of a secret that an exchange showed, in everything that is shown. */
export const secretName = ({ operation, number }: Pick<Exchange, "operation" | "number">): string =>
  `${operation === operations.rotateEndpointSecret.id ? endpointSecret : "SECRET_"}${number}`;

/** Whether a name is that of the secret which signs deliveries to a webhook endpoint. */
export const namesEndpointSecret = (name: string): boolean => name.startsWith(endpointSecret);
