// Written by "npx bylaw compile" from what there is to list. Do not edit.
import { bindApiKeys } from "../../generated/server/api-keys.ts";
import { bindBilling } from "../../generated/server/billing.ts";
import { bindBrands } from "../../generated/server/brands.ts";
import { bindCampaigns } from "../../generated/server/campaigns.ts";
import { bindConsents } from "../../generated/server/consents.ts";
import { bindContacts } from "../../generated/server/contacts.ts";
import { bindDeliveries } from "../../generated/server/deliveries.ts";
import { bindDoubleOptIns } from "../../generated/server/double-opt-ins.ts";
import { bindHostedForms } from "../../generated/server/hosted-forms.ts";
import { bindLegalAcceptances } from "../../generated/server/legal-acceptances.ts";
import { bindLookups } from "../../generated/server/lookups.ts";
import { bindMessages } from "../../generated/server/messages.ts";
import { bindMetrics } from "../../generated/server/metrics.ts";
import { bindNotifications } from "../../generated/server/notifications.ts";
import { bindOrganizationSettings } from "../../generated/server/organization-settings.ts";
import { bindPhoneNumbers } from "../../generated/server/phone-numbers.ts";
import { bindProfiles } from "../../generated/server/profiles.ts";
import { bindWebhooks } from "../../generated/server/webhooks.ts";
import { boundTo } from "../http/routes.ts";
import { apiKeysHandlers } from "./api-keys.ts";
import { billingHandlers } from "./billing.ts";
import { brandsHandlers } from "./brands.ts";
import { campaignsHandlers } from "./campaigns.ts";
import { consentsHandlers } from "./consents.ts";
import { contactsHandlers } from "./contacts.ts";
import { deliveriesHandlers } from "./deliveries.ts";
import { doubleOptInsHandlers } from "./double-opt-ins.ts";
import { hostedFormsHandlers } from "./hosted-forms.ts";
import { legalAcceptancesHandlers } from "./legal-acceptances.ts";
import { lookupsHandlers } from "./lookups.ts";
import { messagesHandlers } from "./messages.ts";
import { metricsHandlers } from "./metrics.ts";
import { notificationsHandlers } from "./notifications.ts";
import { organizationSettingsHandlers } from "./organization-settings.ts";
import { phoneNumbersHandlers } from "./phone-numbers.ts";
import { profilesHandlers } from "./profiles.ts";
import { webhooksHandlers } from "./webhooks.ts";

/** Every resource's operations with their handlers. */
export const allRoutes = [
  boundTo(bindApiKeys, apiKeysHandlers),
  boundTo(bindBilling, billingHandlers),
  boundTo(bindBrands, brandsHandlers),
  boundTo(bindCampaigns, campaignsHandlers),
  boundTo(bindConsents, consentsHandlers),
  boundTo(bindContacts, contactsHandlers),
  boundTo(bindDeliveries, deliveriesHandlers),
  boundTo(bindDoubleOptIns, doubleOptInsHandlers),
  boundTo(bindHostedForms, hostedFormsHandlers),
  boundTo(bindLegalAcceptances, legalAcceptancesHandlers),
  boundTo(bindLookups, lookupsHandlers),
  boundTo(bindMessages, messagesHandlers),
  boundTo(bindMetrics, metricsHandlers),
  boundTo(bindNotifications, notificationsHandlers),
  boundTo(bindOrganizationSettings, organizationSettingsHandlers),
  boundTo(bindPhoneNumbers, phoneNumbersHandlers),
  boundTo(bindProfiles, profilesHandlers),
  boundTo(bindWebhooks, webhooksHandlers),
];
