import { columns } from "../columns.ts";
import { doubleOptInOf } from "../consent/double-opt-ins.ts";
import { type Given, statement } from "../engine/statement.ts";
import type { SqlWorkKind } from "./work-kind.ts";

const selectOnes = statement((db, given: Given<{ readonly ids: readonly string[] }>, { isOneOf }) =>
  db
    .selectFrom("double_opt_ins")
    .select(columns.double_opt_ins)
    .where(isOneOf("id", given("ids"))),
);

/** Double opt-ins: a partition is all that an organization has asked for. Its jobs bear their ids. */
export const doubleOptInWork: SqlWorkKind = {
  async open(on, ids) {
    return {
      open: ids,
      closed: [],
      async load(jobs, clock, { lease }) {
        const rows = await selectOnes.rows(on, { ids: jobs.map(({ id }) => id) });
        const found = new Map(rows.map((row) => [row.id, doubleOptInOf(row)]));
        return jobs.flatMap(({ id, attempts }) => {
          const doubleOptIn = found.get(id);
          if (doubleOptIn === undefined) return [];
          const { organizationId } = doubleOptIn;
          const isAsked = attempts > 0;
          return [
            { id, claim: { kind: "double-opt-in", organizationId, clock, lease, doubleOptIn, isAsked }, forced: null },
          ];
        });
      },
    };
  },

  // A unit of work has written what became of them.
  async record() {},
};
