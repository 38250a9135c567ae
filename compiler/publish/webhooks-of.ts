import type { Contract, DeliveryHeader, Json, JsonSchema } from "../contract.ts";
import { camelCased } from "../text/camel-cased.ts";
import { deliveryBodyOf } from "./delivery-body.ts";
import type { Statuses } from "./statuses.ts";

/** A request of the server to a receiver, for each type of event: its signed headers and what it holds. */
export function webhooksOf(contract: Contract, statuses: Statuses): { readonly [eventType: string]: Json } {
  const webhooks = contract.eventTypes.map((type): [string, Json] => [
    type,
    {
      post: {
        operationId: `${camelCased(type)}Delivery`,
        summary: `Delivery of ${type}`,
        description: `Sent to every receiver that subscribes to \`${type}\`, until it answers.`,
        security: [],
        parameters: contract.deliveryHeaders.filter(isParameter).map((header) => parameterOf(header, type)),
        requestBody: { required: true, content: { "application/json": { schema: bodyOf(contract, type, statuses) } } },
        responses: { "2XX": { description: "The receiver has the event." } },
      },
    },
  ]);
  return Object.fromEntries(webhooks);
}

/** OpenAPI ignores parameters of these names: the content says the type, and nothing else is of interest. */
const isParameter = ({ name }: DeliveryHeader): boolean =>
  !["accept", "authorization", "content-type"].includes(name.toLowerCase());

function parameterOf({ name, summary, pattern, component }: DeliveryHeader, type: string): Json {
  const text = pattern === null ? { type: "string" } : { type: "string", pattern };
  return {
    name,
    in: "header",
    required: true,
    description: summary,
    schema: component === null ? text : { type: "string", const: type },
  };
}

/** A form that the contract leaves open is described only where the reference's choices are. */
function bodyOf(contract: Contract, type: string, statuses: Statuses): JsonSchema {
  const body = deliveryBodyOf(contract);
  if (body === null) return { description: "The event, as JSON." };
  if (body.question !== null && statuses === "allowed") {
    return { description: `The event, as JSON; its form is left open (${body.question}).` };
  }
  const reference = `#/components/schemas/${body.component}`;
  const [member] = typeMembers(contract, body.component);
  return member === undefined
    ? { $ref: reference }
    : { allOf: [{ $ref: reference }, { type: "object", properties: { [member]: { const: type } } }] };
}

/** Members of a component that hold the type of an event. */
function typeMembers({ services, deliveryHeaders }: Contract, component: string): readonly string[] {
  const types = deliveryHeaders.flatMap(({ component: named }) =>
    named === null ? [] : [`#/components/schemas/${named}`],
  );
  const properties = services[0]?.document.components.schemas[component]?.properties;
  if (typeof properties !== "object" || properties === null || Array.isArray(properties)) return [];
  return Object.entries(properties).flatMap(([name, schema]) => {
    const refers = typeof schema === "object" && schema !== null && "$ref" in schema ? schema.$ref : undefined;
    return types.some((type) => type === refers) ? [name] : [];
  });
}
