import type { Json, OpenApiDocument } from "../contract.ts";
import { isList, isObject } from "../schema/schema-node.ts";

type Part = { readonly [name: string]: Json };

/**
 * A document as its readers want it: what stands in many places alike is a component, namely headers of answers, error
 * answers and headers of deliveries; schemas that nothing leads to are gone, but those of `kept`.
 */
export function shareParts(document: OpenApiDocument, kept: ReadonlySet<string>): Part {
  // The emitter and the printers gave plain JSON, which is what a document is.
  const { openapi, info, servers, security, tags, paths, webhooks, components, ...rest } = document as unknown as Part;
  const shared = new SharedParts();
  const shownPaths = eachOperation(paths, (operation) => ({
    ...operation,
    responses: members(operation.responses, ([status, response]) => [status, shared.response(status, response)]),
  }));
  const shownWebhooks = eachOperation(webhooks, (operation) => ({
    ...operation,
    parameters: isList(operation.parameters) ? operation.parameters.map((one) => shared.parameter(one)) : [],
  }));
  const own = isObject(components) ? components : {};
  const all = isObject(own.schemas) ? own.schemas : {};
  const reached = reachable([shownPaths, shownWebhooks, shared.components()], all, kept);
  return {
    ...defined({ openapi, info, servers, security, tags }),
    paths: shownPaths,
    ...(webhooks === undefined ? {} : { webhooks: shownWebhooks }),
    components: {
      ...defined({ securitySchemes: own.securitySchemes }),
      ...shared.components(),
      schemas: Object.fromEntries(Object.entries(all).filter(([name]) => reached.has(name))),
    },
    ...rest,
  };
}

/** Collects components; a part whose name another one has stays where it is. */
class SharedParts {
  private readonly kinds = {
    headers: new Map<string, Json>(),
    responses: new Map<string, Json>(),
    parameters: new Map<string, Json>(),
  };

  /** An error answer is called by the rows that may stand in it. */
  response(status: string, response: Json): Json {
    if (!isObject(response)) return response;
    const headers = members(response.headers, ([name, header]) => [name, this.shared("headers", name, header)]);
    const shown = { ...response, ...(response.headers === undefined ? {} : { headers }) };
    const rows = rowsIn(response.content);
    return status.startsWith("2") || rows.length === 0 ? shown : this.shared("responses", rows.join("Or"), shown);
  }

  /** One that depends on where it stands, such as the type of an event, stays there. */
  parameter(parameter: Json): Json {
    if (!isObject(parameter) || typeof parameter.name !== "string") return parameter;
    const isFixed = isObject(parameter.schema) && parameter.schema.const !== undefined;
    return isFixed ? parameter : this.shared("parameters", parameter.name, parameter);
  }

  components(): Part {
    const filled = Object.entries(this.kinds).filter(([, named]) => named.size > 0);
    return Object.fromEntries(filled.map(([kind, named]) => [kind, Object.fromEntries(named)]));
  }

  private shared(kind: keyof SharedParts["kinds"], name: string, part: Json): Json {
    const known = this.kinds[kind].get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(part)) return part;
    this.kinds[kind].set(name, part);
    return { $ref: `#/components/${kind}/${name}` };
  }
}

const prefix = "#/components/schemas/";

/** Names of the components that an answer's bodies are, one or the other of them; none where a body is something else. */
function rowsIn(content: Json | undefined): readonly string[] {
  const media = Object.values(isObject(content) ? content : {});
  const references = media.flatMap((one) => {
    const schema = isObject(one) && isObject(one.schema) ? one.schema : {};
    const alternatives = isList(schema.anyOf) ? schema.anyOf : [schema];
    return alternatives.map((alternative) => (isObject(alternative) ? alternative.$ref : undefined));
  });
  return references.every((one) => typeof one === "string" && one.startsWith(prefix))
    ? references.map((one) => String(one).slice(prefix.length))
    : [];
}

/** Names of schemas that parts lead to, however deep. */
function reachable(parts: readonly Json[], schemas: Part, kept: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  const pending: Json[] = [...parts];
  const reach = (name: string): void => {
    const schema = schemas[name];
    if (schema === undefined || found.has(name)) return;
    found.add(name);
    pending.push(schema);
  };
  for (const name of kept) reach(name);
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    // A reference is a string of this form wherever it stands: at a $ref, or in a discriminator's mapping.
    if (typeof at === "string" && at.startsWith(prefix)) reach(at.slice(prefix.length));
    else if (isList(at)) pending.push(...at);
    else if (isObject(at)) pending.push(...Object.values(at));
  }
  return found;
}

const eachOperation = (paths: Json | undefined, change: (operation: Part) => Json): Part =>
  members(paths, ([path, item]) => [
    path,
    members(item, ([method, operation]) => [method, isObject(operation) ? change(operation) : operation]),
  ]);

const members = (owner: Json | undefined, change: (member: [string, Json]) => [string, Json]): Part =>
  Object.fromEntries(Object.entries(isObject(owner) ? owner : {}).map(change));

const defined = (parts: { readonly [name: string]: Json | undefined }): Part =>
  Object.fromEntries(Object.entries(parts).filter((entry): entry is [string, Json] => entry[1] !== undefined));
