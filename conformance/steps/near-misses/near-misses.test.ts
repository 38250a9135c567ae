import * as fc from "fast-check";
import { expect, test } from "vitest";
import { nearMisses } from "./near-misses.ts";

const random = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }));
const drawn = (stream: Iterator<number>) => (): number => Number(stream.next().value);
const mark = "svc_live_";
const secret = fc.uint8Array({ minLength: 24, maxLength: 48 });

const missesOf = (text: string, stream: Iterator<number>) =>
  nearMisses(text, { kind: "secret", mark }, drawn(stream)).filter(({ arguable }) => !arguable);

test("no near miss of a secret, id or name is the value itself, and each says what was changed", () => {
  fc.assert(
    fc.property(secret, fc.uuid(), random, (bytes, uuid, stream) => {
      const text = mark + Buffer.from(bytes).toString("base64url");
      const all = [
        [text, { kind: "secret", mark }],
        [uuid, { kind: "uuid" }],
        ["apikeys:read", { kind: "name" }],
      ] as const;
      for (const [value, shape] of all) {
        const misses = nearMisses(value, shape, drawn(stream));
        expect(misses.every(({ values }) => values.length > 0 && !values.includes(value))).toBe(true);
        expect(new Set(misses.map(({ dimension }) => dimension)).size).toBe(misses.length);
      }
    }),
  );
});

test.each(["base64url", "hex"] as const)(
  "a server that compares secrets decoded from %s refuses a value of every dimension",
  (encoding) => {
    fc.assert(
      fc.property(secret, random, (bytes, stream) => {
        const kept = Buffer.from(bytes);
        const text = mark + kept.toString(encoding);
        const takes = (value: string): boolean =>
          value.startsWith(mark) && Buffer.from(value.slice(mark.length), encoding).equals(kept);
        for (const { dimension, values } of missesOf(text, stream)) {
          expect(values.every(takes), `${text} with ${dimension}`).toBe(false);
        }
      }),
    );
  },
);

test("of a secret that mixes cases its case is a dimension, of another it is arguable", () => {
  const always = () => 0;
  const casesOf = (text: string) =>
    nearMisses(mark + text, { kind: "secret", mark }, always)
      .filter(({ dimension }) => dimension === "all in upper case")
      .map(({ arguable }) => arguable);
  expect(casesOf("aB3dE5fG7h")).toEqual([false]);
  expect(casesOf("ab3de5fa7b")).toEqual([true]);
  expect(casesOf("1234567890")).toEqual([]);
});

test("no near miss of a UUID that is not arguable has 32 hexadecimal digits", () => {
  fc.assert(
    fc.property(fc.uuid(), random, (uuid, stream) => {
      for (const { dimension, values, arguable } of nearMisses(uuid, { kind: "uuid" }, drawn(stream))) {
        const digits = (values[0] ?? "").replaceAll("-", "");
        expect(arguable || !/^[0-9a-f]{32}$/i.test(digits), dimension).toBe(true);
      }
    }),
  );
});
