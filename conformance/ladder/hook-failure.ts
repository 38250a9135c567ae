/** Why a hook gave nothing; `runHook` turns it into what blocks a check. */
export class HookFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = "HookFailure";
  }
}

/** Bytes that a hook may print or answer; what the kit asks for fits in a few lines. */
export const longestAnswer = 64 * 1024;
