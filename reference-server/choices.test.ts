import { describe, expect, it } from "vitest";
import { choiceValues, referenceChoices } from "../generated/choices.ts";
import { choicesFrom } from "./choices.ts";

describe("choices of a file", () => {
  it("an empty file leaves the reference's choices", () => {
    for (const file of [null, undefined, {}]) expect(choicesFrom(file)).toEqual(referenceChoices);
  });

  it("every lawful value of every option is taken, numbers too", () => {
    for (const [option, values] of Object.entries(choiceValues))
      for (const value of values) {
        expect(choicesFrom({ [option]: value })).toEqual({ ...referenceChoices, [option]: value });
        if (/^\d+$/.test(value)) expect(choicesFrom({ [option]: Number(value) })).toHaveProperty(option, value);
      }
  });

  it("all that is wrong is told, with what is allowed", () => {
    const wrong = () => choicesFrom({ colour: "red", lastUsed: "never" });
    expect(wrong).toThrow('There is no option "colour". Options: ');
    expect(wrong).toThrow('The option lastUsed cannot be "never". Values: at-once, delayed.');
  });

  it("a file that holds something else is refused", () => {
    for (const file of [[], "lastUsed", 7, true]) expect(() => choicesFrom(file)).toThrow("one on each line");
  });

  it("names of prototypes are no options", () => {
    for (const option of ["__proto__", "constructor", "toString"])
      expect(() => choicesFrom(JSON.parse(`{"${option}": "x"}`))).toThrow(`There is no option "${option}"`);
  });
});
