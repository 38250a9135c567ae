import type { Hook, Target } from "../target/target.ts";
import { hookDefinitions, type Need, requirementOf, secretDefinitions } from "./all.ts";
import type { Effect } from "./effect.ts";
import { leastWait } from "./full-bucket.ts";
import type { HookDefinition, OrganizationSetting, Requirement, SecretDefinition } from "./requirement.ts";

/** What a run has to go on: the target, and the effects that it was allowed. */
export interface Means {
  readonly target: Target;
  readonly allow: ReadonlySet<Effect>;
}

/** Something that the kit can be given. */
export interface Offer {
  readonly kind: "secret" | "leave" | "time" | "receiver" | "hook" | "sandbox";
  /** What it is called in reports. */
  readonly name: string;
  /** What it is, with the words of the configuration that give it. */
  readonly says: string;
  /** What is given with it, and need not be told beside it. */
  readonly includes?: Offer;
  /** The means of a run that was given it. */
  readonly addedTo: (means: Means) => Means;
}

/** Stands in for what would be given, where only its presence counts. */
const given = "given";
const givenHook: Hook = { kind: "url", url: given };

const ofTarget =
  (more: (target: Target) => Partial<Target>): Offer["addedTo"] =>
  ({ target, allow }) => ({ target: { ...target, ...more(target) }, allow });

/** Effects that want leave, and what leave means to whoever gives it. */
const leave = {
  exhausts: "use up limits",
  spends: "spend money",
  sends: "send messages",
} as const satisfies Partial<Record<Effect, string>>;

const allowing = Object.entries(leave).map(
  ([effect, what]): Offer => ({
    kind: "leave",
    name: `allow-${effect}`,
    says: `leave to ${what} (--allow ${effect})`,
    addedTo: ({ target, allow }) => ({ target, allow: new Set([...allow, effect as keyof typeof leave]) }),
  }),
);

/** A hook as something that the kit can be given. */
export const hookOffer = ({ name }: HookDefinition): Offer => ({
  kind: "hook",
  name,
  says: `${/^[aeiou]/.test(name) ? "an" : "a"} ${name} hook (hooks in target.yaml)`,
  addedTo: ofTarget(({ hooks }) => ({ hooks: { ...hooks, [name]: hooks[name] ?? givenHook } })),
});

const setting = (hook: string, includes: Offer, { name }: OrganizationSetting): Offer => ({
  kind: "hook",
  includes,
  name: `${hook}-${name.replaceAll("_", "-")}`,
  says: `a ${hook} hook that sets ${name} (its settings in target.yaml)`,
  addedTo: ofTarget(({ hooks }) => {
    const { settings = [], ...call } = hooks[hook] ?? givenHook;
    return { hooks: { ...hooks, [hook]: { ...call, settings: [...settings, name] } } };
  }),
});

const secret = ({ setting, variable, what }: SecretDefinition): Offer => ({
  kind: "secret",
  name: setting.replaceAll("_", "-"),
  says: `${what} (${variable})`,
  addedTo: ofTarget(({ secrets }) => ({ secrets: { ...secrets, [setting]: given } })),
});

const hooks = hookDefinitions.map((definition) => ({ definition, offer: hookOffer(definition) }));

/** All that can be given, the least work for whoever gives it first. */
export const allOffers: readonly Offer[] = [
  {
    kind: "secret",
    name: "key",
    says: "an API key (BYLAW_API_KEY)",
    addedTo: ofTarget(() => ({ key: given })),
  },
  ...allowing,
  {
    kind: "time",
    name: "wait",
    says: "time to wait (--max-wait 2m)",
    addedTo: ofTarget(({ timing }) => ({ timing: { ...timing, maxWait: Math.max(timing.maxWait, leastWait) } })),
  },
  ...secretDefinitions.map(secret),
  {
    kind: "receiver",
    name: "receiver",
    says: "a receiver (--receiver-listen)",
    addedTo: ofTarget(() => ({ receiver: { listen: { host: given, port: 0 }, publicUrl: null, tls: null } })),
  },
  // What a hook does alone comes before what it does with a setting.
  ...hooks.map(({ offer }) => offer),
  ...hooks.flatMap(({ offer, definition: { name, settings = [] } }) =>
    settings.map((one) => setting(name, offer, one)),
  ),
  {
    kind: "sandbox",
    name: "sandbox",
    says: "a sandbox (BYLAW_SANDBOX_TOKEN)",
    addedTo: ofTarget(({ baseUrl }) => ({ sandbox: { baseUrl, token: given } })),
  },
];

/** Whether the target has what a check needs. */
export const meets = (target: Target, need: Need): boolean => requirementOf(need).isMet(target);

const nothing: Target = {
  baseUrl: "",
  key: null,
  secrets: {},
  sandbox: null,
  timing: { requestTimeout: 0, maxWait: 0, pollInterval: 0, pollTimeout: 0, clockSkew: 0 },
  hooks: {},
  implements: null,
  receiver: null,
  shapes: {},
  numbers: {},
};

/** "give the kit …": each of the ways to meet a need, for one who has a key but nothing else. */
export function waysToMeet(requirement: Requirement): string {
  const means: Means = { target: requirement.need === "key" ? nothing : { ...nothing, key: given }, allow: new Set() };
  const meets = ({ addedTo }: Offer): boolean => requirement.isMet(addedTo(means).target);
  const ways = allOffers.filter((one) => meets(one) && (one.includes === undefined || !meets(one.includes)));
  return giveText(ways.map((offer) => [offer]));
}

/** "give the kit a; or b and c". */
export const giveText = (ways: readonly (readonly Offer[])[]): string =>
  `give the kit ${ways.map((way) => bothText(way.map(({ says }) => says))).join("; or ")}`;

const conjunction = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** "a", "a and b", "a, b and c". */
export const bothText = (texts: readonly string[]): string => conjunction.format(texts);
