// Written by "npx bylaw compile" from what there is to list. Do not edit.
import { bindSandboxInbound } from "../../generated/server/sandbox-inbound.ts";
import { bindSandboxLines } from "../../generated/server/sandbox-lines.ts";
import { bindSandboxMessages } from "../../generated/server/sandbox-messages.ts";
import { bindSandboxOrganizations } from "../../generated/server/sandbox-organizations.ts";
import { bindSandboxPhoneNumbers } from "../../generated/server/sandbox-phone-numbers.ts";
import { bindSandboxRegistration } from "../../generated/server/sandbox-registration.ts";
import { bindSandboxWebhooks } from "../../generated/server/sandbox-webhooks.ts";
import { boundTo } from "../http/routes.ts";
import { sandboxInboundHandlers } from "./inbound.ts";
import { sandboxLinesHandlers } from "./lines.ts";
import { sandboxMessagesHandlers } from "./messages.ts";
import { sandboxOrganizationsHandlers } from "./organizations.ts";
import { sandboxPhoneNumbersHandlers } from "./phone-numbers.ts";
import { sandboxRegistrationHandlers } from "./registration.ts";
import { sandboxWebhooksHandlers } from "./webhooks.ts";

/** Every resource's operations with their handlers. */
export const allRoutes = [
  boundTo(bindSandboxInbound, sandboxInboundHandlers),
  boundTo(bindSandboxLines, sandboxLinesHandlers),
  boundTo(bindSandboxMessages, sandboxMessagesHandlers),
  boundTo(bindSandboxOrganizations, sandboxOrganizationsHandlers),
  boundTo(bindSandboxPhoneNumbers, sandboxPhoneNumbersHandlers),
  boundTo(bindSandboxRegistration, sandboxRegistrationHandlers),
  boundTo(bindSandboxWebhooks, sandboxWebhooksHandlers),
];
