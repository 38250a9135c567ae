import type { Finding } from "../../conformance/outcome/verdict.ts";
import { causesOf } from "../../conformance/reports/causes.ts";
import type { RunResult } from "../../conformance/runner/run-result.ts";
import type { EditedServer } from "../../reference-server/edits/start-edited.ts";
import { answeredApart, replayed } from "./replayed-story.ts";

/** What the report of a trial says of its fault. */
export interface ToldReport {
  /** Probable causes that it names. */
  readonly causes: number;
  /** Rules that lead the first of them; empty where it names none. */
  readonly primary: readonly string[];
  /**
   * Where the card of the first shows a call that the edits changed: in its evidence, in its story alone, or nowhere; null
   * where it cannot be told that they changed one.
   */
  readonly shows: "evidence" | "story" | "nowhere" | null;
}

/** Sees breaches as they are found, with all that the report leaves out, and tells what became of them there. */
export interface Witness {
  breached(finding: Finding): void;
  told(result: RunResult): Promise<ToldReport>;
}

/**
 * What wires changed is watched. What else an edit changes shows when the story of the first card is played again, on a
 * server with the edits and on one without: `again` starts each.
 */
export function newWitness(
  server: Pick<EditedServer, "url" | "sandboxToken" | "traces">,
  again: (isEdited: boolean) => Promise<EditedServer>,
): Witness {
  const breaches: Finding[] = [];
  return {
    breached: (finding) => void breaches.push(finding),
    async told(result) {
      const causes = causesOf(result);
      const [first] = causes;
      if (first === undefined) return { causes: 0, primary: [], shows: null };
      const { findings, rules } = first.primary;
      const numbers = new Set(findings.flatMap(({ exchanges }) => exchanges.map(({ number }) => number)));
      const ids = rules.map(({ id }) => id);
      const own = breaches.filter(
        ({ rule, exchanges }) => ids.includes(rule) && exchanges.every(({ number }) => numbers.has(number)),
      );
      const shows = server.traces.length > 0 ? shownOf(own, server) : await shownAgain(own, server, again);
      return { causes: causes.length, primary: ids, shows };
    },
  };
}

/** Where the card shows a call whose answer is another one when the story is played on a server without the edits. */
async function shownAgain(
  findings: readonly Finding[],
  server: Pick<EditedServer, "url" | "sandboxToken">,
  again: (isEdited: boolean) => Promise<EditedServer>,
): Promise<ToldReport["shows"]> {
  const story = findings.find((finding) => finding.story !== undefined)?.story;
  if (story === undefined) return null;
  const steps = [...story.before, ...story.steps].sort((a, b) => a.at - b.at);
  const [edited, sound] = await Promise.all(
    [true, false].map(async (isEdited) => {
      const other = await again(isEdited);
      return replayed(steps, server, other).finally(() => other.close());
    }),
  );
  const changed = answeredApart(edited ?? [], sound ?? []);
  if (changed.size === 0) return null;
  const shown = findings.flatMap(({ exchanges }) => exchanges.map(({ number }) => number));
  if (shown.some((number) => changed.has(number))) return "evidence";
  // What came to a receiver may be the evidence, and is not played again.
  return findings.some(({ deliveries }) => deliveries.length > 0) ? null : "story";
}

function shownOf(
  findings: readonly Finding[],
  { url, traces }: Pick<EditedServer, "url" | "traces">,
): ToldReport["shows"] {
  const changed = new Set(traces.map(({ method, path, status, text }) => keyOf(method, path, status, text)));
  const isChanged = (method: string, address: string, status: number, text: string): boolean =>
    changed.has(keyOf(method, address.slice(url.length), status, text));
  const inEvidence = findings.some(({ exchanges }) =>
    exchanges.some(
      ({ request, outcome }) =>
        outcome.kind === "response" && isChanged(request.method, request.url, outcome.status, outcome.text),
    ),
  );
  if (inEvidence) return "evidence";
  const inStory = findings.some(({ story }) =>
    story?.steps.some(
      ({ request, outcome }) =>
        request !== null &&
        outcome?.kind === "response" &&
        isChanged(request.method, request.url, outcome.status, JSON.stringify(outcome.json) ?? ""),
    ),
  );
  return inStory ? "story" : "nowhere";
}

/** A call and its answer; JSON is one text however it is written. */
function keyOf(method: string, path: string, status: number, text: string): string {
  return `${method} ${path} ${status} ${written(text)}`;
}

function written(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
