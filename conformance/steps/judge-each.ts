import { Blocked } from "../outcome/verdict.ts";

/**
 * Judges variants of one thing, one after the other, and only then throws what kept the first of them from being judged to its
 * end: those that fail and those that do not tell together on what condition it is.
 */
export async function judgeEach<Variant>(
  variants: Iterable<Variant>,
  judge: (variant: Variant) => Promise<void>,
): Promise<void> {
  let first: Blocked | null = null;
  for (const variant of variants)
    try {
      await judge(variant);
    } catch (problem) {
      if (!(problem instanceof Blocked)) throw problem;
      first ??= problem;
    }
  if (first !== null) throw first;
}
