import { expect, it } from "vitest";
import { onceATurn } from "./once-a-turn.ts";

it("lets those go on together who wait in one turn, when it ends", async () => {
  const told: string[] = [];
  const turn = onceATurn();
  const waiting = ["a", "b"].map((name) => turn().then(() => told.push(name)));
  const end = new Promise<void>((done) =>
    setImmediate(() => {
      told.push("end");
      done();
    }),
  );
  await Promise.resolve();
  expect(told).toEqual([]);
  await Promise.all([...waiting, end]);
  expect(told).toEqual(["a", "b", "end"]);
  await turn();
});
