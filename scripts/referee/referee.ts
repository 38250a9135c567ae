import { join } from "node:path";
import { createInstance, getHttpOperationsFromSpec, type IHttpRequest } from "@stoplight/prism-http";
import { pino } from "pino";
import { operationOf } from "../../conformance/sending/sender.ts";
import { operationList } from "../../generated/operations.ts";
import { parsed, type Wire, type WireAnswer, type WireRequest } from "../../reference-server/edits/wire.ts";
import { isOutsideContract } from "../outside-contract.ts";

/** One answer to an operation of the API, and what the referee says of it and of its request. */
export interface Refereed {
  readonly operation: string;
  readonly status: number;
  readonly ofRequest: readonly Violation[];
  readonly ofAnswer: readonly Violation[];
}

/** As Prism reports it. */
export interface Violation {
  /** The place in a request or an answer. */
  readonly path?: readonly string[];
  readonly message: string;
}

export interface Referee {
  /** Has each exchange judged that passes. */
  readonly wire: Wire;
  readonly refereed: readonly Refereed[];
}

const document = join(import.meta.dirname, "../../generated/openapi.yaml");

/** What the referee holds against answers; requests are wrong on purpose. Statuses without description are among it. */
export const againstAnswers = (refereed: readonly Refereed[]): readonly string[] => [
  ...new Set(refereed.flatMap((each) => each.ofAnswer.map((violation) => described(each, violation)))),
];

const described = ({ operation, status }: Refereed, { path = [], message }: Violation): string =>
  `${operation} ${status} ${path.join("/")}: ${message}`;

/** Where a request goes says nothing of it. */
const somewhere = "http://127.0.0.1";
const ofApi = new Set<string>(operationList.flatMap(({ id, service }) => (service === "api" ? [id] : [])));

/** Prism as it validates for its proxy, but exchanges that have taken place: none has to pass through it. */
export async function createReferee(): Promise<Referee> {
  const resources = await getHttpOperationsFromSpec(document);
  const logger = pino({ level: "silent" });
  const refereed: Refereed[] = [];
  const own = new Map(
    operationList.map(({ id, method, path }) => [id as string, resources.filter(isAt(method, path))]),
  );
  const found = new Set<string>();
  // That Prism finds an operation among all others is seen once: to look for it takes longer than all else that it does.
  const among = (operation: string): typeof resources => {
    if (found.has(operation)) return own.get(operation) ?? [];
    found.add(operation);
    return resources;
  };
  const judge = async (operation: string, request: WireRequest, answer: WireAnswer): Promise<void> => {
    const output = toldAnswer(answer);
    const prism = createInstance(
      {
        ...{ isProxy: true, upstream: new URL(somewhere), upstreamProxy: undefined, mock: { dynamic: false } },
        ...{ checkSecurity: true, validateRequest: hasReadableType(request), validateResponse: true, errors: true },
      },
      { logger, forward: () => () => async () => ({ _tag: "Right", right: output }) },
    );
    const judged = await prism.request(toldRequest(request), among(operation))();
    if (judged._tag === "Left") throw new Error(`Prism finds no way to judge ${operation}: ${judged.left}`);
    const { input: ofRequest, output: ofAnswer } = judged.right.validations;
    refereed.push({ operation, status: answer.status, ofRequest, ofAnswer });
  };
  const wire: Wire = (serve) => async (request) => {
    const answer = await serve(request);
    const operation = operationOf(request.method, request.path);
    // The document says nothing about others.
    if (operation !== null && ofApi.has(operation) && !isOutsideContract(answer))
      await judge(operation, request, answer);
    return answer;
  };
  return { wire, refereed };
}

const isAt = (method: string, path: string) => (resource: { readonly method: string; readonly path: string }) =>
  resource.method.toUpperCase() === method && resource.path === path;

/** Prism throws at a media type that isn't a type and a subtype; the answer is judged all the same. */
const hasReadableType = ({ headers }: WireRequest): boolean => headers["content-type"]?.includes("/") ?? true;

function toldRequest({ method, path, headers, bytes }: WireRequest): IHttpRequest {
  const { pathname, searchParams } = new URL(path, somewhere);
  const query = [...new Set(searchParams.keys())].map((name) => {
    const [first = "", ...others] = searchParams.getAll(name);
    return [name, others.length === 0 ? first : [first, ...others]] as const;
  });
  return {
    method: method.toLowerCase() as IHttpRequest["method"],
    url: { path: pathname, query: Object.fromEntries(query) },
    headers: joined(headers),
    body: bytes.length === 0 ? null : toldBody(headers["content-type"], bytes),
  };
}

const toldAnswer = ({ status, headers, bytes }: WireAnswer) => ({
  statusCode: status,
  headers: joined(headers),
  body: toldBody(String(headers["content-type"]), bytes),
});

const joined = (headers: Readonly<Record<string, string | readonly string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, [value].flat().join(",")]])),
  );

/** JSON where it is declared and is there, else text. */
const toldBody = (contentType = "", bytes: Buffer): unknown =>
  /^application\/([^;]+\+)?json\s*(;|$)/i.test(contentType.trim())
    ? (parsed(bytes) ?? bytes.toString())
    : bytes.toString();
