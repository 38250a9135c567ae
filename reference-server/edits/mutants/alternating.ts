import type { OperationId } from "../../../generated/operations.ts";
import { dataOf, type Wire, type WireRequest, withData } from "../wire.ts";

/** Shows, for what has something in common, the first so many secrets in turn, whatever the server made. */
export const alternating =
  (operation: OperationId, common: (request: WireRequest) => string | undefined, slots: number): Wire =>
  (serve) => {
    const shown = new Map<string | undefined, unknown[]>();
    return async (request) => {
      const answer = await serve(request);
      const data = request.operation === operation ? dataOf(answer) : null;
      if (data === null) return answer;
      const all = shown.get(common(request)) ?? [];
      shown.set(common(request), all);
      if (all.length < slots) all.push(data.secret);
      else all.push(all.shift());
      return withData(answer, { ...data, secret: all.at(-1) });
    };
  };
