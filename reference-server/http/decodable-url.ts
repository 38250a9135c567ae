import type { NextFunction, Request, Response } from "express";

/**
 * Lets a percent sign that begins no valid escape stand for itself, so that a path which cannot be decoded goes the
 * way of every other: it is an unknown path, or a malformed parameter of a known one.
 */
export function decodableUrl(request: Request, _response: Response, next: NextFunction): void {
  const [path = "", ...rest] = request.url.split("?");
  request.url = [path.split("/").map(decodable).join("/"), ...rest].join("?");
  next();
}

function decodable(segment: string): string {
  try {
    decodeURIComponent(segment);
    return segment;
  } catch {
    return segment.replaceAll("%", "%25");
  }
}
