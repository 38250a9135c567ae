import { secretDefinitions } from "../arrangements/all.ts";
import { newOrganization } from "../arrangements/fresh-organization.ts";
import { hookOf, secretOf } from "../arrangements/requirement.ts";
import { exampleUrl } from "../target/address.ts";
import { durationText, millisecondsOf } from "../target/duration.ts";
import type { SandboxAccess, Target } from "../target/target.ts";
import type { TargetProblem } from "../target/target-problem.ts";
import { type TimingSetting, timingOf } from "../target/timing.ts";
import { readHooks } from "./read-hooks.ts";
import { readNumbers } from "./read-numbers.ts";
import { readReceiver } from "./read-receiver.ts";
import { readShapes } from "./read-shapes.ts";
import { parseTargetFile } from "./target-file.ts";
import { addressIn, type Given, pick, type Reading, secretIn, type TargetSources } from "./target-sources.ts";

export type ReadTarget =
  | { readonly ok: true; readonly target: Target }
  | { readonly ok: false; readonly problems: readonly TargetProblem[] };

/**
 * Builds the target from its sources, or tells everything that is wrong with them. To have nothing to call the API with
 * is wrong unless it is for something else than a run.
 */
export function readTarget(sources: TargetSources, purpose: "run" | "clean" = "run"): ReadTarget {
  const file =
    sources.file === null
      ? { settings: {}, problems: [], placeOf: () => "target" }
      : parseTargetFile(sources.file.name, sources.file.text);
  if (file.problems.length > 0) return { ok: false, problems: file.problems };
  const reading: Reading = { sources, file, problems: [] };
  const { settings } = file;
  const baseUrl = readBaseUrl(reading);
  const target: Target = {
    baseUrl,
    key: readSecret(reading, "key", "BYLAW_API_KEY", "--key-stdin"),
    secrets: Object.fromEntries(
      secretDefinitions.flatMap(({ setting, variable }) => {
        const secret = readSecret(reading, setting, variable);
        return secret === null ? [] : [[setting, secret]];
      }),
    ),
    sandbox: readSandbox(reading, baseUrl),
    timing: timingOf((setting) => readDuration(reading, setting)),
    hooks: readHooks(reading, settings.hooks ?? {}),
    implements: settings.implements ?? null,
    receiver: readReceiver(reading),
    shapes: readShapes(reading, settings.shapes ?? {}),
    numbers: readNumbers(reading, settings.numbers ?? {}),
  };
  const problems = [...reading.problems, ...(reading.problems.length > 0 ? [] : contradictions(target, purpose))];
  return problems.length > 0 ? { ok: false, problems } : { ok: true, target };
}

function readBaseUrl(reading: Reading): string {
  const before = reading.problems.length;
  const names = { flag: "--url", variable: "BYLAW_URL", path: ["base_url"] } as const;
  const given = pick(reading, names, reading.file.settings.base_url);
  if (given !== null) return addressIn(reading, given, "api");
  if (reading.problems.length === before) {
    reading.problems.push({
      where: reading.sources.file?.name ?? "target",
      message: "The kit was not told where the implementation is.",
      fix: `Give its address with --url, such as --url ${exampleUrl}, with BYLAW_URL, or as base_url of a target file.`,
    });
  }
  return "";
}

function readSecret(reading: Reading, name: string, variable: string, flag?: "--key-stdin"): string | null {
  const names = { variable, path: [name], ...(flag === undefined ? {} : { flag }) };
  return secretIn(reading, pick(reading, names, secretInFile(reading.file.settings, name)));
}

/** The members of a target file that hold secrets are named by arrangements. */
function secretInFile(settings: object, name: string): string | undefined {
  const value: unknown = Reflect.get(settings, name);
  return typeof value === "string" ? value : undefined;
}

function readSandbox(reading: Reading, baseUrl: string): SandboxAccess | null {
  const { sandbox: inFile } = reading.file.settings;
  const url = { flag: "--sandbox-url", variable: "BYLAW_SANDBOX_URL", path: ["sandbox", "base_url"] } as const;
  const given: Given | null = pick(reading, url, inFile?.base_url);
  const before = reading.problems.length;
  const names = { variable: "BYLAW_SANDBOX_TOKEN", path: ["sandbox", "token"] } as const;
  const token = secretIn(reading, pick(reading, names, inFile?.token));
  const sandboxUrl = given === null ? baseUrl : addressIn(reading, given, "sandbox");
  if (token !== null) return { baseUrl: sandboxUrl, token };
  if (reading.problems.length === before && (given !== null || inFile !== undefined)) {
    reading.problems.push({
      where: given?.where ?? reading.file.placeOf(["sandbox"]),
      message: "There is a sandbox, but no token for it.",
      fix: "Put the token with which the server was started into BYLAW_SANDBOX_TOKEN.",
    });
  }
  return null;
}

function readDuration(reading: Reading, setting: TimingSetting): number {
  const { name, flag } = setting;
  const path = ["timing", name];
  const given = pick(reading, flag === null ? { path } : { path, flag }, reading.file.settings.timing?.[name]);
  if (given === null) return setting.default;
  const read = millisecondsOf(given.value);
  if (read !== null && read >= setting.least && read <= setting.most) return read;
  reading.problems.push({
    where: given.where,
    message:
      read === null
        ? `${JSON.stringify(given.value.slice(0, 40))} is no length of time.`
        : `${durationText(read)} is out of bounds; a bare number counts seconds.`,
    fix: `Write one from ${durationText(setting.least)} to ${durationText(setting.most)}, such as 500ms, 10s or 2m.`,
  });
  return setting.default;
}

function contradictions(target: Target, purpose: "run" | "clean"): TargetProblem[] {
  const { key, sandbox } = target;
  if (purpose === "run" && key === null && sandbox === null && hookOf(target, newOrganization) === null) {
    const fix = "Put it into the environment variable BYLAW_API_KEY, or pipe it in with --key-stdin.";
    return [
      {
        where: "BYLAW_API_KEY",
        message: "The kit has no API key, and neither a sandbox nor a new_organization hook to get one from.",
        fix,
      },
    ];
  }
  const same = secretDefinitions.filter((secret) => key !== null && secretOf(target, secret) === key);
  return same.map(({ variable }) => ({
    where: variable,
    message: "This is the same secret as the API key of the first organization.",
    fix: "Give one that differs from it, or leave this one out.",
  }));
}
