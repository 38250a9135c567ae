import type { Request, Response } from "express";
import type { Logger } from "pino";

/** One line for each request, without anything that the client wrote: paths, headers and bodies may hold secrets. */
export function requestLog(log: Logger): (request: Request, response: Response) => void {
  // Nothing in these lines needs to be searched for secrets, which would take longer than writing them.
  const lines = log.child({}, { redact: [] });
  return (request, response) => {
    const start = performance.now();
    response.on("close", () => {
      lines.info(
        {
          method: request.method,
          path: response.locals.pathTemplate ?? null,
          status: response.statusCode,
          complete: response.writableFinished,
          ms: Math.round((performance.now() - start) * 10) / 10,
          request_id: response.locals.requestId,
          organization_id: response.locals.organizationId ?? null,
        },
        "request",
      );
    });
  };
}
