/** Every route of the API document: the five documented ones, then the route index. */
export const documentedRoutes: readonly string[] = [
  "POST /v1/api-keys",
  "GET /v1/api-keys/{id}",
  "POST /v1/webhooks/{id}/rotate-secret",
  "POST /v1/webhooks/deliveries/{id}/replay",
  "GET /v1/webhooks/deliveries",
  "POST /v1/api-keys/{id}/rotate",
  "POST /v1/webhooks",
  "DELETE /v1/webhooks/{id}",
  "POST /v1/webhooks/{id}/test",
  "POST /v1/webhook-secret/rotate",
  "POST /v1/messages",
  "GET /v1/messages",
  "GET /v1/messages/{id}",
  "DELETE /v1/messages/{id}",
  "POST /v1/messages/media-upload",
  "POST /v1/phone-numbers/search",
  "POST /v1/phone-numbers/orders",
  "POST /v1/phone-numbers/bulk",
  "GET /v1/phone-numbers/{id}",
  "PATCH /v1/phone-numbers/{id}",
  "DELETE /v1/phone-numbers/{id}",
  "POST /v1/phone-numbers/{id}/campaign",
  "DELETE /v1/phone-numbers/{id}/campaign",
  "POST /v1/brands",
  "GET /v1/brands/{id}",
  "POST /v1/campaigns",
  "GET /v1/campaigns/{id}",
  "POST /v1/lookup",
  "GET /v1/lookup/{lookup_id}",
  "POST /v1/billing/topup",
  "GET /v1/billing/topup/products",
  "PUT /v1/billing/wallet/auto-topup",
  "POST /v1/billing/portal",
  "POST /v1/consent",
  "POST /v1/consent/bulk",
  "POST /v1/consent/double-opt-in",
  "POST /v1/consent/hosted",
  "POST /v1/contacts/{contact_number}/erase",
  "GET /v1/me",
  "PATCH /v1/me",
  "GET /v1/me/notifications",
  "PATCH /v1/me/notifications",
  "POST /v1/legal-acceptances",
  "PATCH /v1/organization",
  "GET /v1/metrics/lookup",
];

/** Routes that the document names by their beginning only. */
export const documentedRoutePrefixes: readonly string[] = ["GET /v1/metrics/"];

/** Scopes that the document gives to single routes. */
export const documentedRouteScopes: { readonly [route: string]: string } = {
  "POST /v1/api-keys": "apikeys:write",
  "GET /v1/api-keys/{id}": "apikeys:read",
  "POST /v1/webhooks/{id}/rotate-secret": "webhooks:write",
  "POST /v1/webhooks/deliveries/{id}/replay": "webhooks:write",
  "GET /v1/webhooks/deliveries": "webhooks:read",
  "POST /v1/messages": "messages:send",
};

/** Routes that take a signed-in user and no key. */
export const documentedSessionRoutes: readonly string[] = [
  "GET /v1/me/notifications",
  "PATCH /v1/me/notifications",
  "POST /v1/legal-acceptances",
];
