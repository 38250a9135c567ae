import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { absentFields, extraProperties, type Shapes, shapeRequest, shapeResponse, withProperties } from "./shapes.ts";

const shapes: Shapes = {
  createWebhookEndpoint: {
    request: { url: "endpoint.address", events: "endpoint.topics.types" },
    response: { id: "hook.id", url: "hook.targets.0.address" },
  },
  rotateOrganizationSecret: { request: {}, response: { secret: "." } },
};

describe("a request in the target's shape", () => {
  test("has each mapped field in its place, and the others where they were", () => {
    expect(shapeRequest(shapes, "createWebhookEndpoint", { url: "u", events: ["e"], more: 1 })).toEqual({
      endpoint: { address: "u", topics: { types: ["e"] } },
      more: 1,
    });
  });

  test("keeps values of wrong types, and leaves out what is left out", () => {
    expect(shapeRequest(shapes, "createWebhookEndpoint", { url: null })).toEqual({ endpoint: { address: null } });
    expect(shapeRequest(shapes, "createWebhookEndpoint", {})).toEqual({});
  });

  test("has what is listed in its places, each as the mapping says of one", () => {
    const request = { records: "batch.consents", "records.*.phone_number": "contact.phone" };
    const body = { records: [{ phone_number: "+1", source: "s" }, null], source: "t" };
    expect(shapeRequest({ captureConsentBatch: { request, response: {} } }, "captureConsentBatch", body)).toEqual({
      batch: { consents: [{ contact: { phone: "+1" }, source: "s" }, null] },
      source: "t",
    });
  });

  test("leaves out what the target does not take, and has what it wants besides", () => {
    const strict: Shapes = {
      captureConsentBatch: {
        request: { records: "batch.consents", "records.*.source": null },
        constants: { "batch.consents.*.purpose.kind": "offers", version: 2, "elsewhere.*.kind": "none" },
        response: {},
      },
    };
    const body = { records: [{ phone_number: "+1", source: "s" }, "odd"] };
    expect(shapeRequest(strict, "captureConsentBatch", body)).toEqual({
      batch: { consents: [{ phone_number: "+1", purpose: { kind: "offers" } }, "odd"] },
      version: 2,
    });
    expect(shapeRequest(strict, "captureConsentBatch", "text")).toBe("text");
  });

  test("gets the extra properties of an update at their places", () => {
    const named: Shapes = {
      updateOrganization: { request: {}, extra: { "names.full": ["Acme", "Acme Two"], size: [1, 2] }, response: {} },
    };
    const second = extraProperties(named, "updateOrganization", "second");
    expect(second).toEqual({ "names.full": "Acme Two", size: 2 });
    expect(withProperties({ is_reseller: true }, second ?? {})).toEqual({
      ...{ is_reseller: true, names: { full: "Acme Two" } },
      size: 2,
    });
    expect(extraProperties(named, "updateProfile", "first")).toBeNull();
  });

  test("is the body itself where there is nothing to map", () => {
    for (const body of [[1], "text", null, 3]) expect(shapeRequest(shapes, "createWebhookEndpoint", body)).toBe(body);
    expect(shapeRequest(shapes, "createApiKey", { label: "l" })).toEqual({ label: "l" });
  });
});

describe("an answer in the contract's shape", () => {
  test("has what the target has elsewhere", () => {
    const data = { hook: { id: "i", targets: [{ address: "u" }] }, active: true };
    expect(shapeResponse(shapes, "createWebhookEndpoint", data)).toEqual({ ...data, id: "i", url: "u" });
  });

  test("does not take another field of the same name for the mapped one", () => {
    expect(shapeResponse(shapes, "createWebhookEndpoint", { id: "of something else", hook: 1 })).toEqual({ hook: 1 });
  });

  test("can be the data itself", () => {
    expect(shapeResponse(shapes, "rotateOrganizationSecret", "c2VjcmV0")).toEqual({ secret: "c2VjcmV0" });
    expect(shapeResponse(shapes, "rotateOrganizationSecret", undefined)).toEqual({});
  });

  test("can be gathered from each place of a list", () => {
    const paths = { searchPhoneNumbers: { request: {}, response: { phone_numbers: "found.*.number" } } };
    const read = (data: unknown) => Object(shapeResponse(paths, "searchPhoneNumbers", data)).phone_numbers;
    expect(read({ found: [{ number: "a" }, {}, "b"] })).toEqual(["a", undefined, undefined]);
    expect(read({ found: { "*": { number: "a" } } })).toBe("a");
    expect(read({ found: "a" })).toBeUndefined();
  });

  test("is a list where the contract has one, each place with what is mapped there", () => {
    const read = (response: Readonly<Record<string, string>>, data: unknown) =>
      shapeResponse({ getLookupMetrics: { request: {}, response } }, "getLookupMetrics", data);
    const renamed = { starts_at: "*.at", lookups: "*.count.made" };
    expect(read(renamed, [{ at: "a", count: { made: 1 }, lookups: "other" }, { at: "b" }])).toEqual([
      { at: "a", count: { made: 1 }, starts_at: "a", lookups: 1 },
      { at: "b", starts_at: "b" },
    ]);
    expect(read({ lookups: "*.count" }, [{ starts_at: "a", count: 1 }])).toEqual([
      { starts_at: "a", count: 1, lookups: 1 },
    ]);
    expect(read({ lookups: "series.*.n" }, { series: [{ n: 1 }, { n: 2 }] })).toEqual([{ lookups: 1 }, { lookups: 2 }]);
    expect(read({ lookups: "*.n" }, [])).toEqual([]);
    expect(read({ lookups: "n" }, { n: 1 })).toEqual({ n: 1 });
  });

  test("has what is listed in its places, each as the mapping says of one", () => {
    const response = { products: "options", "products.*.id": "option", "products.*.amount_cents": "price.cents" };
    const read = (data: unknown) =>
      shapeResponse({ listTopUpProducts: { request: {}, response } }, "listTopUpProducts", data);
    expect(read({ options: [{ option: "s", price: { cents: 1 }, id: "other" }, {}, null] })).toEqual({
      options: [{ option: "s", price: { cents: 1 }, id: "other" }, {}, null],
      products: [{ option: "s", price: { cents: 1 }, id: "s", amount_cents: 1 }, {}, null],
    });
    expect(read({ options: "none" })).toEqual({ options: "none", products: "none" });
    const inner = { "products.*.id": "option" };
    expect(
      shapeResponse({ listTopUpProducts: { request: {}, response: inner } }, "listTopUpProducts", {
        products: [{ option: "s" }],
      }),
    ).toEqual({ products: [{ option: "s", id: "s" }] });
  });

  test("is the data as it came where there is nothing to map", () => {
    for (const data of [[1], "text", null, undefined]) expect(shapeResponse({}, "createApiKey", data)).toBe(data);
  });
});

test("what was written by a mapping is read back by the same", () => {
  const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "__proto__", "constructor", "0"), { minLength: 1 });
  fc.assert(
    fc.property(names, fc.jsonValue(), (fields, value) => {
      const paths = Object.fromEntries(fields.map((field, n) => [field, `p${n}.${field}.x`]));
      const both: Shapes = { createApiKey: { request: paths, response: paths } };
      const body = Object.fromEntries(fields.map((field) => [field, value]));
      const read = shapeResponse(both, "createApiKey", shapeRequest(both, "createApiKey", body));
      for (const field of fields)
        expect(Object.entries(read ?? {}).find(([name]) => name === field)?.[1]).toEqual(value);
      expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    }),
    { seed: 1, numRuns: 200 },
  );
});

test("removes a field that the target file maps to null", () => {
  const shapes = { createBrand: { request: {}, response: { identity_status: null, id: "sid" } } };
  const data = { identity_status: 7, sid: "b", name: "n" };
  expect(shapeResponse(shapes, "createBrand", data)).toEqual({ sid: "b", id: "b", name: "n" });
  expect(absentFields(shapes, "createBrand")).toEqual(["identity_status"]);
  expect(absentFields({}, "createBrand")).toEqual([]);
});

test("removes such a field from every record of a list", () => {
  const shapes = { listMessages: { request: {}, response: { status: null } } };
  expect(shapeResponse(shapes, "listMessages", [{ id: "m", status: 7 }])).toEqual([{ id: "m" }]);
});
