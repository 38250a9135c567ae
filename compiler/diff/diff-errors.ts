import type { ErrorDetails, ErrorRow } from "../contract.ts";
import { mainService } from "../service-of.ts";
import { type Draft, draft, type Where } from "./draft.ts";
import { type FactContext, factAt } from "./fact-context.ts";
import { pointerOf } from "./json-at.ts";
import { pairs, textPairs } from "./pairs.ts";

/** The catalog of errors, row by row; a renamed row is no change. */
export function diffErrors({ base, head }: FactContext, renamed: ReadonlyMap<string, string>): readonly Draft[] {
  const key = (row: ErrorRow): string =>
    `${row.service} ${head.errors.includes(row) ? row.name : (renamed.get(row.name) ?? row.name)}`;
  const found = pairs(base.errors, head.errors, key);
  const at = (side: "base" | "head", row: ErrorRow): Where => {
    const name =
      row.service === mainService(side === "base" ? base : head).name ? row.name : `${row.service}:${row.name}`;
    return factAt(side, pointerOf("errors", name), [row.name], row.place, row.service);
  };
  const codes = textPairs(base.reservedCodes, head.reservedCodes);
  return [
    ...found.removed.map((row) =>
      draft(
        "error-removed",
        at("base", row),
        `${shown(row)} is in the catalog no longer: a client that acts on it never does, or meets another error.`,
      ),
    ),
    ...found.added.map((row) =>
      draft(
        "error-added",
        at("head", row),
        `${shown(row)} is in the catalog now: a client that tells errors apart may meet one that it does not know.`,
      ),
    ),
    ...found.both.flatMap(([before, after]) => diffRow(before, after, at("head", after))),
    ...codes.removed.map((code) =>
      draft(
        "reserved-code-removed",
        factAt("base", pointerOf("reservedCodes", code), ["ReservedCode"]),
        `${code} is reserved no longer: a client may meet it.`,
      ),
    ),
    ...codes.added.map((code) =>
      draft(
        "reserved-code-added",
        factAt("head", pointerOf("reservedCodes", code), ["ReservedCode"]),
        `${code} is reserved now: no operation answers it, so nobody breaks.`,
      ),
    ),
  ];
}

const shown = (row: ErrorRow): string => `${row.code} (${statusText(row)})`;

const statusText = ({ status }: ErrorRow): string =>
  typeof status === "number"
    ? String(status)
    : `${status.from}–${status.to}${status.except.length > 0 ? ` but ${status.except.join(", ")}` : ""}`;

function diffRow(base: ErrorRow, head: ErrorRow, where: Where): readonly Draft[] {
  const drafts: Draft[] = [];
  if (base.code !== head.code) {
    drafts.push(
      draft(
        "error-code-changed",
        where,
        `The code is ${head.code}, not ${base.code}: a client that acts on the old one never does.`,
      ),
    );
  }
  const statuses = textPairs(statusesOf(base), statusesOf(head));
  const change = `${head.code} has status ${statusText(head)}, not ${statusText(base)}`;
  if (statuses.added.length > 0) {
    drafts.push(
      draft("error-status-widened", where, `${change}: a client that tells errors apart by their status is misled.`),
    );
  }
  if (statuses.removed.length > 0 && statuses.added.length === 0) {
    drafts.push(
      draft("error-status-narrowed", where, `${change}: a client that handles all of the old ones still does.`),
    );
  }
  const isFree = base.referenceStatus !== base.status || head.referenceStatus !== head.status;
  if (base.referenceStatus !== head.referenceStatus && isFree) {
    const message = `The reference server answers ${head.code} with ${head.referenceStatus}, not ${base.referenceStatus}: a client that was tried on it alone may count on the old status.`;
    drafts.push(draft("reference-choice-changed", where, message));
  }
  const details = textPairs(detailsOf(base.details), detailsOf(head.details));
  if (details.removed.length > 0) {
    drafts.push(
      draft(
        "error-details-removed",
        where,
        `${head.code} has no details ${details.removed.join(", ")} any more: a client that reads them fails.`,
      ),
    );
  }
  if (details.added.length > 0) {
    drafts.push(
      draft(
        "error-details-added",
        where,
        `${head.code} has details ${details.added.join(", ")} now: nobody has to read them.`,
      ),
    );
  }
  const headers = textPairs(lower(base.headers), lower(head.headers));
  if (headers.removed.length > 0) {
    drafts.push(
      draft(
        "error-header-removed",
        where,
        `${head.code} has no header ${headers.removed.join(", ")} any more: a client that reads it fails.`,
      ),
    );
  }
  if (headers.added.length > 0) {
    drafts.push(
      draft(
        "error-header-added",
        where,
        `${head.code} has the header ${headers.added.join(", ")} now: nobody has to read it.`,
      ),
    );
  }
  if (base.anywhere !== head.anywhere) {
    drafts.push(
      head.anywhere
        ? draft(
            "error-spread",
            where,
            `${head.code} may answer any operation now: a client may meet it where it was not listed.`,
          )
        : draft(
            "error-confined",
            where,
            `${head.code} answers only where it is listed: a client that handles it elsewhere still works.`,
          ),
    );
  }
  if (base.extension !== head.extension) {
    drafts.push(
      draft(
        "error-extension-changed",
        where,
        `${head.code} is ${head.extension ? "the reference's own now" : "no longer the reference's own"}: what other servers must answer differs.`,
      ),
    );
  }
  return drafts;
}

const lower = (names: readonly string[]): readonly string[] => names.map((name) => name.toLowerCase());

function statusesOf({ status }: ErrorRow): readonly string[] {
  if (typeof status === "number") return [String(status)];
  const all = Array.from(
    { length: Math.max(0, Math.min(900, status.to - status.from + 1)) },
    (_, index) => status.from + index,
  );
  return all.filter((one) => !status.except.includes(one)).map(String);
}

function detailsOf(details: ErrorDetails): readonly string[] {
  switch (details.kind) {
    case "none":
      return [];
    case "fields":
      return ["by field"];
    case "keys":
      return details.keys;
  }
}
