import { describe, expect, test } from "vitest";
import type { Bound, Bucket, Entity, ErrorRow, Transition } from "../compiler/contract.ts";
import { routeOf } from "./document/answers.ts";
import { documentedScopes, scopesThatDoNotExist } from "./document/authentication.ts";
import { differencesOf } from "./document/differences.ts";
import {
  consentRequiredIsNot,
  type DocumentedErrorRow,
  documentedErrorHeaders,
  documentedErrorRows,
  documentedReservedCodes,
} from "./document/error-rows.ts";
import { documentedDeliveryHeaders, documentedEventTypes } from "./document/events.ts";
import {
  type DocumentedBound,
  type DocumentedBucket,
  type DocumentedTier,
  documentedBounds,
  documentedBuckets,
  documentedSendLadder,
  routeOnSendLadder,
} from "./document/limits.ts";
import { pairOf } from "./document/pair-of.ts";
import { readContract } from "./document/read-contract.ts";
import { type DocumentedMove, documentedEntities, documentedMoves } from "./document/states.ts";

/*
 * The one deliberate second entry of the contract's facts. All that stands under `document/` is typed from the API
 * document, never from the spec: server and kit share the spec, so neither would notice a wrong transcription.
 * When a test fails here, the document decides; the spec's value is no argument.
 */

const contract = await readContract();
const operations = contract.operations.filter((operation) => operation.service === "api");

describe("errors", () => {
  const rows = contract.errors.filter((row) => row.service === "api" && !row.extension);
  const ownRows = contract.errors.filter((row) => row.service !== "api" || row.extension);
  const documentedPairs = new Set(documentedErrorRows.map(pairOf));

  test("every row of the error table is in the catalog, with its details", () => {
    const differences = documentedErrorRows.flatMap((fact) => {
      const found = rows.filter((row) => pairOf(row) === pairOf(fact)).map(detailsOf);
      if (found.length === 0) return [`${pairOf(fact)} is missing`];
      const wrong = found.filter((details) => details !== documentedDetailsOf(fact));
      return wrong.map((details) => `${pairOf(fact)} has details ${details}, not ${documentedDetailsOf(fact)}`);
    });
    expect(differences).toEqual([]);
  });

  test("the catalog has no row that the error table lacks, and none twice", () => {
    const pairs = rows.map(pairOf);
    const unknown = pairs.filter((pair) => !documentedPairs.has(pair)).map((pair) => `${pair} is not in the document`);
    // One of the two routes that give this answer adds data to it, so the spec may keep a row for each.
    const twice = pairs.filter((pair, at) => pairs.indexOf(pair) !== at && pair !== "409 INSUFFICIENT_INVENTORY");
    expect([...unknown, ...twice.map((pair) => `${pair} stands twice`)]).toEqual([]);
  });

  test("the reference's own rows and the sandbox's are none of the document's", () => {
    expect(ownRows.map(pairOf).filter((pair) => documentedPairs.has(pair))).toEqual([]);
  });

  test("the reference answers each row with the row's own status", () => {
    const differing = rows.filter((row) => typeof row.status === "number" && row.status !== row.referenceStatus);
    expect(differing.map((row) => row.name)).toEqual([]);
  });

  test("the status of a missing consent is left open among the client errors", () => {
    const statuses = rows.filter((row) => row.code === "CONSENT_REQUIRED").map((row) => row.status);
    const differences = statuses.flatMap((status) => {
      if (typeof status === "number") return [`fixed to ${status}`];
      const admitted = consentRequiredIsNot.filter((excluded) => !status.except.includes(excluded));
      const narrow = status.from < 400 || status.to > 499 || status.from >= status.to;
      return [...admitted.map((excluded) => `may be ${excluded}`), ...(narrow ? ["no range of client errors"] : [])];
    });
    expect({ rows: statuses.length, differences }).toEqual({ rows: 1, differences: [] });
  });

  test("the reference answers a missing consent with a status that no other row has", () => {
    const taken = new Set([...documentedErrorRows.map((fact) => fact.status), ...consentRequiredIsNot]);
    const answers = rows.filter((row) => row.code === "CONSENT_REQUIRED").map((row) => row.referenceStatus);
    expect(answers.map((status) => (taken.has(status) ? `${status} is taken` : "its own"))).toEqual(["its own"]);
  });

  test("the reserved codes are the document's", () => {
    expect(differencesOf(contract.reservedCodes, documentedReservedCodes)).toEqual([]);
  });

  test("no row of the error table has a reserved code", () => {
    expect(rows.map((row) => row.code).filter((code) => documentedReservedCodes.includes(code))).toEqual([]);
  });

  test("the rows with a header of their own are the document's", () => {
    const declared = rows.filter((row) => row.headers.length > 0).map(({ code, headers }) => ({ code, headers }));
    expect(declared).toEqual(documentedErrorHeaders);
  });
});

describe("scopes", () => {
  const values = contract.scopes.map((scope) => scope.value);

  test("the scopes that answer no open question are the document's", () => {
    const named = contract.scopes.filter((scope) => scope.question === null).map((scope) => scope.value);
    expect(differencesOf(named, documentedScopes)).toEqual([]);
  });

  test("a scope that the document calls unknown is not declared", () => {
    expect(scopesThatDoNotExist.filter((name) => values.includes(name))).toEqual([]);
  });

  test("every scope has an area and an action", () => {
    expect(values.filter((value) => !/^[^:\s]+:[^:\s]+$/.test(value))).toEqual([]);
  });
});

describe("limits", () => {
  const ladders = contract.buckets.filter((bucket) => bucket.kind === "ladder");

  test("the send ladder has the document's steps", () => {
    const expected = [
      { periodSeconds: 1, capacityOf: ({ perSecond }: DocumentedTier) => perSecond },
      { periodSeconds: 60, capacityOf: ({ perMinute }: DocumentedTier) => perMinute },
    ].map(({ periodSeconds, capacityOf }) => ({
      ...{ periodSeconds, unit: "request", adjustable: false, question: null },
      tiers: documentedSendLadder.map((fact) => ({
        tier: fact.tier,
        fromCents: fact.fromDollars * 100,
        capacity: capacityOf(fact),
      })),
    }));
    const declared = ladders.map(({ periodSeconds, unit, adjustable, question, tiers }) => ({
      ...{ periodSeconds, unit, adjustable, question, tiers },
    }));
    expect(declared).toEqual(expected);
  });

  test("each step of the send ladder ends where the document ends it", () => {
    const ends = ladders.flatMap(({ tiers }) => tiers.map((_, at) => tiers[at + 1]?.fromCents ?? null));
    const documented = documentedSendLadder.map((fact) => (fact.toDollars === null ? null : fact.toDollars * 100));
    expect(ends).toEqual(ladders.flatMap(() => documented));
  });

  test("each limit on calls has its size, period, unit and default", () => {
    const differences = documentedBuckets.flatMap((fact) => {
      const found = bucketsFor(fact);
      const label = fact.routes.join(", ");
      if (found.length !== 1) return [`${label}: ${found.length} buckets`];
      return found.flatMap((bucket) => bucketDifferences(bucket, fact).map((difference) => `${label}: ${difference}`));
    });
    expect(differences).toEqual([]);
  });

  test("there is no limit on calls that the document lacks", () => {
    const known = documentedBuckets.flatMap(bucketsFor);
    const extra = contract.buckets.filter((bucket) => bucket.kind === "bucket" && !known.includes(bucket));
    expect(extra.map((bucket) => bucket.name)).toEqual([]);
  });

  test("operations draw from a bucket, and share it, exactly where the document says so", () => {
    const differences = operations.flatMap((operation) => {
      const route = routeOf(operation);
      const own = new Set(operation.draws.map(({ bucket }) => bucket));
      const sharing = operations.filter(({ draws }) => draws.some(({ bucket }) => own.has(bucket))).map(routeOf);
      const declared = operations.map(routeOf);
      const expected = routesLimitedWith(route).filter((other) => declared.includes(other));
      return differencesOf(sharing, expected).map((difference) => `${route} with ${difference}`);
    });
    expect(differences).toEqual([]);
  });

  test("the bounds are the document's", () => {
    const missing = documentedBounds.filter((fact) => !contract.bounds.some((bound) => isBound(bound, fact)));
    const extra = contract.bounds.filter((bound) => !documentedBounds.some((fact) => isBound(bound, fact)));
    expect([
      ...missing.map((fact) => `${fact.says}: ${fact.value} is missing`),
      ...extra.map((bound) => `${bound.name}: ${bound.value} is not in the document`),
    ]).toEqual([]);
  });
});

describe("events", () => {
  test("the event types are the document's", () => {
    expect(differencesOf(contract.eventTypes, documentedEventTypes)).toEqual([]);
  });

  test("the headers of a delivery are the document's", () => {
    const names = documentedDeliveryHeaders.map((fact) => fact.name);
    expect(
      differencesOf(
        contract.deliveryHeaders.map((header) => header.name),
        names,
      ),
    ).toEqual([]);
  });

  test("a delivery header admits and refuses the values that the document does", () => {
    const differences = documentedDeliveryHeaders.flatMap((fact) => {
      const header = contract.deliveryHeaders.find(({ name }) => name === fact.name);
      if (header === undefined) return [`${fact.name} is missing`];
      const pattern = new RegExp(header.pattern ?? "", "u");
      return [
        ...fact.allowed.filter((value) => !pattern.test(value)).map((value) => `${fact.name} refuses ${value}`),
        ...fact.ruledOut.filter((value) => pattern.test(value)).map((value) => `${fact.name} admits "${value}"`),
      ];
    });
    expect(differences).toEqual([]);
  });
});

describe("states", () => {
  const moves = contract.entities.flatMap((entity) => entity.transitions.map((move) => ({ entity, move })));

  test("every entity has the document's states and no other", () => {
    const differences = documentedEntities.flatMap((fact) => {
      const found = contract.entities.filter((entity) => fact.name.test(entity.name));
      if (found.length !== 1) return [`${fact.says}: ${found.length} entities`];
      return found.flatMap((entity) => [
        ...fact.states
          .filter((state) => !entity.states.some((name) => isState(name, state)))
          .map((state) => `${fact.says}: ${state} is missing`),
        ...entity.states
          .filter((name) => !fact.states.some((state) => isState(name, state)))
          .map((name) => `${fact.says}: ${name} is not in the document`),
        ...(fact.open === null || fact.open === entity.open ? [] : [`${fact.says}: open is ${entity.open}`]),
      ]);
    });
    expect(differences).toEqual([]);
  });

  test("no other entity is declared, and those known by their moves alone have no other state", () => {
    const others = contract.entities.filter(
      (entity) => !documentedEntities.some((fact) => fact.name.test(entity.name)),
    );
    const extra = others.flatMap((entity) => {
      const facts = documentedMoves.filter((fact) => fact.entity.test(entity.name));
      return entity.states.filter((name) => !facts.some((fact) => fact.from.test(name) || fact.to.test(name)));
    });
    expect({ stateless: others.filter((entity) => entity.states.length === 0), extra }).toEqual({
      stateless: [],
      extra: [],
    });
  });

  test("every move that the document shows is declared", () => {
    const missing = documentedMoves.filter((fact) => !moves.some(({ entity, move }) => isMove(entity, move, fact)));
    expect(missing.map((fact) => fact.says)).toEqual([]);
  });

  test("no move is declared that the document does not show", () => {
    const extra = moves.filter(({ entity, move }) => !documentedMoves.some((fact) => isMove(entity, move, fact)));
    expect(extra.map(({ entity, move }) => `${entity.name}: ${move.from} to ${move.to} by ${move.trigger}`)).toEqual(
      [],
    );
  });
});

function detailsOf({ details }: ErrorRow): string {
  switch (details.kind) {
    case "none":
      return "none";
    case "fields":
      return "map";
    case "keys":
      return details.keys.toSorted().join(", ");
  }
}

function documentedDetailsOf({ details }: DocumentedErrorRow): string {
  return typeof details === "string" ? details : details.toSorted().join(", ");
}

/** Buckets that the limited operations draw from; while none of them is declared, those that look like the limit. */
function bucketsFor(fact: DocumentedBucket): readonly Bucket[] {
  const drawing = operations.filter((operation) => fact.routes.includes(routeOf(operation)));
  if (drawing.length > 0) {
    return contract.buckets.filter((bucket) =>
      drawing.some(({ draws }) => draws.some((draw) => draw.bucket === bucket.name)),
    );
  }
  const taken = new Set(operations.flatMap(({ draws }) => draws.map(({ bucket }) => bucket)));
  return contract.buckets.filter((bucket) => {
    if (bucket.kind !== "bucket" || taken.has(bucket.name)) return false;
    const sized = fact.capacity === null || bucket.capacity === fact.capacity;
    return sized && bucket.periodSeconds === fact.periodSeconds && bucket.unit === fact.unit;
  });
}

function bucketDifferences(bucket: Bucket, fact: DocumentedBucket): readonly string[] {
  if (bucket.kind !== "bucket") return ["is a ladder"];
  const { capacity, periodSeconds, unit, adjustable } = bucket;
  const facts = [
    { name: "capacity", actual: capacity, documented: fact.capacity ?? capacity },
    { name: "period", actual: periodSeconds, documented: fact.periodSeconds },
    { name: "unit", actual: unit, documented: fact.unit },
    { name: "adjustable", actual: adjustable, documented: fact.adjustable ?? adjustable },
    { name: "capacity is an open question", actual: bucket.question !== null, documented: fact.capacity === null },
  ];
  return facts
    .filter(({ actual, documented }) => actual !== documented)
    .map(({ name, actual, documented }) => `${name} is ${actual}, not ${documented}`);
}

/** All routes that share the limit of one, itself included; none when the document does not limit it. */
function routesLimitedWith(route: string): readonly string[] {
  if (route === routeOnSendLadder) return [route];
  return documentedBuckets.find((fact) => fact.routes.includes(route))?.routes ?? [];
}

function isBound(bound: Bound, fact: DocumentedBound): boolean {
  return bound.value === fact.value && fact.about.every((words) => words.test(`${bound.name} ${bound.unit}`));
}

function isState(name: string, state: string | RegExp): boolean {
  return typeof state === "string" ? name === state : state.test(name);
}

function isMove(entity: Entity, move: Transition, fact: DocumentedMove): boolean {
  const shown = ` ${move.answers ?? ""} `;
  const answered = fact.answers === null ? move.answers === null : shown.includes(` ${fact.answers} `);
  return (
    fact.entity.test(entity.name) &&
    fact.from.test(move.from) &&
    fact.to.test(move.to) &&
    move.trigger === fact.trigger &&
    fact.condition.every((words) => words.test(`${move.asks ?? ""} ${move.condition ?? ""}`)) &&
    (fact.condition.length > 0 || move.condition === null) &&
    answered
  );
}
