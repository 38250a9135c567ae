import express, { type Express, type NextFunction, type Request, type Response } from "express";
import type { Logger } from "pino";
import { refuse } from "../../generated/error-rows.ts";
import type { Operation } from "../../generated/runtime/operation.ts";
import { writeJson, writeRefusal } from "./envelope.ts";
import type { Exchange, Route, Step } from "./exchange.ts";
import { newRequestId, requestIdHeader } from "./request-id.ts";
import { logRequests } from "./request-log.ts";
import { serveExchange } from "./serve-exchange.ts";
import { serviceRows } from "./service-rows.ts";
import { decodableUrl } from "./decodable-url.ts";

/** Operations under one base path, with the way that their requests take. */
export interface Service<Caller> {
  readonly name: Operation["service"];
  /** Path that all its operations are under, such as `/v1`. */
  readonly base: string;
  readonly routes: readonly Route<Caller>[];
  readonly steps: readonly Step<Caller>[];
  /** What a request passes before it learns that its path or method does not exist. */
  readonly entry: Step<Caller>;
}

export interface AppParts {
  /** Puts each service on the app; a callback, since services differ in their callers. */
  readonly mount: (put: <Caller>(service: Service<Caller>) => void) => void;
  /** Whether the server can serve. */
  readonly ready: () => Promise<boolean>;
  readonly log: Logger;
}

/** The Express application: what is at which path. What happens to a request is in its service's steps. */
export function createApp({ mount, ready, log }: AppParts): Express {
  const app = express();
  app.disable("x-powered-by").disable("etag").enable("case sensitive routing").enable("strict routing");
  app.use(identify, logRequests(log), decodableUrl);
  app.get("/healthz", (_request, response) => writeJson(response, 200, { status: "ok" }));
  app.get("/readyz", async (_request, response) => {
    const isReady = await ready();
    writeJson(response, isReady ? 200 : 503, { status: isReady ? "ready" : "not ready" });
  });
  mount((service) => putService(app, service, log));
  app.use((_request, response) => {
    writeRefusal(response, serviceRows.api.unknownPath("There is nothing at this path."), requestIdOf(response));
  });
  app.use((problem: unknown, _request: Request, response: Response, _next: NextFunction) => {
    log.error({ err: problem, request_id: requestIdOf(response) }, "a request failed before its steps");
    if (response.headersSent) response.destroy();
    else writeRefusal(response, serviceRows.api.failed("The server failed to answer."), requestIdOf(response));
  });
  return app;
}

function identify(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader(requestIdHeader, newRequestId());
  next();
}

const requestIdOf = (response: Response): string => String(response.getHeader(requestIdHeader));

function putService<Caller>(app: Express, service: Service<Caller>, log: Logger): void {
  const { name, routes, steps, entry } = service;
  for (const [path, atPath] of byPath(routes)) {
    app.all(expressPath(path), async (request, response) => {
      const route = atPath.find(({ operation }) => operation.method === request.method) ?? null;
      const exchange = exchangeOf<Caller>(request, response, route, log);
      response.locals.pathTemplate = path;
      await serveExchange(exchange, route ? steps : [entry, () => wrongMethod(atPath)], name);
    });
  }
  app.use(service.base, async (request, response) => {
    const unknown = serviceRows[name].unknownPath("There is nothing at this path. Look at the list of operations.");
    await serveExchange(exchangeOf<Caller>(request, response, null, log), [entry, () => unknown], name);
  });
}

function exchangeOf<Caller>(
  request: Request,
  response: Response,
  route: Route<Caller> | null,
  log: Logger,
): Exchange<Caller> {
  return { request, response, requestId: requestIdOf(response), log, route, input: {}, caller: null, data: undefined };
}

function wrongMethod<Caller>(atPath: readonly Route<Caller>[]) {
  const methods = atPath.map(({ operation }) => operation.method).join(", ");
  return refuse.MethodNotAllowed(`This path serves ${methods} only.`, { Allow: methods });
}

/** Routes by path template, paths with fixed words before those with a parameter at the same place. */
function byPath<Caller>(routes: readonly Route<Caller>[]): readonly [string, readonly Route<Caller>[]][] {
  return Object.entries(Object.groupBy(routes, ({ operation }) => operation.path))
    .map(([path, atPath = []]): [string, readonly Route<Caller>[]] => [path, atPath])
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** `{name}` as Express writes it. */
const expressPath = (template: string): string => template.replaceAll(/\{(\w+)\}/g, ":$1");
