import type { Contract, OpenApiDocument, Operation, Service, ServiceName } from "../contract.ts";
import type { Reading } from "../schema/inclusion.ts";
import { mainService } from "../service-of.ts";
import { type Change, gravity } from "./change.ts";
import { changeTable } from "./change-table.ts";
import { diffConstants } from "./diff-constants.ts";
import { diffErrors } from "./diff-errors.ts";
import { diffEvents, diffScopes } from "./diff-events.ts";
import { diffLimits } from "./diff-limits.ts";
import { diffOperationFacts } from "./diff-operation-facts.ts";
import { diffOperations } from "./diff-operations.ts";
import { diffQuestions } from "./diff-questions.ts";
import { diffRules } from "./diff-rules.ts";
import { diffStates } from "./diff-states.ts";
import { type DocumentContext, documentSide } from "./document-context.ts";
import { changeOf, type Draft } from "./draft.ts";
import { fingerprinter } from "./edit-fingerprint.ts";
import { withFactEdits } from "./fact-edits.ts";
import { httpSurface } from "./http-surface.ts";
import type { Includes } from "./judge.ts";
import { withListedWebhooks } from "./listed-webhooks.ts";
import { withMovedPaths } from "./moved-paths.ts";
import { renamesBetween } from "./renames.ts";

export interface DiffOptions {
  readonly includes: Includes;
  /**
   * `document`: only what an OpenAPI document says is compared, and pointers are into it. For a side that was read
   * from one: it can't say the rest, so nothing may be concluded from its silence.
   */
  readonly extent: "contract" | "document";
  /** `letter`: nothing is told that the documents do not say by the letter (default: `names`). */
  readonly reading?: Reading;
}

/** Everything that changed between two contracts, the gravest first. */
export function diff(base: Contract, head: Contract, { includes, extent, reading }: DiffOptions): readonly Change[] {
  const services = extent === "document" ? [mainService(head)] : servicesOf(base, head);
  const renames = renamesBetween(base, head);
  const drafts: Draft[] = [];
  for (const { name: service } of services) {
    const [one, other] = withMovedPaths(
      httpSurface(documentIn(base, service, extent), service),
      httpSurface(documentIn(head, service, extent), service),
    );
    const context: DocumentContext = {
      service,
      prefix: extent === "document" ? "" : `/${service}`,
      base: documentSide(one, operationsIn(base, service, extent), base.callers, reading),
      head: documentSide(other, operationsIn(head, service, extent), head.callers, reading),
      renamedErrors: renames.errors,
      includes,
    };
    drafts.push(...diffOperations(context));
    if (extent === "contract") drafts.push(...diffOperationFacts(context, renames));
  }
  if (extent === "contract") {
    const context = { base, head, includes };
    drafts.push(
      ...diffScopes(context),
      ...diffLimits(context, renames.buckets),
      ...diffConstants(context),
      ...diffErrors(context, renames.errors),
      ...diffStates(context),
      ...diffEvents(context),
      ...diffRules(context),
      ...diffQuestions(context),
    );
  }
  const meant = reading === "letter" ? drafts.filter(({ id }) => changeTable[id].isBeyondLetter !== true) : drafts;
  const rulesAbout = rulesByName(base, head);
  const changes = meant.map((made) =>
    changeOf(made, mainService(head).name, (name) => rulesAbout.get(name) ?? [], reading),
  );
  const grouped =
    extent === "contract"
      ? withFactEdits(changes, base, head)
      : withListedWebhooks(changes, mainService(base).document, mainService(head).document);
  const fingerprintOf = fingerprinter((service) => ({
    base: { contract: base, document: documentIn(base, service, extent) },
    head: { contract: head, document: documentIn(head, service, extent) },
  }));
  return grouped
    .map((change) => ({ ...change, fingerprint: fingerprintOf(change) }))
    .sort((one, other) => gravity[one.verdict] - gravity[other.verdict]);
}

/** The services of both sides, each once. */
function servicesOf(base: Contract, head: Contract): readonly Service[] {
  return [...head.services, ...base.services.filter(({ name }) => !head.services.some((one) => one.name === name))];
}

/** A service's document; of documents alone the one that there is, whatever its service is called. */
function documentIn(contract: Contract, service: ServiceName, extent: DiffOptions["extent"]): OpenApiDocument {
  if (extent === "document") return mainService(contract).document;
  return contract.services.find(({ name }) => name === service)?.document ?? noDocument;
}

function operationsIn(contract: Contract, service: ServiceName, extent: DiffOptions["extent"]): readonly Operation[] {
  const name = extent === "document" ? mainService(contract).name : service;
  return contract.operations.filter((operation) => operation.service === name);
}

const noDocument: OpenApiDocument = {
  openapi: "3.1.0",
  info: { title: "", version: "" },
  paths: {},
  components: { schemas: {} },
};

/** Ids of rules by what they are about, by what their sentences name, and by themselves. */
function rulesByName(base: Contract, head: Contract): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { id, about, template } of [...base.rules, ...head.rules]) {
    const named = [...template.matchAll(/\{(?:[a-z]+\.)?(\w+)/g)].flatMap(([, name]) => name ?? []);
    for (const name of new Set([id, about, ...named])) found.set(name, [...(found.get(name) ?? []), id]);
  }
  return found;
}
