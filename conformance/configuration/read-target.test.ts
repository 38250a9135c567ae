import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hookDefinitions } from "../arrangements/all.ts";
import type { Target } from "../target/target.ts";
import type { TargetProblem } from "../target/target-problem.ts";
import { formattedJson } from "./formatted.ts";
import { readTarget } from "./read-target.ts";
import { targetSchema } from "./target-schema.ts";
import type { TargetSources } from "./target-sources.ts";

const environment = { BYLAW_URL: "http://127.0.0.1:8080", BYLAW_API_KEY: "svc_live_first" };

const read = (sources: Partial<TargetSources>): ReturnType<typeof readTarget> =>
  readTarget({ file: null, environment, flags: {}, ...sources });

function targetOf(sources: Partial<TargetSources>): Target {
  const result = read(sources);
  if (result.ok) return result.target;
  throw new Error(JSON.stringify(result.problems));
}

function problemsOf(sources: Partial<TargetSources>): readonly TargetProblem[] {
  const result = read(sources);
  return result.ok ? [] : result.problems;
}

const reference = (name: string): string => `\${${name}}`;

const yaml = (text: string): TargetSources["file"] => ({ name: "target.yaml", text });

describe("sources of a target", () => {
  test("environment variables are enough", () => {
    const target = targetOf({});
    expect(target).toMatchObject({ baseUrl: "http://127.0.0.1:8080", key: "svc_live_first", sandbox: null });
    expect(target.timing).toEqual({
      requestTimeout: 10_000,
      maxWait: 20,
      pollInterval: 100,
      pollTimeout: 10_000,
      clockSkew: 5_000,
    });
  });

  test("a flag wins over the environment, and that over the file", () => {
    const file = yaml("base_url: http://file.example\ntiming: { max_wait: 1m, request_timeout: 3s }\n");
    expect(targetOf({ file, environment: { BYLAW_API_KEY: "svc_live_first" } }).baseUrl).toBe("http://file.example");
    expect(targetOf({ file }).baseUrl).toBe("http://127.0.0.1:8080");
    const flags = { "--url": "https://flag.example/api/", "--max-wait": "5" };
    const target = targetOf({ file, flags });
    expect(target.baseUrl).toBe("https://flag.example/api");
    expect(target.timing).toMatchObject({ maxWait: 5, requestTimeout: 3_000 });
  });

  test("a file takes secrets from the environment by reference", () => {
    const file = yaml(`key: ${reference("FIRST")}\nother_key: ${reference("SECOND")}\n`);
    const target = targetOf({ file, environment: { BYLAW_URL: "http://h", FIRST: "one", SECOND: "two" } });
    expect(target).toMatchObject({ key: "one", secrets: { other_key: "two" } });
  });

  test("a reference that nothing fills is a problem unless a stronger source gives the value", () => {
    const file = yaml(`key: ${reference("FIRST")}\nother_key: ${reference("SECOND")}\n`);
    expect(problemsOf({ file })).toEqual([
      {
        where: "target.yaml:2:12",
        message: "The environment variable SECOND is not set, or is empty.",
        fix: 'Set it, or leave "other_key" out of the file.',
      },
    ]);
  });

  test("a sandbox token alone means a sandbox at the same address", () => {
    const { sandbox } = targetOf({ environment: { BYLAW_URL: "http://h:1/", BYLAW_SANDBOX_TOKEN: "token" } });
    expect(sandbox).toEqual({ baseUrl: "http://h:1", token: "token" });
  });

  test("hooks are read, with paths relative to the file", () => {
    const text = [
      "hooks:",
      "  revoke_key: { command: [./revoke.sh, now] }",
      "  advance: { module: hooks.ts, export: advance }",
      "  new_organization: { url: http://127.0.0.1:9000/ }",
    ].join("\n");
    expect(targetOf({ file: { name: "/somewhere/target.yaml", text } }).hooks).toEqual({
      revoke_key: { kind: "command", command: ["/somewhere/revoke.sh", "now"] },
      new_organization: { kind: "url", url: "http://127.0.0.1:9000" },
      advance: { kind: "module", path: "/somewhere/hooks.ts", name: "advance" },
    });
  });

  test("a receiver is read from each source, flags first", () => {
    const text =
      "receiver: { listen: 9100, public_url: https://hooks.example/kit/, tls: { cert: a.pem, key: /b.pem } }";
    const file = { name: "/somewhere/target.yaml", text };
    const receiver = {
      ...{ listen: { host: "127.0.0.1", port: 9100 }, publicUrl: "https://hooks.example/kit" },
      tls: { cert: "/somewhere/a.pem", key: "/b.pem" },
    };
    expect(targetOf({ file }).receiver).toEqual(receiver);
    const variables = { BYLAW_RECEIVER_LISTEN: "0.0.0.0:1", BYLAW_RECEIVER_URL: "http://kit.example" };
    const fromEnvironment = { listen: { host: "0.0.0.0", port: 1 }, publicUrl: "http://kit.example", tls: null };
    expect(targetOf({ environment: { ...environment, ...variables } }).receiver).toEqual(fromEnvironment);
    const flags = { "--receiver-listen": "[::]:2" };
    expect(targetOf({ environment: { ...environment, ...variables }, flags }).receiver).toEqual({
      ...{ ...fromEnvironment, listen: { host: "::", port: 2 } },
    });
    expect(targetOf({}).receiver).toBeNull();
  });

  test("shapes are read for what the document does not show", () => {
    const text = "shapes: { createWebhookEndpoint: { request: { url: address }, response: { id: hook.id } } }";
    expect(targetOf({ file: yaml(text) }).shapes).toEqual({
      createWebhookEndpoint: { request: { url: "address" }, response: { id: "hook.id" } },
    });
    expect(targetOf({}).shapes).toEqual({});
    const absent = "shapes: { createWebhookEndpoint: { response: { id: null } } }";
    expect(targetOf({ file: yaml(absent) }).shapes).toEqual({
      createWebhookEndpoint: { request: {}, response: { id: null } },
    });
    const query = 'shapes: { getLookupMetrics: { request: { from: start }, response: { lookups: "*.count" } } }';
    expect(targetOf({ file: yaml(query) }).shapes).toEqual({
      getLookupMetrics: { request: { from: "start" }, response: { lookups: "*.count" } },
    });
  });

  test("a field of what is listed may have the name of a field beside the list", () => {
    const request = { records: "source", "records.*.source": "records", "records.*.phone_number": "phone" };
    const file = yaml(JSON.stringify({ shapes: { captureConsentBatch: { request } } }));
    expect(targetOf({ file }).shapes.captureConsentBatch?.request).toEqual(request);
  });

  test("what a target does not take, and what it wants besides, is read as it is written", () => {
    const shape = {
      request: { "records.*.source": null, "records.*.captured_at": null },
      constants: { "records.*.channel": "sms", version: 2, tags: ["a"] },
      response: {},
    };
    const file = yaml(JSON.stringify({ shapes: { captureConsentBatch: shape } }));
    expect(targetOf({ file }).shapes.captureConsentBatch).toEqual(shape);
  });

  test("extra properties of an update are read", () => {
    const shape = { request: {}, extra: { name: ["Acme", "Acme Two"], "quiet.start": [21, 22] }, response: {} };
    const file = yaml(JSON.stringify({ shapes: { updateOrganization: shape } }));
    expect(targetOf({ file }).shapes.updateOrganization).toEqual(shape);
  });

  test("numbers are read by their part", () => {
    const numbers = { "America/Denver": ["+13035550199"], canada: ["+14165550199"] };
    expect(targetOf({ file: yaml(JSON.stringify({ numbers })) }).numbers).toEqual(numbers);
    expect(targetOf({}).numbers).toEqual({});
  });

  test("the example file is valid and shows the defaults", () => {
    const text = readFileSync(new URL("../examples/target.yaml", import.meta.url), "utf8");
    const names = [
      "BYLAW_API_KEY",
      "BYLAW_OTHER_API_KEY",
      "BYLAW_SESSION_TOKEN",
      "BYLAW_REVOKED_KEY",
      "BYLAW_SANDBOX_TOKEN",
    ];
    const all = Object.fromEntries(names.map((name) => [name, `secret-of-${name}`]));
    const target = targetOf({ file: yaml(text), environment: all });
    expect(target.timing).toEqual(targetOf({}).timing);
    expect(Object.keys(target.hooks)).toHaveLength(hookDefinitions.length);
    const options = Object.keys(targetSchema.properties ?? {});
    expect(options.filter((option) => !new RegExp(`^${option}:`, "m").test(text))).toEqual([]);
  });

  test("the published schema is the one that is enforced", async () => {
    const advice = "npx vitest run --project sqlite conformance/configuration -u writes it anew";
    await expect(formattedJson(targetSchema), advice).toMatchFileSnapshot("../examples/target.schema.json");
  });
});

describe("what is wrong with a target", () => {
  const wrongFiles: readonly (readonly [string, string, readonly string[]])[] = [
    ["an unknown option", "base_url: http://h\nbase_rul: http://i\n", ["target.yaml:2:1", 'Did you mean "base_url"?']],
    ["an unknown option inside a group", "timing:\n  maxwait: 1m\n", ["target.yaml:2:3", 'Did you mean "max_wait"?']],
    [
      "a literal secret",
      "base_url: http://h\nkey: svc_live_real\n",
      ["target.yaml:2:6", "plain text", reference("NAME")],
    ],
    ["a number for a text", "base_url: 8080\n", ["target.yaml:1:11", "a number", "should be a text"]],
    ["a list at the top", "- base_url: http://h\n", ["target.yaml:1:1", "a list", "a group of options"]],
    ["an empty group", "sandbox:\n", ["target.yaml:1:", "empty", "a group of options"]],
    ["broken YAML", "base_url: http://h\n key: [a\n", ["target.yaml:1:11", "Correct the YAML"]],
    ["an option written twice", "base_url: http://h\nbase_url: http://i\n", ["target.yaml:2:1", "unique"]],
    ["an unknown tag", "base_url: !secret http://h\n", ["target.yaml:1:11", "tag"]],
    ["an unknown resource", "implements: [api-key]\n", ["target.yaml:1:14", 'Did you mean "api-keys"?']],
    ["no length of time", "timing: { max_wait: soon }\n", ["target.yaml:1:21", '"soon" is no length of time']],
    ["milliseconds without their unit", "timing: { request_timeout: 5000 }\n", ["target.yaml:1:28", "counts seconds"]],
    [
      "a hook of two kinds",
      "hooks:\n  advance: { url: http://h, command: [a] }\n",
      ["target.yaml:2:12", "exactly one of"],
    ],
    [
      "a receiver that listens nowhere",
      "receiver: { public_url: http://h }\n",
      ["target.yaml:1:25", "nothing for it to listen on", "--receiver-listen"],
    ],
    ["a receiver of no port", "receiver: { listen: here }\n", ["target.yaml:1:21", '"here" is no host and port']],
    [
      "a public address that leads to any port",
      "receiver: { listen: 127.0.0.1:0, public_url: http://h }\n",
      ["target.yaml:1:21", "any free port", "target.yaml:1:46"],
    ],
    ["a public address with credentials", "receiver: { listen: 1, public_url: http://u:p@h }\n", ["credentials"]],
    ["a certificate without its key", "receiver: { listen: 1, tls: { cert: a.pem } }\n", ["target.yaml:1:29", "key"]],
    [
      "a shape of an unknown operation",
      "shapes: { createWebhokEndpoint: {} }\n",
      ["target.yaml:1:11", 'Did you mean "createWebhookEndpoint"?'],
    ],
    ["a shape that the document shows", "shapes: { getApiKey: {} }\n", ["target.yaml:1:11", "The document shows"]],
    [
      "a shape of an unknown field",
      "shapes: { createWebhookEndpoint: { request: { uri: address } } }\n",
      ["target.yaml:1:47", 'Did you mean "url"?', "Options here: url, events."],
    ],
    ["a shape of a body that there is not", "shapes: { testWebhookEndpoint: { request: {} } }\n", ["request"]],
    [
      "a shape that is no path",
      "shapes: { createWebhookEndpoint: { request: { url: a..b } } }\n",
      ["target.yaml:1:52", '"a..b", which is no path'],
    ],
    [
      "two fields in one place",
      "shapes: { createWebhookEndpoint: { request: { url: events.url } } }\n",
      ["target.yaml:1:52", '"url" would be written to events.url, where "events" is written to events.'],
    ],
    [
      "two fields of a list in one place",
      'shapes: { captureConsentBatch: { request: { "records.*.source": phone_number } } }\n',
      ["target.yaml:1:65", '"records.*.phone_number" is written to phone_number.'],
    ],
    [
      "a field left out that a request means nothing without",
      "shapes: { captureConsent: { request: { phone_number: null } } }\n",
      ["target.yaml:1:54", '"shapes.captureConsent.request.phone_number" is empty and should be a text'],
    ],
    [
      "a constant in the place of a field",
      "shapes: { captureConsent: { request: { source: how.told }, constants: { how: web } } }\n",
      ["target.yaml:1:78", 'The constant how would stand where "source" is written, at how.told.'],
    ],
    [
      "a constant in the place of a field of a list",
      'shapes: { captureConsentBatch: { constants: { "records.*.source": web } } }\n',
      ["target.yaml:1:67", '"records.*.source" is written, at records.*.source.'],
    ],
    [
      "two constants in one place",
      "shapes: { captureConsent: { constants: { how: web, how.told: sms } } }\n",
      ["target.yaml:1:", "The constants how and how.told would stand in one place."],
    ],
    [
      "a constant in the places of a list that there is not",
      'shapes: { captureConsent: { constants: { "records.*.kind": web } } }\n',
      ["target.yaml:1:60", "no list is written there", "captureConsent has no list"],
    ],
    [
      "a constant in the places of another list",
      'shapes: { captureConsentBatch: { request: { records: all }, constants: { "records.*.kind": web } } }\n',
      ["target.yaml:1:92", "no list is written there", "Begin it with all.*"],
    ],
    [
      "a constant that is a group",
      "shapes: { captureConsent: { constants: { how: { web: 1 } } } }\n",
      ["target.yaml:1:47", "should be"],
    ],
    [
      "an extra property in the place of a field",
      "shapes: { updateOrganization: { extra: { is_reseller: [true, false] } } }\n",
      ["target.yaml:1:", "The extra property is_reseller has the place of is_reseller."],
    ],
    [
      "an extra property with a star",
      'shapes: { updateOrganization: { extra: { "names.*": [a, b] } } }\n',
      ["target.yaml:1:", "The extra property names.* has a star"],
    ],
    [
      "an extra property with one value twice",
      "shapes: { updateOrganization: { extra: { name: [a, a] } } }\n",
      ["target.yaml:1:", "duplicate"],
    ],
    [
      "numbers of no part",
      'numbers: { "America/Denvr": ["+13035550199"] }\n',
      ["target.yaml:1:12", 'Did you mean "America/Denver"?'],
    ],
    ["too few numbers", 'numbers: { repliers: ["+13035550199"] }\n', ["target.yaml:1:22", "fewer than 2", "2 numbers"]],
    ["a number that is none", "numbers: { canada: [4165550123] }\n", ["target.yaml:1:21", "a text", "in quotes"]],
    [
      "a number without its plus sign",
      'numbers: { canada: ["4165550123"] }\n',
      ["target.yaml:1:21", "no phone number"],
    ],
    [
      "a number of two parts",
      'numbers: { canada: ["+12025550130"] }\n',
      ["target.yaml:1:20", "+12025550130 is a number of canada and of recipients."],
    ],
    ["a sandbox without a token", "sandbox: { base_url: http://h }\n", ["target.yaml:1:22", "BYLAW_SANDBOX_TOKEN"]],
  ];

  test.each(wrongFiles)("%s is reported with its place and a way out", (_, text, expected) => {
    const [problem, ...others] = problemsOf({ file: yaml(text) });
    expect(others).toEqual([]);
    const shown = `${problem?.where} ${problem?.message} ${problem?.fix}`;
    for (const part of expected) expect(shown).toContain(part);
  });

  test("every problem of a file is reported at once", () => {
    const text = "base_rul: x\nkey: literal\ntiming: { maxwait: 1m }\n";
    expect(
      problemsOf({ file: yaml(text) })
        .map((p) => p.where)
        .sort(),
    ).toEqual(["target.yaml:1:1", "target.yaml:2:6", "target.yaml:3:11"]);
  });

  test("aliases that expand without end are refused", () => {
    const levels = Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(9)}*a${i}]`);
    const text = ["a0: &a0 [x]", ...levels].join("\n");
    expect(problemsOf({ file: yaml(text) })[0]?.message).toContain("expand too far");
  });

  test("an oversized file is refused", () => {
    expect(problemsOf({ file: yaml("#".repeat(300_000)) })[0]?.message).toContain("256 KiB");
  });

  const wrongUrls: readonly (readonly [string, string, string])[] = [
    ["localhost:8080", "does not begin with http://", "http://localhost:8080"],
    ["", "", ""],
    ["ftp://h/", "does not speak ftp", "https://"],
    ["http://user:secret@h/", "credentials", "BYLAW_API_KEY"],
    ["http://h/?key=secret", "query", "Leave out"],
    ["http://h/#a", "fragment", "Leave out"],
    ["http://[::1", "is no address", "http://127.0.0.1:8080"],
    ["https://h/api/v1/", "ends in /v1", "https://h/api."],
  ];

  test.each(wrongUrls.filter(([url]) => url !== ""))("the address %s is refused", (url, message, fix) => {
    const problems = problemsOf({ flags: { "--url": url } });
    expect(problems).toHaveLength(1);
    expect(problems[0]?.where).toBe("--url");
    expect(problems[0]?.message).toContain(message);
    expect(problems[0]?.fix).toContain(fix);
    expect(JSON.stringify(problems)).not.toContain("secret");
  });

  test("an empty address is refused", () => {
    expect(problemsOf({ flags: { "--url": "" } })[0]?.message).toBe("The address is empty.");
  });

  test("a missing address and a missing key are told apart", () => {
    expect(problemsOf({ environment: {} })[0]?.message).toContain("where the implementation is");
    expect(problemsOf({ environment: { BYLAW_URL: "http://h" } })[0]?.fix).toContain("--key-stdin");
  });

  const wrongKeys: readonly (readonly [string, string])[] = [
    ["Bearer svc_live_x", '"Bearer"'],
    ['"svc_live_x"', "quotation marks"],
    ["svc_live\nx", "line breaks"],
    ["x".repeat(5000), "longer than"],
  ];

  test.each(wrongKeys)("the key %.20s is refused without being shown", (key, message) => {
    const problems = problemsOf({ environment: { ...environment, BYLAW_API_KEY: key } });
    expect(problems[0]?.message).toContain(message);
    expect(JSON.stringify(problems)).not.toContain("svc_live");
  });

  test("one secret for two principals is refused", () => {
    const [problem] = problemsOf({ environment: { ...environment, BYLAW_OTHER_API_KEY: environment.BYLAW_API_KEY } });
    expect(problem?.where).toBe("BYLAW_OTHER_API_KEY");
  });
});
