import type { ErrorRowName } from "../../generated/error-rows.ts";
import { codeOf, type Exchange, isSuccess, statusOf } from "../exchange/exchange.ts";
import type { Place } from "./place.ts";

/** What is admitted of a whole answer: a success, or a refusal by a row of the error catalog. */
export type Admitted = ErrorRowName | "success";

/** The whole of an answer that is wrong as such, and not in one of its parts. */
export interface Misanswer {
  readonly status: number;
  /** The code of an error envelope; null where there is none. */
  readonly code: string | null;
  readonly isSuccess: boolean;
}

/** What came where places tell of a status or a code alone; null where they tell of something else, or of nothing. */
export function misanswerAt(at: readonly Place[], exchanges: readonly Exchange[]): Misanswer | null {
  const inside = at.filter((place) => place.in !== null);
  if (!inside.every(isOfWhole)) return null;
  const exchange = exchanges.find(({ number }) => inside[0]?.in?.kind === "exchange" && inside[0].in.number === number);
  const status = exchange === undefined ? null : statusOf(exchange);
  return exchange === undefined || status === null
    ? null
    : { status, code: codeOf(exchange), isSuccess: isSuccess(exchange) };
}

/** Whether a place tells in which way the whole request was answered. */
export const isOfWhole = ({ part }: Pick<Place, "part">): boolean =>
  part.kind === "status" || (part.kind === "member" && part.pointer === "/error/code");
