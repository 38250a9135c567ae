import { randomUUID } from "node:crypto";
import { constants } from "../../generated/constants.ts";
import { eventTypes } from "../../generated/events.ts";
import { newCustomer } from "../../reference-server/domain/organizations/organization.ts";
import { newSigningSecret } from "../../reference-server/domain/signatures/delivery-signature.ts";
import { machine } from "../../reference-server/server.ts";
import type { BenchStore } from "./bench-store.ts";

/** Endpoints that share the deliveries of a sample. */
export const endpointCount = 10;

const [type] = eventTypes;
const data = { line_type: constants.mobileLine, carrier: "Example Wireless", number: "+12025550123" };

/** An organization with endpoints at one address. */
export interface Recipients {
  readonly organizationId: string;
  readonly endpointIds: readonly string[];
}

export async function newRecipients({ store }: BenchStore, receiver: string): Promise<Recipients> {
  const organization = newCustomer(machine);
  await store.insertOrganization(organization);
  const endpointIds: string[] = [];
  for (let index = 0; index < endpointCount; index++) {
    const now = machine.now();
    const endpoint = {
      ...{ id: machine.newId(), organizationId: organization.id, url: `${receiver}/hook`, events: [type] },
      ...{ active: true, apiVersion: "2026-01-01", secret: newSigningSecret(machine.randomBytes) },
      ...{ createdAt: now, updatedAt: now, deletedAt: null },
    };
    await store.atomically(organization.id, (tx) => tx.endpoints.insert(endpoint));
    endpointIds.push(endpoint.id);
  }
  return { organizationId: organization.id, endpointIds };
}

/** Makes so many deliveries due, all at once. */
export async function makeDue({ execute }: BenchStore, recipients: Recipients, deliveries: number): Promise<void> {
  const events: string[] = [];
  const due: string[] = [];
  for (let index = 0; index < deliveries; index++) {
    const id = `${constants.eventIdPrefix}${randomUUID()}`;
    const endpointId = recipients.endpointIds[index % recipients.endpointIds.length] ?? "";
    events.push(`('${id}', '${recipients.organizationId}', '${type}', '${JSON.stringify(data)}', ${Date.now()})`);
    due.push(`('${randomUUID()}', '${id}', '${endpointId}', 0, 0)`);
  }
  await execute("begin");
  await execute(`insert into events (id, organization_id, type, data, created_at) values ${events.join()}`);
  await execute(`insert into jobs (id, event_id, partition_id, attempts, due_at) values ${due.join()}`);
  const partitions = recipients.endpointIds.map((id) => `('${id}', 'delivery', '${recipients.organizationId}', 0, 0)`);
  await execute(
    `insert into job_partitions (id, kind, organization_id, manual, look_at) values ${partitions.join()}
    on conflict (id) do update set look_at = 0`,
  );
  await execute("commit");
}
