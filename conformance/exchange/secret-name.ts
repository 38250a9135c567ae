import { operations } from "../../generated/operations.ts";
import type { Exchange } from "./exchange.ts";

const endpointSecret = "ENDPOINT_SECRET_";
const organizationSecret = "ORGANIZATION_SECRET_";

/** The name of a secret that an exchange showed, in everything that is shown. */
export function secretName({ operation, number }: Pick<Exchange, "operation" | "number">): string {
  switch (operation) {
    case operations.rotateEndpointSecret.id:
      return `${endpointSecret}${number}`;
    case operations.rotateOrganizationSecret.id:
      return `${organizationSecret}${number}`;
    default:
      return `SECRET_${number}`;
  }
}

/** Whether a name is that of the secret which signs deliveries to a webhook endpoint. */
export const namesEndpointSecret = (name: string): boolean => name.startsWith(endpointSecret);

/** Whether a name is that of a key, which the kit was given or which an answer showed. */
export const namesKey = (name: string): boolean => /^SECRET_|(^|_)KEY(_|$)/.test(name);
