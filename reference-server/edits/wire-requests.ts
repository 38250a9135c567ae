import { onRequest, parsed, type Wire, type WireRequest } from "./wire.ts";

/** The same request with another value for a header; undefined leaves it out. */
export function withRequestHeader(request: WireRequest, name: string, value: string | undefined): WireRequest {
  const { [name]: _, ...headers } = request.headers;
  const kept = request.rawHeaders.filter((_, at) => request.rawHeaders[at - (at % 2)]?.toLowerCase() !== name);
  return value === undefined
    ? { ...request, headers, rawHeaders: kept }
    : { ...request, headers: { ...headers, [name]: value }, rawHeaders: [...kept, name, value] };
}

/** What a request gives as its credential; empty for none. */
export const tokenOf = ({ headers }: WireRequest): string => headers.authorization?.replace(/^bearer +/i, "") ?? "";

/** The same request by another key. */
export const withKey = (request: WireRequest, key: string): WireRequest =>
  withRequestHeader(request, "authorization", `Bearer ${key}`);

/** The same request for another record. */
export const withId = (request: WireRequest, id: string): WireRequest => ({
  ...request,
  path: request.path.replace(request.parameters.id ?? "", id),
  parameters: { ...request.parameters, id },
});

/** The same request with another body, as JSON. */
export const withRequestBody = (request: WireRequest, body: unknown): WireRequest => ({
  ...request,
  bytes: Buffer.from(JSON.stringify(body)),
});

/** Writes the recipient of a send as an E.164 number if it is spelled in another way, and reports it. */
export const normalizingRecipient = (report: (phoneNumber: string) => void = () => undefined): Wire =>
  onRequest("sendMessage", (request) => {
    const body = bodyOf(request);
    const { to } = Object(body);
    if (typeof to !== "string" || /^\+\d+$/.test(to)) return request;
    const phoneNumber = `+${to.replace(/^(tel:|00)/, "").replace(/[^\d]/g, "")}`;
    report(phoneNumber);
    return withRequestBody(request, { ...Object(body), to: phoneNumber });
  });

/** What the request's body says; undefined when it is no JSON. */
export const bodyOf = ({ bytes }: WireRequest): unknown => parsed(bytes);

/** The parameters in the request's query. */
export const queryOf = ({ path }: WireRequest): URLSearchParams => new URLSearchParams(path.split("?")[1]);

/** The same request with other parameters in its query; undefined ones are left out. */
export function withQuery(request: WireRequest, changes: Readonly<Record<string, string | undefined>>): WireRequest {
  const query = queryOf(request);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  const [path = ""] = request.path.split("?");
  return { ...request, path: query.size === 0 ? path : `${path}?${query}` };
}
