import { randomBytes, randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import type { Logger } from "pino";
import type { Choices } from "../generated/choices.ts";
import { basePaths } from "../generated/constants.ts";
import { refuse } from "../generated/error-rows.ts";
import { createDeliveries, type Deliveries, type DeliveryOptions } from "./deliveries.ts";
import { type LineTypes, simulatedLineType } from "./domain/lookups/line-type.ts";
import type { Caller } from "./domain/organizations/caller.ts";
import { type BillingPortals, simulatedPortal } from "./domain/wallet/billing-portal.ts";
import type { World } from "./domain/world.ts";
import { createApp, type Service } from "./http/app.ts";
import { authenticate, type NoteUse } from "./http/authenticate.ts";
import { chosenSchemas } from "./http/chosen-schemas.ts";
import {
  createListener,
  type Listener,
  type Patience,
  type UnreadableRefusals,
  usualPatience,
} from "./http/listener.ts";
import { createUseNotes } from "./http/note-use.ts";
import { requestPath } from "./http/request-path.ts";
import { routesOf } from "./http/routes.ts";
import { apiRows, sandboxRows } from "./http/service-rows.ts";
import { validatorsOf } from "./http/validation.ts";
import { hostedFormPath, serveHostedForm } from "./pages/serve-hosted-form.ts";
import { createPruner } from "./pruner.ts";
import { allRoutes } from "./routes/all.ts";
import { allRoutes as sandboxRoutes } from "./sandbox/all.ts";
import { type SandboxCaller, sandboxEntry, sandboxPath } from "./sandbox/sandbox-path.ts";
import type { Store } from "./store/store.ts";

export interface ServerOptions {
  readonly store: Store;
  readonly choices: Choices;
  /** Opens the sandbox to whoever has it; without it there is no sandbox. */
  readonly sandboxToken?: string;
  readonly log: Logger;
  /** In production answers are not checked against the contract. */
  readonly production: boolean;
  /** The machine's time and randomness unless given. */
  readonly world?: World;
  readonly patience?: Patience;
  /** Where recipients reach this server, without a slash at the end; where it listens unless given. */
  readonly publicUrl?: string;
  /** Receivers on the internet alone unless given. */
  readonly deliveries?: DeliveryOptions;
}

export interface Server extends Pick<Listener, "listen"> {
  /** Answers a request, whatever way it came. */
  readonly handle: RequestListener;
  /** Takes no more requests, and lets them and deliveries under way finish for so many milliseconds. Ends all of them. */
  close(within?: number): Promise<void>;
}

/** Milliseconds that requests and deliveries under way get to finish when the server closes, unless told otherwise. */
const closeTimeout = 10_000;

export const machine: World = { now: Date.now, randomBytes, newId: randomUUID };

/** What is answered to whatever cannot be read as a request. */
export const unreadable: UnreadableRefusals = {
  notHttp: () => refuse.InvalidInput("This is no HTTP request that the server can read."),
  late: () => refuse.InvalidInput("The request was not complete in time."),
  tunnel: () => refuse.InvalidInput("This server opens no tunnels."),
};

/** The reference server, wired together. Closing it closes the store as well. */
export function createServer(options: ServerOptions): Server {
  const { store, choices, log, sandboxToken, world = machine } = options;
  const parts = { store, choices, log, world };
  const deliveries = createDeliveries(parts, options.deliveries ?? {});
  const pruner = createPruner(parts);
  const uses = createUseNotes(store, world, choices, (problem) => log.error({ err: problem }, "a use was not noted"));
  let publicUrl = options.publicUrl ?? "";
  const addressOf = (token: string): string => `${publicUrl}${hostedFormPath}/${token}`;
  const app = createApp({
    log,
    choices,
    ready: () => answers(store),
    pages: { [`${hostedFormPath}/:token`]: serveHostedForm(parts) },
    mount: (put) => {
      put(messagingApi(options, deliveries, uses.note, addressOf));
      if (sandboxToken !== undefined) put(sandboxApi(options, sandboxToken, deliveries));
    },
  });
  const listener = createListener(app, unreadable, options.patience ?? usualPatience);
  return {
    handle: app,
    async listen(at) {
      const listening = await listener.listen(at);
      publicUrl = options.publicUrl ?? listening.url;
      deliveries.courier.start();
      pruner.start();
      return listening;
    },
    async close(within = closeTimeout) {
      const end = performance.now() + within;
      // In this order: requests may still send something, and all of them need the store.
      await listener.close(within);
      await deliveries.courier.close(Math.max(0, end - performance.now()));
      await pruner.close();
      await uses.flush();
      await store.close();
    },
  };
}

function messagingApi(
  options: ServerOptions,
  { policy }: Deliveries,
  noteUse: NoteUse,
  addressOf: (token: string) => string,
): Service<Caller> {
  const { store, choices, production, sandboxToken, world = machine } = options;
  const rows = apiRows(choices);
  const lineTypes: LineTypes = {
    async of(organizationId, phoneNumber) {
      if (sandboxToken === undefined) return simulatedLineType(phoneNumber);
      if (await store.takeOutage(organizationId, "lookup")) return null;
      return (await store.lineType(organizationId, phoneNumber)) ?? simulatedLineType(phoneNumber);
    },
  };
  const portals: BillingPortals = {
    async open(organizationId) {
      const fails = sandboxToken !== undefined && (await store.takeOutage(organizationId, "billing_portal"));
      return fails ? null : simulatedPortal(world.newId());
    },
  };
  return {
    base: basePaths.api.slice(0, -1),
    rows,
    routes: routesOf(
      (bind) => {
        for (const route of allRoutes) route({ store, world, choices, policy, lineTypes, portals, addressOf }, bind);
      },
      (operation, schemas) => validatorsOf(chosenSchemas(operation, schemas, choices), choices),
    ),
    steps: requestPath({
      store,
      world,
      choices,
      rows,
      noteUse,
      sandbox: sandboxToken !== undefined,
      production,
    }),
    entry: authenticate(store, noteUse, rows),
  };
}

function sandboxApi(options: ServerOptions, token: string, deliveries: Deliveries): Service<SandboxCaller> {
  const { store, choices, production, world = machine } = options;
  return {
    base: "/sandbox",
    rows: sandboxRows,
    routes: routesOf(
      (bind) => {
        for (const route of sandboxRoutes) route({ store, world, choices, ...deliveries }, bind);
      },
      (_operation, schemas) => validatorsOf(schemas, { unknownFields: "refused" }),
    ),
    steps: sandboxPath(token, production),
    entry: sandboxEntry(token),
  };
}

async function answers(store: Store): Promise<boolean> {
  try {
    await store.ping();
    return true;
  } catch {
    return false;
  }
}
