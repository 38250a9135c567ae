import { AsyncLocalStorage } from "node:async_hooks";
import { isDeepStrictEqual } from "node:util";
import { parsed, type Serve, type Wire, type WireAnswer, type WireRequest } from "./wire.ts";

/** A call that wires changed, as its client made it and had it answered. */
export interface WireTrace {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly status: number;
  /** The body of the answer as text. */
  readonly text: string;
  /**
   * What was changed: `request`, also where more was asked than the client did, `status`, `header <name>`, a JSON Pointer into the answer's body, `body` where it is no
   * JSON, and `answer` where the server was not asked.
   */
  readonly places: readonly string[];
}

/** A call as the server got it, and what it answered. */
interface Passed {
  readonly request: WireRequest;
  readonly answer: WireAnswer;
}

const passed = new AsyncLocalStorage<Passed[]>();

/** The wires around `serve`, the last outermost; `tell` is told of each call that they changed. */
export function tracing(serve: Serve, wires: readonly Wire[], tell: (trace: WireTrace) => void): Serve {
  const inner: Serve = async (request) => {
    const answer = await serve(request);
    passed.getStore()?.push({ request, answer });
    return answer;
  };
  const outer = wires.reduce<Serve>((within, wire) => wire(within), inner);
  return async (request) => {
    const calls: Passed[] = [];
    const answer = await passed.run(calls, () => outer(request));
    const places = changedPlaces(request, answer, calls);
    if (places.length > 0) {
      const { method, path } = request;
      tell({ method, path, status: answer.status, text: answer.bytes.toString(), places });
    }
    return answer;
  };
}

function changedPlaces(request: WireRequest, answer: WireAnswer, calls: readonly Passed[]): readonly string[] {
  // A wire may ask for more than the client did.
  const own = calls.find((call) => call.request === request) ?? calls.at(-1);
  if (own === undefined) return ["answer"];
  const isSame =
    own.request === request ||
    (own.request.path === request.path &&
      own.request.method === request.method &&
      own.request.bytes.equals(request.bytes) &&
      isDeepStrictEqual(own.request.rawHeaders, request.rawHeaders));
  // What is done besides is done for no other reason.
  const isDoingMore = calls.some((call) => call !== own && call.request.method !== "GET");
  return [...(isSame && !isDoingMore ? [] : ["request"]), ...answerPlaces(own.answer, answer)];
}

/** Headers that tell of the body's length. */
const framing = new Set(["content-length", "transfer-encoding", "etag"]);

function answerPlaces(before: WireAnswer, after: WireAnswer): readonly string[] {
  if (before === after) return [];
  const [old, now] = [byName(before), byName(after)];
  const names = [...new Set([...old.keys(), ...now.keys()])].filter((name) => !framing.has(name));
  return [
    ...(before.status === after.status ? [] : ["status"]),
    ...names.filter((name) => !isDeepStrictEqual(old.get(name), now.get(name))).map((name) => `header ${name}`),
    ...(before.bytes.equals(after.bytes) ? [] : bodyPlaces(parsed(before.bytes), parsed(after.bytes))),
  ];
}

const byName = ({ headers }: WireAnswer): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function bodyPlaces(before: unknown, after: unknown): readonly string[] {
  if (before === undefined || after === undefined) return ["body"];
  const places = differing(before, after, "");
  return places.length > 0 ? places : ["body"];
}

/** Where two values of JSON differ: the innermost places that both have, and members that one of them has. */
function differing(before: unknown, after: unknown, at: string): readonly string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isContainer(before) || !isContainer(after) || Array.isArray(before) !== Array.isArray(after)) return [at];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => differing(before[name], after[name], `${at}/${escaped(name)}`));
}

const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");
