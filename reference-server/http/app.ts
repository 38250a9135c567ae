import type { RequestListener } from "node:http";
import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from "express";
import type { Logger } from "pino";
import type { Choices } from "../../generated/choices.ts";
import { writeJson, writeRefusal } from "./envelope.ts";
import type { Exchange, Route, Step } from "./exchange.ts";
import { requestIdFor } from "./request-id.ts";
import { requestLog } from "./request-log.ts";
import { routableUrl } from "./routable-url.ts";
import { routeTable } from "./route-table.ts";
import { serveExchange } from "./serve-exchange.ts";
import { apiRows, type ServiceRows } from "./service-rows.ts";

/** Operations under one base path, with the way that their requests take. */
export interface Service<Caller> {
  /** Path that all its operations are under, such as `/v1`. */
  readonly base: string;
  readonly rows: ServiceRows;
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
  /** Pages outside all services, by the path that they are under. */
  readonly pages: Readonly<Record<string, RequestHandler>>;
  readonly choices: Choices;
  readonly log: Logger;
}

/** What is at which path. What happens to a request there is in the steps of its service. */
export function createApp({ mount, ready, pages, choices, log }: AppParts): RequestListener {
  const app = express();
  const rows = apiRows(choices);
  app.disable("x-powered-by").enable("case sensitive routing").enable("strict routing");
  app.use(identify(choices, log));
  // Before the other paths: Express tries what it has in this order, and most requests are for a service.
  mount((service) => putService(app, service, choices, log));
  putHealth(app, ready);
  for (const [path, serve] of Object.entries(pages)) app.all(path, serve);
  app.use((_request, response) => writeRefusal(response, rows.unknownPath(), requestIdOf(response)));
  // Express knows a handler of errors by its four parameters.
  app.use((problem: unknown, _request: Request, response: Response, _next: NextFunction) => {
    log.error({ err: problem, request_id: requestIdOf(response) }, "a request failed outside its steps");
    if (response.headersSent) response.destroy();
    else writeRefusal(response, rows.failed(), requestIdOf(response));
  });
  return (request, response) => {
    // Express itself would answer what it cannot route, and not with the envelope.
    request.url = routableUrl(request.url ?? "");
    app(request, response);
  };
}

/** For whoever runs the server: whether the process answers, and whether it can serve. */
function putHealth(app: Express, ready: () => Promise<boolean>): void {
  app.get("/healthz", (_request, response) => {
    response.locals.pathTemplate = "/healthz";
    writeJson(response, 200, { status: "ok" }, requestIdOf(response));
  });
  app.get("/readyz", async (_request, response) => {
    response.locals.pathTemplate = "/readyz";
    const isReady = await ready();
    writeJson(response, isReady ? 200 : 503, { status: isReady ? "ready" : "not ready" }, requestIdOf(response));
  });
}

function identify(choices: Choices, log: Logger): RequestHandler {
  const logged = requestLog(log);
  return (request, response, next) => {
    response.locals.requestId = requestIdFor(request, choices.requestId);
    logged(request, response);
    next();
  };
}

const requestIdOf = (response: Response): string => String(response.locals.requestId);

/** One look at a table finds an operation: Express would try the pattern of one path after the other. */
function putService<Caller>(app: Express, service: Service<Caller>, choices: Choices, log: Logger): void {
  const { base, rows, routes, steps, entry } = service;
  const find = routeTable(Object.entries(Object.groupBy(routes, ({ operation }) => operation.path)));
  const missing = (atPath: readonly Route<Caller>[] | null): readonly Step<Caller>[] =>
    atPath === null
      ? [entry, () => rows.unknownPath()]
      : [entry, () => rows.wrongMethod(atPath.map(({ operation }) => operation.method))];
  app.use((request, response, next) => {
    const [path = ""] = request.url.split("?", 1);
    if (path !== base && !path.startsWith(`${base}/`)) return next();
    const found = find(path);
    const atPath = found?.value ?? null;
    const route = atPath?.find(({ operation }) => operation.method === request.method) ?? null;
    response.locals.pathTemplate = atPath?.[0]?.operation.path;
    const exchange: Exchange<Caller> = {
      request,
      response,
      requestId: requestIdOf(response),
      parameters: found?.parameters ?? {},
      log,
      route,
      input: {},
      undo: [],
      caller: null,
      data: undefined,
      beside: {},
    };
    return serveExchange(exchange, route === null ? missing(atPath) : steps, rows, choices);
  });
}
