import { columns } from "../columns.ts";
import { type Connection, insertion } from "../engine/statement.ts";
import type { LegalAcceptances } from "../unit-of-work.ts";

const insertAcceptances = insertion("legal_acceptances", columns.legal_acceptances);

export const legalAcceptancesOf = (on: Connection, organizationId: string): LegalAcceptances => ({
  async insert({ id, userId, document, version, acceptedAt }) {
    const row = {
      id,
      organization_id: organizationId,
      user_id: userId,
      document: JSON.stringify(document),
      version: JSON.stringify(version),
      accepted_at: acceptedAt,
    };
    await insertAcceptances.run(on, { rows: [row] });
  },
});
