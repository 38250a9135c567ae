import { isAbsolute, relative } from "node:path";
import {
  type Diagnostic,
  type DiagnosticTarget,
  getSourceLocation,
  type ModelProperty,
  NoTarget,
  type Program,
} from "@typespec/compiler";
import type { EnvelopePart } from "../../spec/vocabulary/facts.ts";
import { type Vocabulary, vocabularyOf } from "../../spec/vocabulary/vocabulary.ts";
import type { Place } from "../contract.ts";
import type { Problem } from "../problem.ts";
import { correction } from "./correction.ts";
import { sources } from "./model-facts.ts";

/** A checked program with what its decorators collected; holds what was found wrong while it is read. */
export class SpecSource {
  readonly problems: Problem[] = [];
  readonly program: Program;
  readonly vocabulary: Vocabulary;
  private readonly root: string;

  /** Places are relative to `root`. */
  constructor(program: Program, root: string) {
    this.program = program;
    this.root = root;
    this.vocabulary = vocabularyOf(program);
  }

  problem(diagnostic: Diagnostic): Problem {
    return {
      code: diagnostic.code,
      severity: diagnostic.severity,
      message: diagnostic.message,
      fix: correction(diagnostic, this.program),
      place: diagnostic.target === NoTarget ? null : this.place(diagnostic.target),
    };
  }

  place(target: DiagnosticTarget): Place {
    const location = getSourceLocation(target);
    const { line, character } = location.file.getLineAndCharacterOfPosition(location.pos);
    const path = relative(this.root, location.file.path);
    return { file: isAbsolute(path) ? location.file.path : path, line: line + 1, column: character + 1 };
  }

  fault(code: string, message: string, fix: string | null, target: DiagnosticTarget): void {
    this.problems.push({ code, severity: "error", message, fix, place: this.place(target) });
  }

  /** Which part of an envelope a property is. A property that was spread keeps the decorators of its source. */
  partOf(property: ModelProperty): EnvelopePart | undefined {
    for (const source of sources(property)) {
      const part = this.vocabulary.envelopeParts.get(source);
      if (part !== undefined) return part;
    }
    return undefined;
  }
}
