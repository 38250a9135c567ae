import { operationList } from "../../../generated/operations.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { Operation } from "../../../generated/runtime/operation.ts";
import { operationSchemas } from "../../../generated/schemas.ts";
import type { Change, Mutant } from "../edit.ts";

/** A way to break a rule over many operations at one of them; `at` is the condition that a request is for that one. */
interface Fault {
  readonly breaks: RuleId;
  readonly does: string;
  readonly changes: (at: string) => readonly Change[];
  /** Operations that the rule binds; all when left out. */
  readonly binds?: (operation: ApiOperation) => boolean;
}

export type ApiOperation = Operation & { readonly id: keyof typeof operationSchemas };

const step = (find: string, replace: string): Change => ({
  file: "http/request-path.ts",
  find: `    ${find},`,
  replace: `    ${replace},`,
});

const importing = (names: string, becomes: string): Change => ({
  file: "http/request-path.ts",
  find: `import { ${names} } from "./exchange.ts";`,
  replace: `import { ${becomes} } from "./exchange.ts";`,
});
const scopeFirst = '  const scopeFirst = choices.checkOrder === "scope-first";';
const declaring = (name: string, value: string): Change => ({
  file: "http/request-path.ts",
  find: scopeFirst,
  replace: `  const ${name} = ${value};\n${scopeFirst}`,
});
const authentication = "authenticate(store, noteUse, rows)";
const before = (find: string, added: string): Change => step(find, `${added},\n    ${find}`);
const authenticatedThen = (at: string, becomes: string): Change =>
  step(
    authentication,
    `async (exchange) => {\n      const refusal = await ${authentication}(exchange);\n      return refusal !== null && ${at} ? ${becomes} : refusal;\n    }`,
  );
const header = (name: string): string => `exchange.request.headers["${name}"]`;
const withoutScope = (at: string): Change =>
  step("scopeFirst && scope", `scopeFirst && ((exchange) => (${at} ? null : scope(exchange)))`);

const onRecord = ({ path }: ApiOperation): boolean => path.includes("{");
const withBody = ({ id }: ApiOperation): boolean => operationSchemas[id].body !== null;
const withQuery = ({ id }: ApiOperation): boolean => operationSchemas[id].query !== null;

const faults: readonly Fault[] = [
  {
    breaks: "ENV-01",
    does: "does not serve it",
    changes: (at) => [before(authentication, `(exchange) => (${at} ? rows.unknownPath() : null)`)],
  },
  {
    breaks: "ENV-31",
    does: "finds nothing there for broken JSON",
    changes: (at) => [
      {
        file: "http/validate-request.ts",
        find: "return rows.notJson(body.why);",
        replace: `return ${at} ? rows.unknownPath() : rows.notJson(body.why);`,
      },
    ],
    binds: withBody,
  },
  {
    breaks: "AUTH-01",
    does: "finds nothing there for a caller without credentials",
    changes: (at) => [authenticatedThen(at, `${header("authorization")} === undefined ? rows.unknownPath() : refusal`)],
  },
  {
    breaks: "AUTH-04",
    does: "finds nothing there for a caller with an unknown key",
    changes: (at) => [authenticatedThen(at, `${header("authorization")} === undefined ? refusal : rows.unknownPath()`)],
  },
  {
    breaks: "AUTH-05",
    does: "finds nothing there for a key that authenticated before and is revoked",
    changes: (at) => [
      declaring("known", "new Set<string>()"),
      step(
        authentication,
        `async (exchange) => {
      const refusal = await ${authentication}(exchange);
      const sent = String(${header("authorization")});
      if (refusal === null) known.add(sent);
      return refusal !== null && ${at} && known.has(sent) ? rows.unknownPath() : refusal;
    }`,
      ),
    ],
  },
  {
    breaks: "AUTH-09",
    does: "tells callers without valid credentials what else is wrong",
    changes: (at) => [
      authenticatedThen(
        at,
        "((await path(validation)(exchange as never)) ?? (await bodyAndQuery(validation)(exchange as never)) ?? refusal)",
      ),
    ],
    binds: (operation) => onRecord(operation) || withBody(operation) || withQuery(operation),
  },
  { breaks: "AUTH-12", does: "serves every key", changes: (at) => [withoutScope(at)] },
  {
    breaks: "AUTH-14",
    does: "looks for the record before it looks at the scope",
    changes: (at) => [
      withoutScope(at),
      step("handle", `async (exchange) => (await handle(exchange)) ?? (${at} ? scope(exchange) : null)`),
    ],
    binds: onRecord,
  },
  {
    breaks: "AUTH-15",
    does: "looks at the body before it looks at the scope",
    changes: (at) => [
      withoutScope(at),
      step("bodyAndQuery(validation)", `bodyAndQuery(validation),\n    (exchange) => (${at} ? scope(exchange) : null)`),
    ],
    binds: withBody,
  },
  {
    breaks: "AUTH-21",
    does: "ignores the staff header",
    changes: (at) => [step("platformHeader(store)", `(exchange) => (${at} ? null : platformHeader(store)(exchange))`)],
  },
  {
    breaks: "AUTH-22",
    does: "repeats the staff header's value",
    changes: (at) => [
      step(
        "platformHeader(store)",
        `async (exchange) => {\n      const refusal = await platformHeader(store)(exchange);\n      const named = ${header("x-target-org")};\n      return refusal !== null && ${at} ? Object.assign(refusal, { message: \`You are not of \${named}.\` }) : refusal;\n    }`,
      ),
    ],
  },
  {
    breaks: "AUTH-23",
    does: "looks at the staff header before the credentials",
    changes: (at) => [
      before(
        authentication,
        `(exchange) => (${at} && ${header("x-target-org")} !== undefined ? rows.unknownPath() : null)`,
      ),
    ],
  },
  {
    breaks: "ENV-32",
    does: "finds nothing there when it fails inside",
    changes: (at) => [
      step(
        "sandbox && outage(store)",
        `sandbox && (async (exchange) => {
      try {
        return await outage(store)(exchange);
      } catch (error) {
        if (${at}) return rows.unknownPath();
        throw error;
      }
    })`,
      ),
    ],
  },
  {
    breaks: "TEN-05",
    does: "says that the record of another organization is another's",
    changes: (at) => [
      importing("routeOf, type Step", "callerOf, routeOf, type Step"),
      declaring("owners", "new Map<string, string>()"),
      step(
        "handle",
        `async (exchange) => {
      const refusal = await handle(exchange);
      const mine = callerOf(exchange).organization.id;
      for (const id of JSON.stringify(exchange.data ?? null).match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [])
        owners.set(id, owners.get(id) ?? mine);
      const owner = owners.get(String(exchange.request.params.id).toLowerCase()) ?? mine;
      return refusal !== null && ${at} && owner !== mine ? Object.assign(refusal, { message: "That is another's." }) : refusal;
    }`,
      ),
    ],
    // Keys are made by the sandbox, on another way.
    binds: (operation) => onRecord(operation) && operation.resource !== "api-keys",
  },
];

export const apiOperations = operationList.filter(
  (operation): operation is ApiOperation => operation.service === "api",
);

/** Servers that break a rule over many operations at one of them alone: every rule at every operation that it binds. */
export const oneOperationMutants: readonly Mutant[] = faults.flatMap(({ breaks, does, changes, binds }) =>
  apiOperations
    .filter((operation) => binds?.(operation) ?? true)
    .map(({ id }) => ({
      id: `${breaks}-at-${id}`,
      does: `at ${id} alone, ${does}`,
      breaks,
      at: id,
      changes: changes(`routeOf(exchange).operation.id === "${id}"`),
    })),
);
