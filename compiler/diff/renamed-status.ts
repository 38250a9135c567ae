import type { HttpResponse } from "./http-surface.ts";
import { meaningOf } from "./json-at.ts";

/**
 * The one success that is answered no longer and the one that is answered anew, where it is certain that this one took the
 * place of that: neither side has another, or both say the same of them. Null where there are none such.
 */
export function renamedSuccess(
  base: readonly HttpResponse[],
  head: readonly HttpResponse[],
): readonly [gone: HttpResponse, come: HttpResponse] | null {
  const [before, after] = [base, head].map((side) => side.filter(({ status }) => /^[123]/.test(status)));
  const gone = before?.filter(({ status }) => !after?.some((other) => isOf(status, other))) ?? [];
  const come = after?.filter(({ status }) => !before?.some((other) => isOf(status, other))) ?? [];
  const [[old, ...otherGone], [now, ...otherCome]] = [gone, come];
  if (old === undefined || now === undefined || otherGone.length + otherCome.length > 0) return null;
  if (isRange(old) || isRange(now)) return null;
  const isAlone = before?.length === 1 && after?.length === 1;
  return isAlone || textOf(old) === textOf(now) ? [old, now] : null;
}

/** Whether a client may read both alike: they have a media type in common, or neither has any. */
export const areComparable = (base: HttpResponse, head: HttpResponse): boolean =>
  base.content.length + head.content.length === 0 ||
  base.content.some(({ type }) => head.content.some((other) => other.type === type));

const isOf = (status: string, { status: other }: HttpResponse): boolean =>
  other === status || (other.endsWith("XX") && other[0] === status[0]);

const isRange = ({ status }: HttpResponse): boolean => status.endsWith("XX");

/** Whether two answers say the same of contents and headers, in the documents. */
export const sayTheSame = (one: HttpResponse, other: HttpResponse): boolean => textOf(one) === textOf(other);

/** Equal for answers that say the same of contents and headers. */
const textOf = ({ content, headers }: HttpResponse): string =>
  meaningOf([
    content.map(({ type, schema }) => ({ type, schema })),
    headers.map(({ key, required, schema }) => ({ key, required, schema })),
  ]);
