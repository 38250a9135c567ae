/** Why a hook gave nothing; `runHook` turns it into what blocks a check. */
export class HookFailure extends Error {
  /** Nobody was there. */
  readonly absent: boolean;

  constructor(message: string, { absent = false }: { readonly absent?: boolean } = {}) {
    super(message);
    this.name = "HookFailure";
    this.absent = absent;
  }
}

/** Bytes that a hook may print or answer; what the kit asks for fits in a few lines. */
export const longestAnswer = 64 * 1024;
