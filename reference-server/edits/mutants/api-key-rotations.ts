import type { Mutant } from "../edit.ts";
import { acceptingReplaced, rotating } from "../rotations.ts";
import { mutant, mutantOf } from "./mutant.ts";

const routes = "routes/api-keys.ts";
const read = "return key === null ? keyNotFound() : wireKey(key, precision);";
const rotated = "return { ...wireKey(rotated, precision), plaintext: secret.plaintext };";

const halfAnHour = 1_800_000;

/** Servers that break a rule of the rotation of API keys. */
export const apiKeyRotationMutants: readonly Mutant[] = [
  mutant(
    "KEYR-02",
    "other-secret",
    "answers a rotation with a secret that it did not keep",
    routes,
    rotated,
    rotated.replace("secret.plaintext", "newKeySecret(world, choices).plaintext"),
  ),
  mutantOf("KEYR-02", "lapses", "forgets a new secret when half an hour has passed", [
    rotating((rotations, find) => async (hash) => {
      const found = await find(hash);
      const made = rotations.find(({ next }) => next === hash);
      return found !== null && made !== undefined && made.since(found.organization) > halfAnHour ? null : found;
    }),
  ]),
  mutantOf("KEYR-04", "again", "accepts the old secret again when half an hour has passed", [
    acceptingReplaced((since) => since > halfAnHour),
  ]),
  mutantOf("KEYR-04", "forever", "never ends the old secret", [acceptingReplaced(() => true)]),
  mutant(
    "KEYR-09",
    "callers",
    "gives a rotated key the scopes of its caller",
    routes,
    "const rotated = rotatedKey(key, secret, nextId);",
    "const rotated = { ...rotatedKey(key, secret, nextId), scopes: caller.kind === 'key' ? [...caller.scopes] : key.scopes };",
  ),
  mutant(
    "KEYR-09",
    "reads",
    "gives a rotated key every scope to read",
    routes,
    "const rotated = rotatedKey(key, secret, nextId);",
    `const held = caller.kind === "key" ? [...caller.scopes] : [];
        const added = held.filter((scope) => scope.endsWith(":read") && !key.scopes.includes(scope));
        const rotated = { ...rotatedKey(key, secret, nextId), scopes: [...key.scopes, ...added] };`,
  ),
  mutant(
    "KEYR-03",
    "shown",
    "shows a secret in every read",
    routes,
    read,
    "return key === null ? keyNotFound() : ({ ...wireKey(key, precision), plaintext: newKeySecret(world, choices).plaintext } as never);",
  ),
];
