/** Something about a target's description that has to be put right before a run. */
export interface TargetProblem {
  /** `target.yaml:3:5`, the name of an environment variable, or a flag. */
  readonly where: string;
  /** What is wrong, as a sentence; never shows a secret. */
  readonly message: string;
  /** What to do, as a sentence. */
  readonly fix: string;
}

/** The problem as two lines. */
export const problemText = ({ where, message, fix }: TargetProblem): string => `${where}: ${message}\n  ${fix}`;
