import { expect, it } from "vitest";
import { isOfUnitedStatesOrCanada } from "./calling-region.ts";

it.each([
  ["Washington", "+12025550123"],
  ["Toronto", "+14165550123"],
  ["Whitehorse", "+18675550123"],
  ["Puerto Rico", "+17875550123"],
  ["Guam", "+16715550123"],
  ["nowhere, free of charge", "+18005550123"],
])("a number of %s is of the United States or Canada", (_place, number) => {
  expect(isOfUnitedStatesOrCanada(number)).toBe(true);
});

it.each([
  ["the United Kingdom", "+442071838750"],
  ["Jamaica", "+18765550123"],
  ["Bermuda", "+14415550123"],
  ["the Dominican Republic", "+18095550123"],
  ["Egypt", "+201001234567"],
  ["too few digits", "+1202555012"],
  ["too many digits", "+120255501234"],
  ["an area code that there cannot be", "+11025550123"],
  ["emergency services", "+1911"],
  ["an area code that is a service's", "+19115550123"],
  ["an exchange that is a service's", "+12029110123"],
  ["no calling code", "2025550123"],
])("a number of %s is not", (_place, number) => {
  expect(isOfUnitedStatesOrCanada(number)).toBe(false);
});
